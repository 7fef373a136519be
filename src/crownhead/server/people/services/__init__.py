"""Telling a friend, exporting one's data, closing an account."""
