"""The engine in the workers: pooled searches and their reports."""
