"""Services: inviting a friend, exporting data, closing an account."""
