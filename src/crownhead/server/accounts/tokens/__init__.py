"""API tokens: what they allow, how long, and who may use them."""
