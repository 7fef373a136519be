"""Endgames that the tables know are played perfectly, in every variant, against any opponent."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from crownhead import VARIANTS, Game, Move, PieceKind, Position
from crownhead.engine import Engine
from crownhead.engine.tables import Result, Tables, Verdict, build
from tests.engine.test_tables import TABLED, random_positions

Opponent = Callable[[Game], Move]
EACH = 4  # positions of each result
PATIENCE = 60  # plies in which a drawn ending could be lost
SOME = ("american", "anti", "international", "russian", "italian", "frisian", "one-way", "breakthrough")


def kind_of(variant: str) -> tuple[object, ...]:
    """What a row of the table has in common with others, as far as tables and endgames go."""
    board, rules = VARIANTS[variant].board, VARIANTS[variant].rules
    return board.grid, rules.marked, rules.flying_king, rules.crowning, rules.objective


def others() -> list[ParameterSet]:
    """The other variants: for CI the first of each kind if its tables are small, the rest for the night."""
    seen, rows = {kind_of(key) for key in SOME}, []
    for key in TABLED:
        if key not in SOME:
            at_night = kind_of(key) in seen or VARIANTS[key].rules.marked is PieceKind.MULE
            rows.append(pytest.param(key, marks=pytest.mark.nightly if at_night else ()))
            seen.add(kind_of(key))
    return rows


def perfect(tables: Tables, dice: random.Random) -> Opponent:
    """An opponent who plays any of the best moves."""
    return lambda game: dice.choice(tables.best_moves(game.position))


def careless(dice: random.Random) -> Opponent:
    """An opponent who plays any move."""
    return lambda game: dice.choice(game.position.legal_moves())


def endgames(tables: Tables, pieces: int, each: int) -> list[tuple[Position, Verdict]]:
    """A few endgames of each result, the same every time."""
    found: dict[Result, list[tuple[Position, Verdict]]] = {result: [] for result in Result}
    for position in random_positions(tables.variant.key, pieces, 4000):
        verdict = tables.probe(position)
        if verdict is None or position.outcome() is not None:
            continue
        if len(found[verdict.result]) < each:
            found[verdict.result].append((position, verdict))
        if all(len(some) == each for some in found.values()):
            break
    return [one for some in found.values() for one in some]


def played_out(position: Position, engine: Engine, opponent: Opponent, most: int) -> Game:
    """The engine begins; no draw rule ends the game."""
    game = Game(position.variant_key, start=position, draw_rules="none")
    while game.outcome() is None and len(game.moves) < most:
        own = game.turn is position.turn
        game.push(engine.play(game, depth=2) if own else opponent(game))
    return game


def check(tables: Tables, pieces: int, each: int = EACH) -> int:
    """Play all of them out against both opponents; how many games that were."""
    engine = Engine(tables.variant, megabytes=1, weights=b"", tables=tables)
    dice = random.Random(pieces)
    games = 0
    for position, verdict in endgames(tables, pieces, each):
        for is_perfect in (True, False):
            opponent = perfect(tables, dice) if is_perfect else careless(dice)
            most = PATIENCE if verdict.plies is None else verdict.plies
            if verdict.result is Result.LOSS and not is_perfect:
                most = PATIENCE
            game = played_out(position, engine, opponent, most)
            assert_result(game, verdict, against_perfect=is_perfect)
            games += 1
    return games


def assert_result(game: Game, verdict: Verdict, *, against_perfect: bool) -> None:
    """Won in time, never worse than the tables say, and lost no sooner."""
    outcome, side = game.outcome(), game.start.turn
    winner = None if outcome is None else outcome.winner
    message = f"{game.start.fen()} {verdict}: {' '.join(game.notations())}"
    if verdict.result is Result.WIN:
        assert winner is side, message
        assert verdict.plies is None or not against_perfect or len(game.moves) == verdict.plies, message
    elif verdict.result is Result.DRAW:
        assert winner is not side.opponent, message
        assert winner is None or not against_perfect, message
    elif against_perfect:
        assert winner is side.opponent, message
        assert len(game.moves) == verdict.plies, message


def test_endgames_of_up_to_four_pieces_are_played_perfectly() -> None:
    tables = Tables.shipped("american")
    assert [check(tables, pieces, 40) for pieces in (2, 3, 4)] == [6 * 40] * 3


@pytest.mark.parametrize("variant", SOME)
def test_endgames_of_three_pieces_are_played_perfectly(variant: str, tmp_path: Path) -> None:
    build(variant, 3, tmp_path)
    assert check(Tables.open(tmp_path, variant), 3) >= 4 * EACH


@pytest.mark.slow
@pytest.mark.parametrize("variant", others())
def test_endgames_are_played_perfectly_in_the_other_variants(variant: str, tmp_path: Path) -> None:
    pieces = 4 if VARIANTS[variant].rules.marked is PieceKind.MULE else 3  # one each must be there, and a man
    build(variant, pieces, tmp_path)
    assert check(Tables.open(tmp_path, variant), pieces) >= 2 * EACH


def test_every_variant_with_tables_is_played() -> None:
    assert set(SOME) <= set(TABLED) <= set(VARIANTS)
