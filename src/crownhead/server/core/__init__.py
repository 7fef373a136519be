"""What every app of the server uses: clock, events, problem documents, HTTP; no models."""
