"""How the tables of the games came to be."""
