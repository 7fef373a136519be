"""The draw rules of federations and houses, as data with their articles.

Sources: WCDF = rules of the World Checkers/Draughts Federation; FMJD = FMJD annex 1 (2015);
FMJD-64 = rules of the 64-square section; FID = regolamento of the Federazione Italiana Dama;
APCA = playing rules of the American Pool Checkers Association; IYT = help topic "Checkers" of
ItsYourTurn; YTMT = checkers rules of YourTurnMyTurn. Numbers are articles.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from crownhead.rules.schema import DrawRules, NoProgressDraw, Progress, RepetitionDraw

_CAPTURE_OR_MAN = frozenset({Progress.CAPTURE, Progress.MAN_MOVE})
_CAPTURE_OR_CROWNING = frozenset({Progress.CAPTURE, Progress.CROWNING})

WCDF = DrawRules(
    "wcdf",
    "World Checkers/Draughts Federation",
    (
        RepetitionDraw(3, automatic=False, article="WCDF 1.32.1"),
        NoProgressDraw(40, _CAPTURE_OR_MAN, automatic=False, article="WCDF 1.32.2"),
    ),
)
FMJD = DrawRules(
    "fmjd",
    "World Draughts Federation",
    (
        RepetitionDraw(3, automatic=True, article="FMJD 6.1"),
        NoProgressDraw(25, _CAPTURE_OR_MAN, automatic=True, article="FMJD 6.2"),
    ),
)
FMJD_64 = DrawRules(
    "fmjd-64",
    "World Draughts Federation, section 64",
    (
        RepetitionDraw(3, automatic=True, article="FMJD-64 7.2.3"),
        NoProgressDraw(15, _CAPTURE_OR_MAN, automatic=True, article="FMJD-64 7.2.5"),
    ),
)
FID = DrawRules(
    "fid",
    "Federazione Italiana Dama",
    (
        RepetitionDraw(4, automatic=False, article="FID 9.3 b1"),  # wording UNVERIFIED
        NoProgressDraw(40, _CAPTURE_OR_MAN, automatic=False, article="FID 10.4"),  # UNVERIFIED
    ),
)
APCA = DrawRules(
    "apca",
    "American Pool Checkers Association",
    (
        # Whether these come of themselves or on a claim is UNVERIFIED.
        RepetitionDraw(3, automatic=False, article="APCA 26"),
        NoProgressDraw(15, _CAPTURE_OR_MAN, automatic=False, article="APCA 26"),
    ),
)
FPD = DrawRules(
    "fpd",
    "Federação Portuguesa de Damas",
    (
        RepetitionDraw(3, automatic=False, article="FPD, law of repetition"),
        NoProgressDraw(20, _CAPTURE_OR_MAN, automatic=False, article="FPD, limited moves"),  # UNVERIFIED
    ),
)
# Where no federation's text was found, or it names no counter: repetition, so that a game can end.
THREEFOLD_ON_CLAIM = DrawRules(
    "threefold-on-claim",
    "Repetition on claim",
    (RepetitionDraw(3, automatic=False, article="UNVERIFIED: no counter found in print"),),
)
# Where repetition is the whole law: 12×12 (windames.free.fr), reversed international (lidraughts).
THREEFOLD = DrawRules(
    "threefold",
    "Repetition",
    (RepetitionDraw(3, automatic=True, article="threefold repetition"),),
)
ITSYOURTURN = DrawRules(
    "itsyourturn",
    "ItsYourTurn",
    (
        # Whether the source counts the side to move is UNVERIFIED; here it is counted.
        RepetitionDraw(3, automatic=True, article="IYT house rule: exact position 3 times"),
        NoProgressDraw(50, _CAPTURE_OR_CROWNING, automatic=True, article="IYT house rule: 50 moves"),
    ),
)
YOURTURNMYTURN = DrawRules(
    "yourturnmyturn",
    "YourTurnMyTurn",
    (
        RepetitionDraw(3, automatic=True, article="club rule: exact position 3 times"),
        NoProgressDraw(25, _CAPTURE_OR_CROWNING, automatic=True, article="YTMT draw rules"),
    ),
)
# For records, whose own result decides.
NO_DRAW_RULES = DrawRules("none", "No draws but by agreement", ())

HOUSE_DRAW_RULES: Mapping[str, DrawRules] = MappingProxyType(
    {rules.key: rules for rules in (ITSYOURTURN, YOURTURNMYTURN)}
)
