"""Account security: second factor, sessions and API tokens."""
