"""Notifications: what members are told, on the site, by e-mail and by push."""
