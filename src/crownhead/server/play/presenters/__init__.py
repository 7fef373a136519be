"""Games as pages and the API show them."""
