"""International draughts and the national variants, by the rules of their federations."""

from __future__ import annotations

from dataclasses import replace

from crownhead.rules import rule_sets
from crownhead.rules.boards import (
    ALGEBRAIC_FIRST,
    BOARD_8,
    BOARD_8_RIGHT,
    BOARD_10,
    BOARD_12,
    TWELVE_BLACK_FIRST,
    TWELVE_FROM_WHITE,
    TWELVE_WHITE_FIRST,
    numbered,
)
from crownhead.rules.federations import (
    APCA,
    FID,
    FMJD,
    FMJD_64,
    FMJD_64_OBLONG,
    FPD,
    FRISIAN,
    THREEFOLD_ON_CLAIM,
    TWELVE_BY_TWELVE,
)
from crownhead.rules.schema import Board, Colour, Corner, Notation, Start, Variant

_RUSSIAN_NOTATION = Notation(25, ALGEBRAIC_FIRST, algebraic=True, capture_sign=":")

INTERNATIONAL = Variant(
    key="international",
    name="International draughts",
    summary=(
        "Twenty men a side on a 10×10 board; White moves first. Men move forward and capture forward "
        "and backward; kings fly any distance. Captures are compulsory, and you must choose the one "
        "that takes the most pieces. Captured pieces are removed at the end of the move. A man that "
        "passes the far row while capturing is not crowned."
    ),
    board=BOARD_10,
    notation=Notation(20, Corner.TOP_LEFT),  # FMJD 2.6
    start=Start(numbered(1, 20), numbered(31, 50), Colour.WHITE),  # FMJD 2.8, 3.3
    rules=rule_sets.INTERNATIONAL,
    draws=FMJD,
)
RUSSIAN = Variant(
    key="russian",
    name="Russian draughts",
    summary=(
        "Twelve men a side; White moves first. Men move forward and capture forward and backward; kings "
        "fly any distance. Captures are compulsory, but you may choose among them. A man that reaches "
        "the far row while capturing is crowned at once and continues capturing as a king."
    ),
    board=BOARD_8,
    notation=_RUSSIAN_NOTATION,
    start=TWELVE_WHITE_FIRST,
    rules=rule_sets.RUSSIAN,
    draws=FMJD_64,
)

_SPANISH = Variant(
    key="spanish",
    name="Spanish draughts",
    summary=(
        "Twelve men a side, with the corner at each player's right in play; White moves first. Men move "
        "and capture forward; kings fly any distance. You must choose the capture that takes the most "
        "pieces, and among equals the one that takes the most kings. A man that reaches the far row is "
        "crowned and its move ends."
    ),
    board=BOARD_8_RIGHT,
    notation=Notation(24, Corner.BOTTOM_RIGHT),  # PDN 24,W,8,8,N1,1
    start=TWELVE_FROM_WHITE,
    rules=rule_sets.IBERIAN,
    draws=THREEFOLD_ON_CLAIM,
)

_POOL = Variant(
    key="pool",
    name="Pool checkers",
    summary=(
        "Twelve men a side; Black, the darker side, moves first. Men move forward and jump forward and "
        "backward; kings fly any distance. Jumps are compulsory, but you may choose among them. A man "
        "that passes the far row while jumping is not crowned."
    ),
    board=BOARD_8,  # APCA 2, 4
    notation=Notation(23, Corner.TOP_LEFT, a1=Corner.TOP_RIGHT),  # PDN 23,B,8,8,N1,0
    start=TWELVE_BLACK_FIRST,  # APCA 7
    rules=rule_sets.POOL,
    draws=APCA,
)

_FRISIAN = Variant(
    key="frisian",
    name="Frisian draughts",
    summary=(
        "Twenty men a side on a 10×10 board; White moves first. Men move diagonally forward and capture "
        "in all eight directions; kings fly and also capture in all eight. You must choose the capture "
        "with the highest value, a king counting slightly less than two men, and among equals one by a "
        "king. A side that has men may not move the same king more than three times in a row."
    ),
    board=BOARD_10,
    notation=Notation(40, Corner.TOP_LEFT),  # PDN 40,W,10,10,N2,0
    start=Start(numbered(1, 20), numbered(31, 50), Colour.WHITE),
    rules=rule_sets.FRISIAN,
    draws=FRISIAN,
)

