"""Positions that a worker analyses for somebody for a while."""
