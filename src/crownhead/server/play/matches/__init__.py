"""Matches: games of two players that count together."""
