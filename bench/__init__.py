"""The programs that every speed figure of the README is measured with; README.md here says how to run them."""
