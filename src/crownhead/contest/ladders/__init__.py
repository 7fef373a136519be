"""Ladders, whose ranks are won and lost by challenges, in two styles.

``places``: everybody has a place of his own, and who beats somebody above him takes it. ``stairs``: everybody
begins on step 1, and a win leads a step up. Both answer two questions from a few facts, so that a caller need
not read a whole ladder: may this challenge be made (``refusal``), and whom does a result move (``moved``).
"""

from __future__ import annotations

from crownhead.contest.ladders import places, stairs
from crownhead.contest.ladders.challenges import Challenger, Ending, Move, Refusal

__all__ = ["Challenger", "Ending", "Move", "Refusal", "places", "stairs"]
