"""American checkers and the five variants of it on ItsYourTurn."""

from __future__ import annotations

from dataclasses import replace

from crownhead.rules import rule_sets
from crownhead.rules.boards import BOARD_8, BOARD_10, TWELVE_BLACK_FIRST, numbered
from crownhead.rules.federations import WCDF
from crownhead.rules.schema import Colour, Corner, Notation, Objective, PieceKind, Start, Variant

# PDN 21,B,8,8,N1,0: 1 at the first player's lower right; algebraic a1 at that player's lower left.
_ENGLISH = Notation(21, Corner.TOP_LEFT, a1=Corner.TOP_RIGHT)
_CLUB_10 = Notation(None, Corner.TOP_LEFT, a1=Corner.TOP_RIGHT)  # 10×10 by American rules: not in PDN

_AMERICAN = Variant(
    key="american",
    name="American checkers",
    summary=(
        "Twelve men a side on the dark squares; Red, the darker side, moves first. Men move and jump "
        "diagonally forward, kings one square in all four diagonal directions. Jumps are compulsory and "
        "must be completed, but you may choose among them. A man that reaches the far row is crowned "
        "and its move ends. You lose when you have no pieces or no legal move."
    ),
    board=BOARD_8,
    notation=_ENGLISH,
    start=TWELVE_BLACK_FIRST,
    rules=rule_sets.AMERICAN,
    draws=WCDF,
    dark_name="Red",
)

AMERICAN_FAMILY = (
    _AMERICAN,
    replace(
        _AMERICAN,
        key="pro",
        name="Pro checkers",
        summary=(
            "American checkers with three-move openings: the first three moves, by red, white and red, "
            "are drawn from the deck used in tournaments and mail play. Then White moves."
        ),
        opening_plies=3,  # IYT: Pro Checkers
    ),
    replace(
        _AMERICAN,
        key="anti",
        name="Anti-checkers",
        summary=(
            "American checkers in reverse: you win when it is your turn and you have no pieces left or "
            "cannot move. Jumps are compulsory, so give your men away."
        ),
        rules=replace(rule_sets.AMERICAN, objective=Objective.MOVER_WINS),  # IYT: Anti-Checkers
    ),
    replace(
        _AMERICAN,
        key="crowded",
        name="Crowded checkers",
        summary="American checkers on a 10×10 board, with twenty men a side on four rows.",
        board=BOARD_10,
        notation=_CLUB_10,
        # IYT: 20 men; which squares is derived: the four nearest rows.
        start=Start(numbered(1, 20), numbered(31, 50), Colour.BLACK),
    ),
    replace(
        _AMERICAN,
        key="sparse",
        name="Sparse checkers",
        summary="American checkers on a 10×10 board, with fifteen men a side on three rows.",
        board=BOARD_10,
        notation=_CLUB_10,
        # IYT: 15 men; one row fewer than crowded.
        start=Start(numbered(1, 15), numbered(36, 50), Colour.BLACK),
    ),
    replace(
        _AMERICAN,
        key="mule",
        name="Mule checkers",
        summary=(
            "American checkers with eight men and four mules a side. Mules move and jump like men. You "
            "win by losing all your mules, by capturing all your opponent's regular pieces, or when one "
            "of your opponent's mules ends its move on its far row; capturing everything in one move "
            "wins too. A side that cannot move loses."
        ),
        # IYT names 8 men and 4 mules; their place on the home row is UNVERIFIED (Parton 1956).
        start=replace(TWELVE_BLACK_FIRST, marked=numbered(1, 4) | numbered(29, 32)),
        rules=replace(rule_sets.AMERICAN, marked=PieceKind.MULE),
    ),
)
