"""Teams and their matches as pages show them."""
