"""What members choose about the site and tell about themselves."""
