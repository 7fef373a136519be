"""The engine at the club: an opponent at ten levels, the analysis board, reviews of whole games."""
