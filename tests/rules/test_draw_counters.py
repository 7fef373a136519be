"""Draw counters agree with the reference rules at each ply of random king games, forward and back."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crownhead import VARIANTS, Colour, Game, PieceKind, Termination
from crownhead.rules.schema import (
    BalanceDraw,
    Crowning,
    DrawRule,
    DrawRules,
    MaterialDraw,
    NoProgressDraw,
    Progress,
    RepetitionDraw,
)
from tests.lengths import short_and_full
from tests.reference import board
from tests.reference.draws import draws_reached
from tests.reference.moves import Identity
from tests.rules.side_by_side import position_of, sane

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
        start = _arrangement(key, pieces)
        game = Game(variant, start=position_of(start), draw_rules=rules)
        seen = [_claims_and_oracle(game, start)]
        for choice in choices:
            legal = game.position.legal_moves()
            if not legal:
                break
            game.push(legal[choice % len(legal)])
            seen.append(_claims_and_oracle(game, start))
        for claims in reversed(seen[:-1]):
            game.pop()
            assert game.claimable_draws() == claims

    agree()


LAST_FORCES = {
    "six-three": MaterialDraw(
        frozenset({"KKK", "KKM", "KMM"}), frozenset({"K"}), 3, automatic=False, article="a test"
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


@pytest.mark.parametrize("examples", short_and_full(10, 100))
@pytest.mark.parametrize("rule", LAST_FORCES.values(), ids=LAST_FORCES.keys())
@pytest.mark.parametrize("key", VARIANTS)
def test_last_forces_are_counted_as_the_oracle_counts_them(key: str, rule: DrawRule, examples: int) -> None:
    variant = VARIANTS[key]
    rules = DrawRules("counting", "counting", (rule,))
    letters = st.sampled_from(["W", "B", "w", "b", "B"])
    pieces = st.dictionaries(st.integers(1, variant.board.squares), letters, min_size=2, max_size=5)

    @settings(max_examples=examples, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(pieces, st.lists(st.integers(0, 30), min_size=6, max_size=16))
    def agree(placed: dict[int, str], choices: list[int]) -> None:
        start = _arrangement(key, placed)
        game = Game(variant, start=position_of(start), draw_rules=rules)
        for choice in choices:
            legal = game.position.legal_moves()
            if not legal:
                break
            game.push(legal[choice % len(legal)])
            _claims_and_oracle(game, start)

    agree()


def _rules_for_counting(resets: frozenset[Progress]) -> DrawRules:
    counted = (
        RepetitionDraw(2, automatic=False, article="a test"),
        NoProgressDraw(3, resets, automatic=False, article="a test"),
    )
    return DrawRules("counting", "counting", counted)


def _claims_and_oracle(game: Game, start: board.Arrangement) -> tuple[Termination, ...]:
    claims = game.claimable_draws()
    if game.outcome() is None:
        moves = [Identity(m.origin, m.target, frozenset(m.captures), m.crowns) for m in game.moves]
        reached = draws_reached(start, moves, game.draw_rules.rules)
        expected = [REPETITION if isinstance(rule, RepetitionDraw) else NO_PROGRESS for rule in reached]
        assert list(claims) == list(dict.fromkeys(expected))
    return claims


def _arrangement(key: str, pieces: dict[int, str]) -> board.Arrangement:
    """The pieces ``W B w b``, capitals being kings; of the men every other one is marked where some are."""
    variant = VARIANTS[key]
    placed: dict[int, tuple[Colour, PieceKind]] = {}
    for number, letter in pieces.items():
        kind = variant.rules.marked if variant.rules.marked and number % 2 else PieceKind.MAN
        if letter.isupper() and variant.rules.crowning is not Crowning.NEVER:
            kind = PieceKind.KING
        placed[number] = (Colour.WHITE if letter in "Ww" else Colour.BLACK, kind)
    return sane(variant, Colour.BLACK, placed)
