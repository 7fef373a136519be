"""The presenters of teams and team matches."""
