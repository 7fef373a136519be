"""The API of teams and of their matches."""
