"""Ratings: what results make of them, histories, leaderboards."""
