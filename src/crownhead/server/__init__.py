"""The club: people, games on disk, clocks and pages; the only room that knows Django."""
