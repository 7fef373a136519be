"""Queries for the hottest paths: written once, and executed often."""
