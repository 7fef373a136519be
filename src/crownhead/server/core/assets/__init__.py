"""Static files: under hashed names, and bundled."""
