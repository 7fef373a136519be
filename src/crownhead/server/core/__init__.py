"""What every app of the server stands on: clock, events, problem documents, HTTP manners; no models."""
