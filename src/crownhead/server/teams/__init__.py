"""Teams, their members and boards of messages, and their matches."""
