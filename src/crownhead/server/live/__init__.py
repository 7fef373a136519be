"""What just happened, told to open pages: outbox rows, the in-process bus, the event stream."""
