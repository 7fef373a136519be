"""Notifications on the site, by e-mail and by push."""
