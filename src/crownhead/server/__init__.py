"""The club: people, games on disk, clocks and pages; the only package that uses Django."""
