"""Questions about players and their results."""
