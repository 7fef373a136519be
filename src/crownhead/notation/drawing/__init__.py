"""The parts that ``crownhead.notation.svg`` puts a picture together from."""
