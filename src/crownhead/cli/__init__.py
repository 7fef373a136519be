"""The command-line interface to the library, the engine and the site."""
