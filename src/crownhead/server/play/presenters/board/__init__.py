"""The board as pages draw it: squares, pieces, coordinates, touches, pictures."""
