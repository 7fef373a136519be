"""The presenters of tournaments."""
