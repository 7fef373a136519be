"""The ten levels: each is stronger than those below, and a child beats the first."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from crownhead import Game, Move, Piece, Position, engine
from crownhead.engine.engine import Engine
from crownhead.engine.levels import LEVELS, choose, level_in, level_of
from crownhead.rules import PieceKind

PLIES = 160  # a game that lasts longer is a draw
Player = Callable[[Game], Move]


def at_level(number: int, dice: random.Random, variant: str = "american") -> Player:
    """Plays as the level usually does: it gets no game, so it has no form."""
    engine = Engine(variant, megabytes=4)
    return lambda game: choose(engine, game.position, level=number, dice=dice)


def a_child(dice: random.Random) -> Player:
    """A search of two plies with a count of the pieces."""

    def material(position: Position, mover: Position) -> int:
        def of(piece: Piece) -> int:
            return (3 if piece.kind is PieceKind.KING else 1) * (1 if piece.colour is mover.turn else -1)

        return sum(map(of, position.pieces.values()))

    def play(game: Game) -> Move:
        here, found = game.position, []
        for move in here.legal_moves():
            after = here.play(move)
            answers = [material(after.play(answer), here) for answer in after.legal_moves()]
            found.append((min(answers, default=99) + dice.random() / 2, move.path, move))
        return max(found)[2]

    return play


def score(one: Player, two: Player, games: int, variant: str = "american") -> float:
    """The score of the first player, the first move alternating."""
    points = 0.0
    for number in range(games):
        game, players = Game(variant), (one, two) if number % 2 == 0 else (two, one)
        while game.outcome() is None and len(game.moves) < PLIES:
            game.push(players[len(game.moves) % 2](game))
        outcome = game.outcome()
        if outcome is None or outcome.winner is None:
            points += 0.5
        else:
            points += (outcome.winner is game.variant.start.first) == (number % 2 == 0)
    return points / games


@pytest.mark.parametrize("level", [3, 4, 5, 6])
def test_a_level_beats_the_one_two_below(level: int) -> None:
    dice = random.Random(level)
    assert score(at_level(level, dice), at_level(level - 2, dice), games=10) >= 0.7


@pytest.mark.slow
@pytest.mark.parametrize("level", [7, *(pytest.param(level, marks=pytest.mark.nightly) for level in (8, 9))])
def test_a_high_level_beats_the_one_two_below(level: int) -> None:
    dice = random.Random(level)
    assert score(at_level(level, dice), at_level(level - 2, dice), games=8) >= 0.6


@pytest.mark.parametrize("variant", ["international", "anti", "turkish", "breakthrough"])
def test_levels_rise_in_variants_of_every_kind(variant: str) -> None:
    dice = random.Random(1)
    assert score(at_level(5, dice, variant), at_level(2, dice, variant), games=6, variant=variant) > 0.6


def test_a_child_beats_the_first_level() -> None:
    dice = random.Random(7)
    assert score(a_child(dice), at_level(1, dice), games=10) >= 0.7


@pytest.mark.parametrize("level", range(1, 10))
def test_the_same_dice_make_the_same_moves(level: int) -> None:
    def moves() -> list[Move]:
        play, game = at_level(level, random.Random(level)), Game()
        for _ in range(6):
            game.push(play(game))
        return list(game.moves)

    assert moves() == moves()


def test_without_dice_the_position_decides() -> None:
    assert engine.play(Position.start("american"), level=3) == engine.play(
        Position.start("american"), level=3
    )


@pytest.mark.parametrize("level", range(6, 11))
def test_a_high_level_takes_the_win_that_is_there(level: int) -> None:
    position = Position.from_fen("W:WK27:B28")  # 27-32 shuts the man in; any other move lets it go
    for seed in range(5):
        dice = random.Random(seed)
        move = choose(Engine(megabytes=1), position, level=level, dice=dice, seconds=0.1)
        assert position.notation(move) == "27-32"


@pytest.mark.parametrize("level", range(1, 11))
def test_a_level_makes_the_only_move_there_is(level: int) -> None:
    position = Position.from_fen("W:W18:B15,8")
    assert engine.play(position, level=level) in position.legal_moves()


def test_a_level_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="from 1 to 10, got 11"):
        level_of(11)
    with pytest.raises(ValueError, match="a level or a depth"):
        engine.play(Position.start("american"), level=1, depth=3)


def test_where_the_game_is_over_no_level_moves() -> None:
    with pytest.raises(ValueError, match="where the game is over"):
        engine.play(Position.from_fen("W:W12:B8,3"), level=1)


def a_game(seed: int, plies: int = 8) -> Game:
    """A game that has begun at random."""
    game, dice = Game(), random.Random(seed)
    for _ in range(plies):
        game.push(dice.choice(game.position.legal_moves()))
    return game


@pytest.mark.parametrize("level", range(2, 10))
def test_a_level_has_good_and_bad_days_equally_often(level: int) -> None:
    forms = [level_in(a_game(seed), level).number - level for seed in range(630)]
    most = min(level - 1, 10 - level, 2)  # as many above as below
    shares = {form: (6, 4, 1)[abs(form)] for form in range(-most, most + 1)}
    assert set(forms) == set(shares)
    for form, share in shares.items():
        expected = len(forms) * share / sum(shares.values())
        assert abs(forms.count(form) - expected) <= 4 * expected**0.5


def test_the_form_stays_throughout_a_game_and_is_the_sides_own() -> None:
    forms = []
    for seed in range(60):
        game = a_game(seed)
        first = level_in(game, 5)
        game.push(game.position.legal_moves()[0])
        second = level_in(game, 5)
        game.push(game.position.legal_moves()[-1])
        assert level_in(game, 5) is first
        forms.append(first is second)
    assert True in forms
    assert False in forms


@pytest.mark.parametrize("level", [1, 10])
def test_the_lowest_and_the_highest_level_are_always_themselves(level: int) -> None:
    assert {level_in(a_game(seed), level).number for seed in range(40)} == {level}


def test_for_a_position_alone_a_level_is_itself() -> None:
    assert {level_in(a_game(seed).position, 5).number for seed in range(40)} == {5}


def test_the_levels_are_numbered_in_order() -> None:
    assert [level.number for level in LEVELS] == list(range(1, 11))
