"""The draw rules of federations and sites, as data with their articles.

Sources: WCDF = rules of the World Checkers/Draughts Federation; FMJD = FMJD annex 1 (2015);
FMJD-64 = rules of the 64-square section; FID = regolamento of the Federazione Italiana Dama;
APCA = playing rules of the American Pool Checkers Association; IYT = help topic "Checkers" of
ItsYourTurn; YTMT = checkers rules of YourTurnMyTurn; FRI = official rules for Frisian draughts (2011).
Numbers are articles.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from crownhead.rules.schema import (
    BalanceDraw,
    DrawRules,
    MaterialDraw,
    NoProgressDraw,
    Progress,
    RepetitionDraw,
)

_CAPTURE_OR_MAN = frozenset({Progress.CAPTURE, Progress.MAN_MOVE})
_CAPTURE_OR_CROWNING = frozenset({Progress.CAPTURE, Progress.CROWNING})

_LONE_KING = frozenset({"K"})
_THREE_KINGS = frozenset({"KKK"})
_THREE_WITH_A_KING = frozenset({"KKK", "KKM", "KMM"})
_UP_TO_TWO_WITH_A_KING = frozenset({"KK", "KM", "K"})
_THREE_KINGS_OR_MORE = frozenset("K" * count for count in range(3, 13))

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
        # "If only three kings remain, two kings and a man, one king and two men, against one king, the game
        # shall be considered a draw when the players have each played another sixteen moves maximum": one
        # count for the three kinds of material, from the first of them on; a crowning does not restart it.
        MaterialDraw(_THREE_WITH_A_KING, _LONE_KING, 16, automatic=True, article="FMJD 6.3"),
        # "… another five moves maximum": likewise; a capture that leaves two pieces of three starts it.
        MaterialDraw(_UP_TO_TWO_WITH_A_KING, _LONE_KING, 5, automatic=True, article="FMJD 6.4"),
    ),
)
# Article 7.2 lists cases in each of which the game is drawn, and none of them excepts another. So fifteen
# moves of kings alone (7.2.5) draw a game with four to seven pieces too; the thirty and sixty moves of 7.2.6
# are for games in which men move in between.
FMJD_64 = DrawRules(
    "fmjd-64",
    "World Draughts Federation, section 64",
    (
        RepetitionDraw(3, automatic=True, article="FMJD-64 7.2.3"),
        MaterialDraw(_THREE_KINGS_OR_MORE, _LONE_KING, 15, automatic=True, article="FMJD-64 7.2.4"),
        # "Within 15 moves the players made moves only with kings, without moving men and without capture."
        NoProgressDraw(15, _CAPTURE_OR_MAN, automatic=True, article="FMJD-64 7.2.5"),
        # "In a position in which both players have kings the balance of forces has not changed (no capture,
        # no man became a king): in endings of 4 and 5 pieces for 30 moves, of 6 and 7 pieces for 60 moves."
        BalanceDraw((4, 5), 30, automatic=True, article="FMJD-64 7.2.6"),
        BalanceDraw((6, 7), 60, automatic=True, article="FMJD-64 7.2.6"),
        MaterialDraw(
            _THREE_WITH_A_KING, _LONE_KING, 5, automatic=True, article="FMJD-64 7.2.7", on_main_road=True
        ),
        MaterialDraw(_UP_TO_TWO_WITH_A_KING, _LONE_KING, 5, automatic=True, article="FMJD-64 7.2.8"),
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
        # Whether these are automatic or must be claimed is UNVERIFIED.
        RepetitionDraw(3, automatic=False, article="APCA 26"),
        NoProgressDraw(15, _CAPTURE_OR_MAN, automatic=False, article="APCA 26"),
        MaterialDraw(_THREE_KINGS, _LONE_KING, 13, automatic=False, article="APCA playing rules"),
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
FRISIAN = DrawRules(
    "frisian",
    "Frisian draughts, 2011",
    (
        MaterialDraw(frozenset({"KK"}), _LONE_KING, 7, automatic=True, article="FRI 18"),
        # The article draws at once unless a capture is possible; two moves each is lidraughts' reading.
        MaterialDraw(_LONE_KING, _LONE_KING, 2, automatic=True, article="FRI 21"),
    ),
)
TURKISH = DrawRules(
    "turkish",
    "Turkish draughts",
    (
        RepetitionDraw(3, automatic=True, article="alemanni.pagesperso-orange.fr/turkish.html"),
        # One piece each is a draw; allowing two moves for a possible capture is pydraughts' reading.
        MaterialDraw(_LONE_KING, _LONE_KING, 2, automatic=True, article="draughts.github.io, Turkish"),
    ),
)
# The articles of the 64-square section that do not mention a long diagonal, for boards without one.
FMJD_64_OBLONG = DrawRules(
    "fmjd-64-oblong",
    "World Draughts Federation, section 64, oblong boards",
    tuple(rule for rule in FMJD_64.rules if not isinstance(rule, MaterialDraw) or not rule.on_main_road),
)
# If no official text was found, or it has no counter: repetition, so that games can end.
THREEFOLD_ON_CLAIM = DrawRules(
    "threefold-on-claim",
    "Repetition on claim",
    (RepetitionDraw(3, automatic=False, article="UNVERIFIED: no counter found in print"),),
)
TWELVE_BY_TWELVE = DrawRules(
    "twelve-by-twelve",
    "Draughts of twelve by twelve",
    (
        RepetitionDraw(3, automatic=True, article="windames.free.fr/canadian.html"),
        MaterialDraw(_THREE_KINGS, _LONE_KING, 16, automatic=True, article="windames.free.fr/canadian.html"),
    ),
)
# Repetition only, as lidraughts plays reversed draughts.
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
# For game records, whose recorded result decides.
NO_DRAW_RULES = DrawRules("none", "No draws but by agreement", ())

HOUSE_DRAW_RULES: Mapping[str, DrawRules] = MappingProxyType(
    {rules.key: rules for rules in (ITSYOURTURN, YOURTURNMYTURN)}
)
