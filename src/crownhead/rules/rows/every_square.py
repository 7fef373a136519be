"""Variants played on every square of the board or on the crossings of lines."""

from __future__ import annotations

from dataclasses import replace

from crownhead.rules import rule_sets
from crownhead.rules.boards import ALGEBRAIC, ALGEBRAIC_FIRST, EVERY_SQUARE_8, LINES_5, numbered
from crownhead.rules.federations import NO_DRAW_RULES, THREEFOLD, THREEFOLD_ON_CLAIM, TURKISH
from crownhead.rules.schema import Colour, Notation, Start, Variant

_SECOND_AND_THIRD_ROWS = Start(numbered(9, 24), numbered(41, 56), Colour.WHITE)
_NEAREST_TWO_ROWS = Start(numbered(1, 16), numbered(49, 64), Colour.WHITE)
# Eight on the home row, six in front of them, then four.
_PYRAMIDS = Start(
    numbered(1, 8) | numbered(10, 15) | numbered(19, 22),
    numbered(57, 64) | numbered(50, 55) | numbered(43, 46),
    Colour.WHITE,
)
_LIGHT_SQUARES = frozenset(number for number in range(1, 65) if (number - 1) % 8 % 2 == (number - 1) // 8 % 2)

_TURKISH = Variant(
    key="turkish",
    name="Turkish draughts",
    summary=(
        "Sixteen men a side on the second and third rows of a board with every square in play; White "
        "moves first. Men move and jump forward and sideways; kings fly along rows and files. You must "
        "choose the capture that takes the most pieces; captured pieces are removed at once, and a king "
        "may not reverse direction while capturing. A man that reaches the far row is crowned and its "
        "move ends."
    ),
    board=EVERY_SQUARE_8,
    notation=Notation(30, ALGEBRAIC_FIRST, algebraic=True),  # PDN 30,W,8,8,A0,0
    start=_SECOND_AND_THIRD_ROWS,
    rules=rule_sets.TURKISH,
    draws=TURKISH,
)
_GOTHIC = Variant(
    key="gothic",
    name="Gothic checkers",
    summary=(
        "Sixteen men a side on the two nearest rows of a board with every square in play; White moves "
        "first. Men move and jump forward, diagonally forward and sideways, kings one square in all "
        "eight directions. Jumps are compulsory, but you may choose among them. A man that reaches the "
        "far row is crowned and its move ends."
    ),
    board=EVERY_SQUARE_8,
    notation=ALGEBRAIC,
    start=_NEAREST_TWO_ROWS,  # BK 35 shows a picture that is lost; Neto's collection
    rules=rule_sets.GOTHIC,
    draws=THREEFOLD_ON_CLAIM,
)

EVERY_SQUARE = (
    _TURKISH,
    replace(
        _TURKISH,
        key="brainking-turkish",
        name="Turkish checkers, BrainKing",
        summary="Turkish draughts by BrainKing's rules: a king may also reverse direction while capturing.",
        notation=ALGEBRAIC,
        rules=rule_sets.BRAINKING_TURKISH,
        draws=THREEFOLD_ON_CLAIM,
    ),
    replace(
        _TURKISH,
        key="armenian",
        name="Armenian draughts",
        summary=(
            "Turkish draughts in which men also move diagonally forward, and kings move like queens in "
            "chess. All captures are along rows and files."
        ),
        notation=ALGEBRAIC,
        rules=rule_sets.ARMENIAN,  # wikimili.com; that White begins is UNVERIFIED
        draws=THREEFOLD_ON_CLAIM,
    ),
    _GOTHIC,
    replace(
        _GOTHIC,
        key="altdeutsche",
        name="Altdeutsche Dame",
        summary=(
            "The old form of Gothic checkers: men move only diagonally forward but jump forward, "
            "diagonally forward and sideways, and you must choose the capture that takes the most "
            "pieces."
        ),
        rules=rule_sets.ALTDEUTSCHE,
    ),
    Variant(
        key="dameo",
        name="Dameo",
        summary=(
            "Eighteen men a side on a board with every square in play; White moves first. A man moves "
            "forward or diagonally forward, or over an unbroken line of its own men to the free square "
            "beyond. Kings move like queens in chess. All captures are along rows and files, and you "
            "must choose the one that takes the most pieces. A man that passes the far row while "
            "capturing is not crowned."
        ),
        board=EVERY_SQUARE_8,
        notation=ALGEBRAIC,
        start=_PYRAMIDS,
        rules=rule_sets.DAMEO,
        draws=THREEFOLD,  # Neto's collection
    ),
    Variant(
        key="alquerque",
        name="Alquerque",
        summary=(
            "Twelve men a side on the crossings of five by five lines; White moves first. Men move "
            "along the lines forward, diagonally forward and sideways, and jump in the same way; a jump "
            "can continue in any direction. Jumps are compulsory, but you may choose among them. There "
            "are no kings: on the far row a man can only jump."
        ),
        board=LINES_5,
        notation=ALGEBRAIC,
        # BK 53 shows a picture that is lost; the two nearest rows and two points to the right of the centre.
        start=Start(numbered(1, 12), numbered(14, 25), Colour.WHITE),
        rules=rule_sets.ALQUERQUE,
        draws=THREEFOLD_ON_CLAIM,
    ),
    Variant(
        key="hawaiian",
        name="Hawaiian checkers",
        summary=(
            "Konane: the board starts full. Black removes one of its own pieces from a corner or the "
            "middle of the long diagonal from a8 to h1, then White one of its own next to the gap. "
            "After that every move jumps over a neighbouring piece along a row or file, and may "
            "continue in the same line. A player who cannot jump loses."
        ),
        board=EVERY_SQUARE_8,
        notation=ALGEBRAIC,
        start=Start(_LIGHT_SQUARES, numbered(1, 64) - _LIGHT_SQUARES, Colour.BLACK),  # BK 94
        rules=rule_sets.HAWAIIAN,
        draws=NO_DRAW_RULES,  # there are fewer pieces after every move
    ),
)
