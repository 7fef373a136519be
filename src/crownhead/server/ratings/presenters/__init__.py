"""Ratings as pages show them."""
