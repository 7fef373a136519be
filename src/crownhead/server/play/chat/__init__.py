"""Chat between the two players, and private notes."""
