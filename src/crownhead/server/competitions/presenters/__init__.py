"""Tournaments as pages show them."""
