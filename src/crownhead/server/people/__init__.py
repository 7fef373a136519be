"""Profiles, player search, contacts' pages, telling a friend, one's own data."""
