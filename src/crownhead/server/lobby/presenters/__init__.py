"""Open games and invitations as pages show them."""
