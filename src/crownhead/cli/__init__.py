"""The command line: a terminal door to all the rooms below."""
