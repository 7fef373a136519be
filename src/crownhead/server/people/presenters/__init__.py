"""People as pages show them."""
