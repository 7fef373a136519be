"""Backups of a site: one file with its database, keys and settings, made while it runs, and what reads it."""
