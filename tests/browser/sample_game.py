"""A sample game, the first of the Open Checkers Archive: Moorhead against Wyllie, Manchester 1841."""

from __future__ import annotations

RESULT = "0-1"  # Red, called Black in PDN, resigned
MOVES = (
    "11-15 24-20 8-11 28-24 9-13 22-18 15x22 25x18 4-8 26-22 10-14 18x9 5x14 22-18 1-5 18x9 5x14 29-25 "
    "11-15 24-19 15x24 25-22 24-28 22-18 6-9 27-24 8-11 24-19 7-10 20-16 11x20 18-15 2-6 15-11 12-16 "
    "19x12 10-15 11-8 15-18 21-17 13x22 30-26 18x27 26x17x10x1"
).split()
