"""Tournaments: announced, entered, paired round by round, finished."""
