"""Clocks: time controls as pure functions, and the time of a running game."""
