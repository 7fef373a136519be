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
        "Twenty men a side on a board of ten by ten; White moves first. Men step forward and jump "
        "forward and backward; kings fly any distance. Captures are compulsory, and of all captures "
        "the one that takes most pieces must be chosen. Taken pieces leave the board when the move is "
        "over. A man that passes the far row while capturing is not crowned."
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
        "Twelve men a side; White moves first. Men step forward and jump forward and backward; kings "
        "fly any distance. Captures are compulsory but free to choose. A man that reaches the far row "
        "while capturing is crowned at once and goes on capturing as a king."
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
        "Twelve men a side, the corner at each player's right being played; White moves first. Men step "
        "and jump forward; kings fly any distance. The capture that takes most pieces must be chosen, and "
        "among equals the one that takes most kings. A man that reaches the far row is crowned and its "
        "move ends."
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
        "Twelve men a side; Black, the darker side, moves first. Men step forward and jump forward and "
        "backward; kings fly any distance. Jumps are compulsory but free to choose. A man that passes "
        "the far row while jumping is not crowned."
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
        "Twenty men a side on a board of ten by ten; White moves first. Men step forward and capture in all "
        "eight directions, straight ones too; kings fly and capture likewise. The capture of most value "
        "must be chosen, a king counting for a little less than two men, and among equals one by a king. A "
        "side that has men may not move the same king more than three times in a row."
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
            "International draughts on a board of eight by eight with twelve men a side: flying kings, men "
            "that jump backward too, and the capture that takes most pieces."
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
            "Twelve men a side, the corner at each player's right being played; White moves first. Kings "
            "step one square. Men cannot take kings. The capture that takes most pieces must be chosen; "
            "among equals the one by a king, then the one that takes most kings, then the one that meets "
            "a king earliest."
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
            "Twelve men a side; White moves first. Men step and jump forward; kings fly any distance. "
            "Captures are compulsory; if a king can take, a king must, and beyond that you may choose. A "
            "man that reaches the far row is crowned and its move ends."
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
            "Spanish draughts by the rules of the Portuguese federation, the classic game of the country: "
            "flying kings, men that capture forward only, the law of quantity, then that of quality."
        ),
        notation=Notation(28, Corner.BOTTOM_RIGHT),  # PDN 28,W,8,8,N1,1
        draws=FPD,
    ),
    replace(
        INTERNATIONAL,
        key="canadian",
        name="Canadian draughts",
        summary="International draughts on a board of twelve by twelve, thirty men a side on five rows.",
        board=BOARD_12,
        notation=Notation(27, Corner.TOP_LEFT),  # PDN 27,W,12,12,N2,0
        start=Start(numbered(1, 30), numbered(43, 72), Colour.WHITE),
        draws=TWELVE_BY_TWELVE,
    ),
    replace(
        RUSSIAN,
        key="spantsiretti",
        name="Spantsiretti",
        summary="Russian draughts on a board ten squares wide and eight high, fifteen men a side.",
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
        summary="Pool checkers on a turned board: the corner at each player's right is played.",
        board=BOARD_8_RIGHT,
        # PDN 23,B,8,8,A1,1: a1 at the first player's lower right; White begins in older texts
        notation=Notation(23, Corner.TOP_LEFT, algebraic=True, a1=Corner.TOP_LEFT),
    ),
    Variant(
        key="thai",
        name="Thai checkers",
        summary=(
            "Eight men a side on two rows; White moves first. Men step and jump forward; kings fly any "
            "distance but land directly behind the piece they take. Captures are compulsory but free to "
            "choose, and taken pieces leave the board at once. A man that reaches the far row is crowned and "
            "its move ends."
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
            "Thai checkers as PDN records it: Black moves first, and squares are numbered from Black's "
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
