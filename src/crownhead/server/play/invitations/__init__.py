"""Games offered to one player, by name or by e-mail."""
