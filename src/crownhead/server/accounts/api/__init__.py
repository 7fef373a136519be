"""The accounts API: sign-up, tokens, preferences, and who makes a request."""
