"""Questions about notifications and the people who get them."""
