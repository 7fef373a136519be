"""The ways a notification leaves the site: e-mail and push."""
