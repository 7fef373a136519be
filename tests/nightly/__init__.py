"""Long-running comparisons, each a module to run."""
