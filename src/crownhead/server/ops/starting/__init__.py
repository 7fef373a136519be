"""What happens before a site serves: its folder, its database, its house variants."""
