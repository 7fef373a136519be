"""The laws as tests, and what judges them."""
