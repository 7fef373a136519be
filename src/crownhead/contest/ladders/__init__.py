"""Ladders, on which players gain and lose ranks through challenges, in two styles.

``places``: every player has a place, and a player who beats somebody higher takes it. ``stairs``: everybody
starts on step 1, and a win leads a step up. Both answer two questions without reading the whole
ladder: may this challenge be made (``refusal``), and what are the ranks after a result (``new_ranks``).
"""

from __future__ import annotations

from crownhead.contest.ladders import places, stairs
from crownhead.contest.ladders.challenges import Challenger, Ending, Move, Refusal

__all__ = ["Challenger", "Ending", "Move", "Refusal", "places", "stairs"]
