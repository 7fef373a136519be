"""What the review of a game shows: its page, its graph, each move, and the game as PDN with comments."""
