"""Presenters of people."""
