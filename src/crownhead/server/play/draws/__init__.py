"""Draw offers, claims, resignation, and what draw rules say."""
