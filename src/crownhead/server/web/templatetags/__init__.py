"""Template tags of the frame."""
