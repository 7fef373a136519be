"""Questions about games: terms and starts, replaying, who may do what."""
