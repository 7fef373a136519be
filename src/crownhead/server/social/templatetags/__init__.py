"""Template tags for the latest news."""
