"""Comparisons that take a night, each a module to be run."""
