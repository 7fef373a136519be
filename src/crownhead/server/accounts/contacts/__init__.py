"""Contacts: buddies, with a note, and blocked players."""
