"""People: users, their API tokens, and the pages to sign up and in."""
