"""THE table: every variant as data, with the article of the law or the source in the margin.

Sources: WCDF = rules of the World Checkers/Draughts Federation; FMJD = FMJD annex 1 (2015);
FMJD-64 = rules of the 64-square section; FID = regolamento of the Federazione Italiana Dama;
APCA = tournament rules of the American Pool Checkers Association; ČFD = rules of the Česká federace
dámy; IYT = help topic "Checkers" of ItsYourTurn; BK = rule pages of BrainKing; PDN = PDN 3.0, gametype.
Numbers are articles.

A variant made of known rules is one row here and one file ``suites/perft/<key>.perft``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from crownhead.rules.federations import (
    APCA,
    FID,
    FMJD,
    FMJD_64,
    FPD,
    NO_DRAW_RULES,
    THREEFOLD,
    THREEFOLD_ON_CLAIM,
    TWELVE_BY_TWELVE,
    WCDF,
)
from crownhead.rules.schema import (
    Board,
    Colour,
    Corner,
    Notation,
    Objective,
    Priority,
    Promotion,
    Rules,
    Start,
    Variant,
)


def _squares(first: int, last: int) -> frozenset[int]:
    return frozenset(range(first, last + 1))


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
_POOL = Rules(
    flying_king=True,  # APCA 15
    man_captures_backward=True,  # APCA 14
    promotion=Promotion.PASS,  # APCA 16, 22, 23
    priority=(),  # APCA 20: any capture
)
_CZECH = Rules(
    flying_king=True,
    man_captures_backward=False,
    promotion=Promotion.STOP,
    priority=(Priority.WITH_KING,),  # ČFD 4.14
)
_IBERIAN = Rules(
    flying_king=True,
    man_captures_backward=False,
    promotion=Promotion.STOP,
    # BK 121: the law of quantity, then that of quality
    priority=(Priority.MOST_PIECES, Priority.MOST_KINGS),
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
_BOARD_12 = Board(12, 12)  # PDN 27,W,12,12,N2,0

_ENGLISH = Notation(21, Corner.TOP_LEFT)  # PDN 21,B,8,8,N1,0: 1 at the first player's lower right
_CLUB_10 = Notation(None, Corner.TOP_LEFT)  # 10×10 by American rules: no GameType in PDN
_ALGEBRAIC_FIRST = Corner.TOP_LEFT  # where such boards are numbered at all, 1 is b8

_RUSSIAN_NOTATION = Notation(25, _ALGEBRAIC_FIRST, algebraic=True, capture_sign=":")

_TWELVE_BLACK_FIRST = Start(_squares(1, 12), _squares(21, 32), Colour.BLACK)
_TWELVE_WHITE_FIRST = Start(_squares(1, 12), _squares(21, 32), Colour.WHITE)
# Numbered from White's own row upwards.
_TWELVE_FROM_WHITE = Start(_squares(21, 32), _squares(1, 12), Colour.WHITE)

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

_INTERNATIONAL_ROW = Variant(
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
)
_RUSSIAN_ROW = Variant(
    key="russian",
    name="Russian draughts",
    summary=(
        "Twelve men a side; White moves first. Men step forward and jump forward and backward; kings "
        "fly any distance. Captures are compulsory but free to choose. A man that reaches the far row "
        "while capturing is crowned at once and goes on capturing as a king."
    ),
    board=_BOARD_8,
    notation=_RUSSIAN_NOTATION,
    start=_TWELVE_WHITE_FIRST,
    rules=_RUSSIAN,
    draws=FMJD_64,
)

_SPANISH_ROW = Variant(
    key="spanish",
    name="Spanish draughts",
    summary=(
        "Twelve men a side, the corner at each player's right being played; White moves first. Men step "
        "and jump forward; kings fly any distance. The capture that takes most pieces must be chosen, and "
        "among equals the one that takes most kings. A man that reaches the far row is crowned and its "
        "move ends."
    ),
    board=_BOARD_8_RIGHT,
    notation=Notation(24, Corner.BOTTOM_RIGHT),  # PDN 24,W,8,8,N1,1
    start=_TWELVE_FROM_WHITE,
    rules=_IBERIAN,
    draws=THREEFOLD_ON_CLAIM,
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
    _INTERNATIONAL_ROW,
    _RUSSIAN_ROW,
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
    Variant(
        key="pool",
        name="Pool checkers",
        summary=(
            "Twelve men a side; Red, the darker side, moves first. Men step forward and jump forward and "
            "backward; kings fly any distance. Jumps are compulsory but free to choose. A man that passes "
            "the far row while jumping is not crowned."
        ),
        board=_BOARD_8,  # APCA 2, 4
        notation=Notation(23, Corner.TOP_LEFT),  # PDN 23,B,8,8,N1,0
        start=_TWELVE_BLACK_FIRST,  # APCA 7
        rules=_POOL,
        draws=APCA,
    ),
    Variant(
        key="czech",
        name="Czech draughts",
        summary=(
            "Twelve men a side; White moves first. Men step and jump forward; kings fly any distance. "
            "Captures are compulsory; if a king can take, a king must, and beyond that you may choose. A "
            "man that reaches the far row is crowned and its move ends."
        ),
        board=_BOARD_8,
        notation=Notation(29, _ALGEBRAIC_FIRST, algebraic=True),  # PDN 29,W,8,8,A0,0
        start=_TWELVE_WHITE_FIRST,
        rules=_CZECH,
        draws=THREEFOLD_ON_CLAIM,
    ),
    _SPANISH_ROW,
    replace(
        _SPANISH_ROW,
        key="portuguese",
        name="Portuguese draughts",
        summary=(
            "Spanish draughts by the rules of the Portuguese federation, the classic game of the country: "
            "flying kings, men that capture forward only, the law of quantity, then that of quality."
        ),
        notation=Notation(28, Corner.BOTTOM_RIGHT),  # PDN 28,W,8,8,N1,1
        draws=FPD,
    ),
    replace(
        _INTERNATIONAL_ROW,
        key="canadian",
        name="Canadian draughts",
        summary="International draughts on a board of twelve by twelve, thirty men a side on five rows.",
        board=_BOARD_12,
        notation=Notation(27, Corner.TOP_LEFT),  # PDN 27,W,12,12,N2,0
        start=Start(_squares(1, 30), _squares(43, 72), Colour.WHITE),
        draws=TWELVE_BY_TWELVE,
    ),
    replace(
        _INTERNATIONAL_ROW,
        key="antidraughts",
        name="Antidraughts",
        summary=(
            "International draughts the other way round: you win when it is your turn and you have no "
            "piece left or cannot move."
        ),
        rules=replace(_INTERNATIONAL, objective=Objective.MOVER_WINS),  # lidraughts
        draws=THREEFOLD,  # lidraughts
    ),
    replace(
        _INTERNATIONAL_ROW,
        key="breakthrough",
        name="Breakthrough",
        summary=(
            "International draughts in which the first king wins: crown a man before your opponent does, "
            "or leave your opponent without a piece or a move."
        ),
        rules=replace(_INTERNATIONAL, objective=Objective.FIRST_KING),  # lidraughts
        draws=NO_DRAW_RULES,  # lidraughts; men alone cannot go on for ever
    ),
    replace(
        _RUSSIAN_ROW,
        key="poddavki",
        name="Poddavki",
        summary=(
            "Russian draughts the other way round: you win when it is your turn and you have no piece "
            "left or cannot move."
        ),
        rules=replace(_RUSSIAN, objective=Objective.MOVER_WINS),
        draws=THREEFOLD_ON_CLAIM,
    ),
    replace(
        _RUSSIAN_ROW,
        key="spantsiretti",
        name="Spantsiretti",
        summary="Russian draughts on a board ten squares wide and eight high, fifteen men a side.",
        board=Board(10, 8),
        # PDN 41,W,10,8,A0,0
        notation=Notation(41, _ALGEBRAIC_FIRST, algebraic=True, capture_sign=":"),
        start=Start(_squares(1, 15), _squares(26, 40), Colour.WHITE),
    ),
)

VARIANTS: Mapping[str, Variant] = MappingProxyType({row.key: row for row in _ROWS})
