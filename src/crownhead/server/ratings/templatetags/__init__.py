"""Template tags for ratings beside names."""
