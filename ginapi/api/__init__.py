"""HTTP: what callers send and read, and nothing of the game itself."""