NATIONAL = (
    INTERNATIONAL,
    RUSSIAN,
    Variant(
        key="brazilian",
        name="Brazilian draughts",
        summary=(
            "International draughts on an 8×8 board with twelve men a side: flying kings, men that also "
            "capture backward, and the capture that takes the most pieces is compulsory."
        ),
        board=BOARD_8,
        notation=Notation(26, ALGEBRAIC_FIRST, algebraic=True),
        start=TWELVE_WHITE_FIRST,
        rules=rule_sets.INTERNATIONAL,
        draws=FMJD_64,
    ),
    Variant(
        key="italian",
        name="Italian draughts",
        summary=(
            "Twelve men a side, with the corner at each player's right in play; White moves first. "
            "Kings move one square. Men cannot capture kings. You must choose the capture that takes "
            "the most pieces; among equals one by a king, then the one that takes the most kings, then "
            "the one that takes a king earliest."
        ),
        board=BOARD_8_RIGHT,
        notation=Notation(22, Corner.TOP_LEFT),
        start=TWELVE_WHITE_FIRST,
        rules=rule_sets.ITALIAN,
        draws=FID,
    ),
    _POOL,
    Variant(
        key="czech",
        name="Czech draughts",
        summary=(
            "Twelve men a side; White moves first. Men move and capture forward; kings fly any "
            "distance. Captures are compulsory; if a king can capture, a king must, otherwise you may "
            "choose. A man that reaches the far row is crowned and its move ends."
        ),
        board=BOARD_8,
        notation=Notation(29, ALGEBRAIC_FIRST, algebraic=True),  # PDN 29,W,8,8,A0,0
        start=TWELVE_WHITE_FIRST,
        rules=rule_sets.CZECH,
        draws=THREEFOLD_ON_CLAIM,
    ),
    _SPANISH,
    replace(
        _SPANISH,
        key="portuguese",
        name="Portuguese draughts",
        summary=(
            "Spanish draughts by the rules of the Portuguese federation, the classic game of the "
            "country: flying kings, men that capture only forward, the most pieces and then the most "
            "kings must be captured."
        ),
        notation=Notation(28, Corner.BOTTOM_RIGHT),  # PDN 28,W,8,8,N1,1
        draws=FPD,
    ),
    replace(
        INTERNATIONAL,
        key="canadian",
        name="Canadian draughts",
        summary="International draughts on a 12×12 board, with thirty men a side on five rows.",
        board=BOARD_12,
        notation=Notation(27, Corner.TOP_LEFT),  # PDN 27,W,12,12,N2,0
        start=Start(numbered(1, 30), numbered(43, 72), Colour.WHITE),
        draws=TWELVE_BY_TWELVE,
    ),
    replace(
        RUSSIAN,
        key="spantsiretti",
        name="Spantsiretti",
        summary="Russian draughts on a board ten squares wide and eight high, with fifteen men a side.",
        board=Board(10, 8),
        # PDN 41,W,10,8,A0,0
        notation=Notation(41, ALGEBRAIC_FIRST, algebraic=True, capture_sign=":"),
        start=Start(numbered(1, 15), numbered(26, 40), Colour.WHITE),
        draws=FMJD_64_OBLONG,
    ),
    replace(
        _POOL,
        key="jamaican",
        name="Jamaican draughts",
        summary="Pool checkers on a turned board: the corner at each player's right is in play.",
        board=BOARD_8_RIGHT,
        # PDN 23,B,8,8,A1,1: a1 at the first player's lower right; White begins in older texts
        notation=Notation(23, Corner.TOP_LEFT, algebraic=True, a1=Corner.TOP_LEFT),
    ),
    Variant(
        key="thai",
        name="Thai checkers",
        summary=(
            "Eight men a side on two rows; White moves first. Men move and capture forward; kings fly "
            "any distance but land directly behind the piece they capture. Captures are compulsory, but "
            "you may choose among them, and captured pieces are removed at once. A man that reaches the "
            "far row is crowned and its move ends."
        ),
        board=BOARD_8,
        notation=Notation(None, ALGEBRAIC_FIRST, algebraic=True),  # BK
        start=Start(numbered(1, 8), numbered(25, 32), Colour.WHITE),  # BK, mindsports.nl
        rules=rule_sets.THAI,
        draws=THREEFOLD_ON_CLAIM,
    ),
    Variant(
        key="makhos",
        name="Makhos",
        summary=(
            "Thai checkers as recorded in PDN: Black moves first, and squares are numbered from Black's "
            "upper left."
        ),
        board=BOARD_8,
        notation=Notation(
            31, Corner.BOTTOM_RIGHT, capture_sign="-", a1=Corner.TOP_RIGHT
        ),  # PDN 31,B,8,8,N2,0
        start=Start(numbered(25, 32), numbered(1, 8), Colour.BLACK),
        rules=rule_sets.THAI,
        draws=THREEFOLD_ON_CLAIM,
    ),
    _FRISIAN,
    replace(
        _FRISIAN,
        key="frysk",
        name="Frysk!",
        summary="Frisian draughts with five men a side, on the back row.",
        notation=Notation(None, Corner.TOP_LEFT, private_game_type=97),  # lidraughts
        start=Start(numbered(1, 5), numbered(46, 50), Colour.WHITE),  # lidraughts
    ),
)
