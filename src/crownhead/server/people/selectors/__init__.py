"""Queries about players and their results."""
