"""The parts from which ``crownhead.notation.svg`` builds an image."""
