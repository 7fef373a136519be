"""Finished games: looking for them, their PDN, and any moment of one."""
