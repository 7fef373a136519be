"""The pages of teams."""
