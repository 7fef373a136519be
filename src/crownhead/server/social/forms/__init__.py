"""The forms of messages, reports and the back office."""
