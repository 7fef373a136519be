"""The pages of messages, reports, news and help."""
