"""Ladders: places that members win and lose by challenges."""
