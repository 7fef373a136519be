"""The tournaments API: for players, and for directors."""
