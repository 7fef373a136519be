"""Notifications as pages, letters and push messages show them."""
