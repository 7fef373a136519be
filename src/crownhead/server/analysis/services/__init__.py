"""What the engine may be asked to do for one member."""
