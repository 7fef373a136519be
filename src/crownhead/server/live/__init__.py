"""Pushes events to open pages: the outbox, the in-process bus and the event stream."""
