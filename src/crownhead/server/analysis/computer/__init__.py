"""The computer as an opponent: its games and its replies."""
