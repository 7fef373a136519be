"""What counts towards a draw, against the oracle at each ply of random king games, forward and back."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crownhead import VARIANTS, Colour, Game, Position, Termination
from crownhead.rules.schema import (
    BalanceDraw,
    DrawRule,
    DrawRules,
    MaterialDraw,
    NoProgressDraw,
    Progress,
    RepetitionDraw,
)
from tests.reference import board
from tests.reference.draws import draws_reached
from tests.reference.moves import Identity

REPETITION, NO_PROGRESS = Termination.REPETITION, Termination.NO_PROGRESS
_ANY_PROGRESS = st.sets(st.sampled_from(list(Progress)))


@pytest.mark.parametrize("key", VARIANTS)
def test_the_counters_agree_with_the_oracle_at_each_ply_forward_and_back(key: str) -> None:
    variant = VARIANTS[key]
    kings = st.dictionaries(
        st.integers(1, variant.board.squares), st.sampled_from("WBwb"), min_size=3, max_size=5
    )

    @settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(kings, _ANY_PROGRESS, st.lists(st.integers(0, 3), max_size=40))
    def agree(pieces: dict[int, str], resets: set[Progress], choices: list[int]) -> None:
        rules = _rules_for_counting(frozenset(resets))
        start = Position.from_fen(_fen(key, pieces), variant)
        game = Game(variant, start=start, draw_rules=rules)
        seen = [_claims_and_oracle(game)]
        for choice in choices:
            legal = game.position.legal_moves()
            if not legal:
                break
            game.push(legal[choice % len(legal)])
            seen.append(_claims_and_oracle(game))
        for claims in reversed(seen[:-1]):
            game.pop()
            assert game.claimable_draws() == claims

    agree()


LAST_FORCES = {
    "six-three": MaterialDraw(
        frozenset({"KKK", "KKM", "KMM"}),
        frozenset({"K"}),
        3,
        automatic=False,
        article="a test",
        resets=frozenset({Progress.CROWNING}),
    ),
    "six-four": MaterialDraw(
        frozenset({"KK", "KM", "K"}), frozenset({"K"}), 2, automatic=False, article="a test"
    ),
    "main-road": MaterialDraw(
        frozenset({"KKK", "KKM", "KMM", "KK", "K"}),
        frozenset({"K"}),
        1,
        automatic=False,
        article="a test",
        on_main_road=True,
    ),
    "balance": BalanceDraw((4, 5), 2, automatic=False, article="a test"),
}


@pytest.mark.parametrize("rule", LAST_FORCES.values(), ids=LAST_FORCES.keys())
@pytest.mark.parametrize("key", VARIANTS)
def test_last_forces_are_counted_as_the_oracle_counts_them(key: str, rule: DrawRule) -> None:
    variant = VARIANTS[key]
    rules = DrawRules("counting", "counting", (rule,))
    letters = st.sampled_from(["W", "B", "w", "b", "B"])
    pieces = st.dictionaries(st.integers(1, variant.board.squares), letters, min_size=2, max_size=5)

    @settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(pieces, st.lists(st.integers(0, 30), min_size=6, max_size=16))
    def agree(placed: dict[int, str], choices: list[int]) -> None:
        game = Game(variant, start=Position.from_fen(_fen(key, placed), variant), draw_rules=rules)
        for choice in choices:
            legal = game.position.legal_moves()
            if not legal:
                break
            game.push(legal[choice % len(legal)])
            _claims_and_oracle(game)

    agree()


def _rules_for_counting(resets: frozenset[Progress]) -> DrawRules:
    counted = (
        RepetitionDraw(2, automatic=False, article="a test"),
        NoProgressDraw(3, resets, automatic=False, article="a test"),
    )
    return DrawRules("counting", "counting", counted)


def _claims_and_oracle(game: Game) -> tuple[Termination, ...]:
    claims = game.claimable_draws()
    if game.outcome() is None:
        start = board.from_fen(game.variant, _plain(game.start))
        moves = [Identity(m.origin, m.target, frozenset(m.captures), m.crowns) for m in game.moves]
        reached = draws_reached(start, moves, game.draw_rules.rules)
        expected = [REPETITION if isinstance(rule, RepetitionDraw) else NO_PROGRESS for rule in reached]
        assert list(claims) == list(dict.fromkeys(expected))
    return claims


def _fen(key: str, pieces: dict[int, str]) -> str:
    """A FEN of the pieces ``W B w b``; those on their far row are kings, and mule games get their mules."""
    variant = VARIANTS[key]
    tokens: dict[Colour, list[str]] = {Colour.WHITE: [], Colour.BLACK: []}
    for number, letter in pieces.items():
        colour = Colour.WHITE if letter in "Ww" else Colour.BLACK
        far = board.is_far_row(variant, colour, board.cell_of(variant, number))
        plain = "M" if variant.rules.mules and number % 2 else ""
        tokens[colour].append(f"{'K' if far or letter.isupper() else plain}{number}")
    return f"B:W{','.join(tokens[Colour.WHITE])}:B{','.join(tokens[Colour.BLACK])}"


def _plain(position: Position) -> str:
    sides = []
    for letter, men, kings, mules in (
        ("W", position.white_men, position.white_kings, position.white_mules),
        ("B", position.black_men, position.black_kings, position.black_mules),
    ):
        tokens = [*map(str, men), *(f"K{king}" for king in kings), *(f"M{mule}" for mule in mules)]
        sides.append(letter + ",".join(tokens))
    return f"{position.turn.letter}:{':'.join(sides)}"
