"""Making a move."""
