"""What is kept of the engine's work."""
