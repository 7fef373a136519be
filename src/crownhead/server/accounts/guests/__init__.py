"""Guests who play: people without an account, each a row that nobody can sign in to."""
