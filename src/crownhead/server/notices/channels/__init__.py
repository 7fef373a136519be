"""The channels on which a notification is sent: e-mail and push."""
