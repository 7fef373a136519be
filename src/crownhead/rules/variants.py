"""THE table: every variant as data, with the article of the law or the source in the margin.

Sources: WCDF = rules of the World Checkers/Draughts Federation; FMJD = FMJD annex 1 (2015);
FMJD-64 = rules of the 64-square section; FID = regolamento of the Federazione Italiana Dama;
IYT = help topic "Checkers" of ItsYourTurn; YTMT = checkers rules of YourTurnMyTurn;
PDN = PDN 3.0, gametype. Numbers are articles.

A variant made of known rules is one row here and one file ``suites/perft/<key>.perft``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from crownhead.rules.schema import (
    Board,
    Colour,
    Corner,
    DrawRules,
    NoProgressDraw,
    Notation,
    Objective,
    Priority,
    Progress,
    Promotion,
    RepetitionDraw,
    Rules,
    Start,
    Variant,
)

_CAPTURE_OR_MAN = frozenset({Progress.CAPTURE, Progress.MAN_MOVE})
_CAPTURE_OR_CROWNING = frozenset({Progress.CAPTURE, Progress.CROWNING})


def _squares(first: int, last: int) -> frozenset[int]:
    return frozenset(range(first, last + 1))


# ------------------------------------------------------------------------------------ draw rules
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

# ------------------------------------------------------------------------------------- rule sets
_AMERICAN = Rules(
    flying_king=False,  # WCDF 1.17
    man_captures_backward=False,  # WCDF 1.18
    promotion=Promotion.STOP,  # WCDF 1.19
    priority=(),  # WCDF 1.20: any capture
)
_INTERNATIONAL = Rules(
    flying_king=True,  # FMJD 3.9
    man_captures_backward=True,  # FMJD 4.1
    promotion=Promotion.PASS,  # FMJD 3.5, 4.15
    priority=(Priority.MOST_PIECES,),  # FMJD 4.13, 4.14: a king counts as one
)
_RUSSIAN = Rules(
    flying_king=True,  # FMJD-64 1.4.5
    man_captures_backward=True,  # FMJD-64 1.5.3
    promotion=Promotion.CONTINUE,  # FMJD-64 1.5.15
)
_ITALIAN = Rules(
    flying_king=False,  # FID 4.7
    man_captures_backward=False,
    man_captures_king=False,  # FID 5.3
    promotion=Promotion.STOP,
    priority=(
        Priority.MOST_PIECES,  # FID 6.6
        Priority.WITH_KING,  # FID 6.7
        Priority.MOST_KINGS,  # FID 6.8
        Priority.KINGS_FIRST,  # FID 6.9
    ),
)

# --------------------------------------------------------------------------------- boards, arrays
_BOARD_8 = Board(8, 8)  # WCDF 1.4: the corner at each player's left is played
_BOARD_8_RIGHT = Board(8, 8, left_corner=False)  # FID 2.3
_BOARD_10 = Board(10, 10)  # FMJD 2.4

_ENGLISH = Notation(21, Corner.TOP_LEFT)  # PDN 21,B,8,8,N1,0: 1 at the first player's lower right
_CLUB_10 = Notation(None, Corner.TOP_LEFT)  # 10×10 by American rules: no GameType in PDN
_ALGEBRAIC_FIRST = Corner.TOP_LEFT  # where such boards are numbered at all, 1 is b8

_TWELVE_BLACK_FIRST = Start(_squares(1, 12), _squares(21, 32), Colour.BLACK)
_TWELVE_WHITE_FIRST = Start(_squares(1, 12), _squares(21, 32), Colour.WHITE)

_AMERICAN_ROW = Variant(
    key="american",
    name="American checkers",
    summary=(
        "Twelve men a side on the dark squares; Red, the darker side, moves first. Men step and jump "
        "diagonally forward, kings one square in all four directions. Jumps are compulsory and must "
        "be carried through, but you may choose among them. A man that reaches the far row is crowned "
        "and its move ends. You lose when you have no piece or no move."
    ),
    board=_BOARD_8,
    notation=_ENGLISH,
    start=_TWELVE_BLACK_FIRST,
    rules=_AMERICAN,
    draws=WCDF,
)

_ROWS = (
    _AMERICAN_ROW,
    replace(
        _AMERICAN_ROW,
        key="pro",
        name="Pro checkers",
        summary=(
            "American checkers from a three-move ballot: the first three moves, red, white, red, are "
            "drawn from the deck of openings that tournaments and mail play use. Then it is White's turn."
        ),
        opening_plies=3,  # IYT: Pro Checkers
    ),
    replace(
        _AMERICAN_ROW,
        key="anti",
        name="Anti-checkers",
        summary=(
            "American checkers the other way round: you win when it is your turn and you have no piece "
            "left or cannot move. Jumps are compulsory, so give your men away."
        ),
        rules=replace(_AMERICAN, objective=Objective.MOVER_WINS),  # IYT: Anti-Checkers
    ),
    replace(
        _AMERICAN_ROW,
        key="crowded",
        name="Crowded checkers",
        summary="American checkers on a board of ten by ten, twenty men a side on four rows.",
        board=_BOARD_10,
        notation=_CLUB_10,
        # IYT: 20 men; which squares is derived: the four nearest rows.
        start=Start(_squares(1, 20), _squares(31, 50), Colour.BLACK),
    ),
    replace(
        _AMERICAN_ROW,
        key="sparse",
        name="Sparse checkers",
        summary="American checkers on a board of ten by ten, fifteen men a side on three rows.",
        board=_BOARD_10,
        notation=_CLUB_10,
        # IYT: 15 men; one row fewer than crowded.
        start=Start(_squares(1, 15), _squares(36, 50), Colour.BLACK),
    ),
    replace(
        _AMERICAN_ROW,
        key="mule",
        name="Mule checkers",
        summary=(
            "American checkers with eight men and four mules a side. Mules move and jump as men do. You "
            "win by losing all your mules, or by taking all your opponent's regular pieces, or when a mule "
            "of your opponent ends on its far row; taking everything in one move wins too, and a side "
            "that cannot move loses."
        ),
        # IYT names 8 men and 4 mules; their place on the home row is UNVERIFIED (Parton 1956).
        start=replace(_TWELVE_BLACK_FIRST, mules=_squares(1, 4) | _squares(29, 32)),
        rules=replace(_AMERICAN, mules=True),
    ),
    Variant(
        key="international",
        name="International draughts",
        summary=(
            "Twenty men a side on a board of ten by ten; White moves first. Men step forward and jump "
            "forward and backward; kings fly any distance. Captures are compulsory, and of all captures "
            "the one that takes most pieces must be chosen. Taken pieces leave the board when the move is "
            "over. A man that passes the far row while capturing is not crowned."
        ),
        board=_BOARD_10,
        notation=Notation(20, Corner.TOP_LEFT),  # FMJD 2.6
        start=Start(_squares(1, 20), _squares(31, 50), Colour.WHITE),  # FMJD 2.8, 3.3
        rules=_INTERNATIONAL,
        draws=FMJD,
    ),
    Variant(
        key="russian",
        name="Russian draughts",
        summary=(
            "Twelve men a side; White moves first. Men step forward and jump forward and backward; kings "
            "fly any distance. Captures are compulsory but free to choose. A man that reaches the far row "
            "while capturing is crowned at once and goes on capturing as a king."
        ),
        board=_BOARD_8,
        notation=Notation(25, _ALGEBRAIC_FIRST, algebraic=True, capture_sign=":"),
        start=_TWELVE_WHITE_FIRST,
        rules=_RUSSIAN,
        draws=FMJD_64,
    ),
    Variant(
        key="brazilian",
        name="Brazilian draughts",
        summary=(
            "International draughts on a board of eight by eight with twelve men a side: flying kings, men "
            "that jump backward too, and the capture that takes most pieces."
        ),
        board=_BOARD_8,
        notation=Notation(26, _ALGEBRAIC_FIRST, algebraic=True),
        start=_TWELVE_WHITE_FIRST,
        rules=_INTERNATIONAL,
        draws=FMJD_64,
    ),
    Variant(
        key="italian",
        name="Italian draughts",
        summary=(
            "Twelve men a side, the corner at each player's right being played; White moves first. Kings "
            "step one square. Men cannot take kings. The capture that takes most pieces must be chosen; "
            "among equals the one by a king, then the one that takes most kings, then the one that meets "
            "a king earliest."
        ),
        board=_BOARD_8_RIGHT,
        notation=Notation(22, Corner.TOP_LEFT),
        start=_TWELVE_WHITE_FIRST,
        rules=_ITALIAN,
        draws=FID,
    ),
)

VARIANTS: Mapping[str, Variant] = MappingProxyType({row.key: row for row in _ROWS})

HOUSE_DRAW_RULES: Mapping[str, DrawRules] = MappingProxyType(
    {rules.key: rules for rules in (ITSYOURTURN, YOURTURNMYTURN)}
)
