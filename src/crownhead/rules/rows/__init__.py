"""The rows of the variant table, one module per family; ``crownhead.rules.variants`` joins them.

Sources: IYT = help topic "Checkers" of ItsYourTurn; BK = rule pages of BrainKing, by their numbers;
PDN = PDN 3.0, gametype; WCDF, FMJD, APCA … as in ``rule_sets.py``.
"""

from __future__ import annotations
