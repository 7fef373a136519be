"""Times in which nobody could play, as the site was away or its clock jumped: they cost nobody a game."""
