"""The life of a game: offered, joined, begun, ended."""
