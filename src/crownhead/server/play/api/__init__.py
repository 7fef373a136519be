"""The games API."""
