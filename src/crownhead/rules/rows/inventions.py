"""Variants derived from the national ones: reversed, raced, turned, or with one additional rule."""

from __future__ import annotations

from dataclasses import replace

from crownhead.rules import rule_sets
from crownhead.rules.boards import ALGEBRAIC, BOARD_8, named
from crownhead.rules.federations import NO_DRAW_RULES, THREEFOLD, THREEFOLD_ON_CLAIM
from crownhead.rules.rows.national import INTERNATIONAL, RUSSIAN
from crownhead.rules.schema import Colour, Corner, Notation, Objective, Start, Variant

_PARACHUTISTS_OF_WHITE = named("b8 d8 f8 h8", BOARD_8, ALGEBRAIC)
_PARACHUTISTS_OF_BLACK = named("a1 c1 e1 g1", BOARD_8, ALGEBRAIC)

INVENTIONS = (
    replace(
        INTERNATIONAL,
        key="antidraughts",
        name="Antidraughts",
        summary=(
            "International draughts in reverse: you win when it is your turn and you have no pieces "
            "left or cannot move."
        ),
        notation=replace(INTERNATIONAL.notation, private_game_type=98),  # lidraughts
        rules=replace(rule_sets.INTERNATIONAL, objective=Objective.MOVER_WINS),  # lidraughts
        draws=THREEFOLD,  # lidraughts
    ),
    replace(
        INTERNATIONAL,
        key="breakthrough",
        name="Breakthrough",
        summary=(
            "International draughts in which the first king wins: crown a man before your opponent "
            "does, or leave your opponent without pieces or moves."
        ),
        notation=replace(INTERNATIONAL.notation, private_game_type=96),  # lidraughts
        rules=replace(rule_sets.INTERNATIONAL, objective=Objective.FIRST_KING),  # lidraughts
        draws=NO_DRAW_RULES,  # lidraughts; men alone cannot go on for ever
    ),
    replace(
        INTERNATIONAL,
        key="killer",
        name="Killer draughts",
        summary=(
            "International draughts in which a king whose last captured piece is a king must land "
            "directly behind it, so that two kings can catch one."
        ),
        notation=Notation(None, Corner.TOP_LEFT),
        rules=rule_sets.KILLER,  # mindsports.nl
    ),
    replace(
        RUSSIAN,
        key="poddavki",
        name="Poddavki",
        summary=(
            "Russian draughts in reverse: you win when it is your turn and you have no pieces left or "
            "cannot move."
        ),
        rules=replace(rule_sets.RUSSIAN, objective=Objective.MOVER_WINS),
        draws=THREEFOLD_ON_CLAIM,
    ),
    Variant(
        key="corner",
        name="Corner checkers",
        summary=(
            "Czech draughts along the long diagonal: twelve men a side start in opposite corners, and "
            "men are crowned only on the two squares next to the far corner, a7 and b8 for White, g1 "
            "and h2 for Black."
        ),
        board=BOARD_8,
        notation=ALGEBRAIC,
        start=Start(  # derived: "diagonal draughts" of Neto's collection, which fits the corners of BK 30
            named("b8 d8 f8 a7 c7 e7 b6 d6 a5 c5 b4 a3", BOARD_8, ALGEBRAIC),
            named("c1 e1 g1 d2 f2 h2 e3 g3 f4 h4 g5 h6", BOARD_8, ALGEBRAIC),
            Colour.WHITE,
        ),
        rules=rule_sets.CORNER,
        draws=THREEFOLD_ON_CLAIM,
    ),
    Variant(
        key="one-way",
        name="One way checkers",
        summary=(
            "Czech draughts in which the men of both sides move in the same direction, up the board, "
            "and are crowned on the same row. White starts on the left, Black on the right."
        ),
        board=BOARD_8,
        notation=ALGEBRAIC,
        start=Start(  # BK 31 shows a picture that is lost; UNVERIFIED
            named("e1 e3 e5 f2 f4 f6 g1 g3 g5 h2 h4 h6", BOARD_8, ALGEBRAIC),
            named("a1 a3 a5 b2 b4 b6 c1 c3 c5 d2 d4 d6", BOARD_8, ALGEBRAIC),
            Colour.WHITE,
        ),
        rules=rule_sets.ONE_WAY,
        draws=THREEFOLD_ON_CLAIM,
    ),
    Variant(
        key="parachute",
        name="Parachute checkers",
        summary=(
            "Czech draughts with eight men and four parachutists a side. Parachutists wait on the "
            "opponent's first row. Their only move is to capture a piece on the next row, jumping "
            "backward over it; they land directly behind it as ordinary men, and the move ends."
        ),
        board=BOARD_8,
        notation=ALGEBRAIC,
        start=Start(  # BK 32
            named("b6 d6 f6 h6 a7 c7 e7 g7", BOARD_8, ALGEBRAIC) | _PARACHUTISTS_OF_BLACK,
            named("a3 c3 e3 g3 b2 d2 f2 h2", BOARD_8, ALGEBRAIC) | _PARACHUTISTS_OF_WHITE,
            Colour.WHITE,
            marked=_PARACHUTISTS_OF_BLACK | _PARACHUTISTS_OF_WHITE,
        ),
        rules=rule_sets.PARACHUTE,
        draws=THREEFOLD_ON_CLAIM,
    ),
)
