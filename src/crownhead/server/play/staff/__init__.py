"""What players ask of the staff, and what staff and directors decide."""
