"""What a ladder is, who stands on it, and who has challenged whom."""
