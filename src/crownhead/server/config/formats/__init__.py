"""How the club writes dates, by language."""
