"""Profiles, player search, contacts, inviting friends, your own data."""
