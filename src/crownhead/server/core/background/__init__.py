"""Work beside the pages: how it makes up for outages, and how it lets pages come first."""
