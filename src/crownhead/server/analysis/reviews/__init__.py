"""Reviews of whole games, made by a worker in steps."""
