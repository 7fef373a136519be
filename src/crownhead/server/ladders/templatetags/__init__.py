"""Template tags for places on ladders."""
