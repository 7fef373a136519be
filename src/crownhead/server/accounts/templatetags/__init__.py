"""Template tags for usernames."""
