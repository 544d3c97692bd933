"""What an operator does, and what the service does for it."""
