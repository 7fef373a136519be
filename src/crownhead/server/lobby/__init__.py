"""The waiting room: open games, taking one, withdrawing one's own."""
