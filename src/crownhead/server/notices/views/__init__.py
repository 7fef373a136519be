"""The pages of notifications and of the installable app."""
