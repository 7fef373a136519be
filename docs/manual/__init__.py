"""Sphinx extensions that generate tables, diagrams and command pages from the code."""
