"""A sample club, to look around in: `crownhead demo` fills an empty data folder with it.

Everything happens through the services, with the clock stopped at the time of each action; only the moves
of a game are put on the board at once. The same seed makes the same club, apart from times and keys.
"""
