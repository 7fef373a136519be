"""Draws by remaining material, article by article."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crownhead import VARIANTS, Game, Outcome, Termination
from crownhead.rules.schema import DrawRules, RepetitionDraw

DRAWN = Outcome(None, Termination.NO_PROGRESS)


def by(variant: str, *articles: str) -> DrawRules:
    """The rules of the variant's federation that have these articles."""
    rules = tuple(rule for rule in VARIANTS[variant].draws.rules if rule.article in articles)
    assert {rule.article for rule in rules} == set(articles)
    return replace(VARIANTS[variant].draws, rules=rules)


def plies_until_drawn(game: Game, *between: tuple[int, int], most: int = 200) -> int:
    """How many plies kings must go to and fro ``between`` pairs of squares until the game is drawn."""
    other = {one: two for pair in between for one, two in (pair, pair[::-1])}
    for plies in range(most):
        if game.outcome() == DRAWN or game.claimable_draws():
            return plies
        here = game.position
        own = here.black_kings if here.black_to_move else here.white_kings
        king = next(square for square in own if square in other)
        (move,) = here.find((king, other[king]))
        game.push(move)
    return most


# --------------------------------------------------------------------------------------- FMJD
@pytest.mark.parametrize("strong", ["K47,K48,K50", "K47,K50,36", "K50,36,26"])
def test_three_pieces_with_a_king_have_sixteen_moves_against_one_king(strong: str) -> None:
    game = Game("international", start=f"W:W{strong}:BK5", draw_rules=by("international", "FMJD 6.3"))
    assert plies_until_drawn(game, (50, 45), (5, 10)) == 32


@pytest.mark.parametrize("strong", ["K50,K47", "K50,36", "K50"])
def test_two_pieces_or_one_have_five_moves_against_one_king(strong: str) -> None:
    game = Game("international", start=f"W:W{strong}:BK5", draw_rules=by("international", "FMJD 6.4"))
    assert plies_until_drawn(game, (50, 45), (5, 10)) == 10


def test_it_is_the_same_when_black_is_the_stronger() -> None:
    game = Game("international", start="B:WK46:BK1,K2,15", draw_rules=by("international", "FMJD 6.3"))
    assert plies_until_drawn(game, (46, 41), (1, 6)) == 32


def test_a_crowning_gives_three_pieces_sixteen_moves_again() -> None:
    game = Game("international", start="W:WK50,6,36:BK5", draw_rules=by("international", "FMJD 6.3"))
    assert plies_until_drawn(game, (50, 45), (5, 10), most=20) == 20
    game.push("6-1")
    assert plies_until_drawn(game, (50, 45), (5, 10)) == 32


def test_a_crowning_gives_two_pieces_no_more_than_their_five_moves() -> None:
    game = Game("international", start="W:WK50,6:BK5", draw_rules=by("international", "FMJD 6.4"))
    assert plies_until_drawn(game, (50, 45), (5, 10), most=4) == 4
    game.push("6-1")
    assert plies_until_drawn(game, (50, 45), (5, 10)) == 5


def test_a_capture_that_brings_the_forces_about_begins_the_count() -> None:
    start = "B:WK50,K47,36:BK5,31"
    game = Game("international", start=start, draw_rules=by("international", "FMJD 6.3"))
    assert plies_until_drawn(game, (50, 45), (5, 10), most=1) == 1
    game.push("36x27")
    assert plies_until_drawn(game, (50, 45), (5, 10)) == 32


# ------------------------------------------------------------------------------------ FMJD-64
@pytest.mark.parametrize("variant", ["russian", "brazilian"])
def test_three_kings_or_more_have_fifteen_moves_against_one(variant: str) -> None:
    rules = by(variant, "FMJD-64 7.2.4")
    for kings in ("K32,K31,K21", "K32,K31,K21,K13"):
        game = Game(variant, start=f"W:W{kings}:BK1", draw_rules=rules)
        assert plies_until_drawn(game, (32, 28), (1, 5)) == 30
    other = Game(variant, start="W:WK32,K31,13:BK1", draw_rules=rules)
    assert plies_until_drawn(other, (32, 28), (1, 5)) == 200


@pytest.mark.parametrize(
    ("white", "moves_each"),
    [("K32,K31", None), ("K32,K31,13", 30), ("K32,K31,13,21", 30), ("K32,K31,13,21,30", 60)],
)
def test_a_balance_that_does_not_change_is_a_draw_by_the_number_of_pieces(
    white: str, moves_each: int | None
) -> None:
    game = Game("russian", start=f"W:W{white}:BK1", draw_rules=by("russian", "FMJD-64 7.2.6"))
    expected = 200 if moves_each is None else 2 * moves_each
    assert plies_until_drawn(game, (32, 28), (1, 5)) == expected


@pytest.mark.parametrize("strong", ["K1,K2,K3", "K1,K2,20", "K1,12,20"])
def test_three_pieces_have_five_moves_against_a_king_on_the_main_road(strong: str) -> None:
    rules = by("russian", "FMJD-64 7.2.7")
    on_the_road = Game("russian", start=f"B:WK29:B{strong}", draw_rules=rules)
    assert plies_until_drawn(on_the_road, (1, 5), (29, 25)) == 10
    beside_it = Game("russian", start=f"B:WK32:B{strong}", draw_rules=rules)
    assert plies_until_drawn(beside_it, (1, 5), (32, 28)) == 200


def test_the_count_begins_when_the_king_steps_onto_the_main_road() -> None:
    rules = by("russian", "FMJD-64 7.2.7")
    game = Game("russian", start="W:WK30:BK1,K2,K3", draw_rules=rules)
    game.push("c1-b2")
    assert plies_until_drawn(game, (1, 5), (25, 29)) == 10


@pytest.mark.parametrize("strong", ["K32,K31", "K32,13", "K32"])
def test_two_pieces_or_fewer_have_five_moves_against_a_lone_king(strong: str) -> None:
    game = Game("brazilian", start=f"W:W{strong}:BK1", draw_rules=by("brazilian", "FMJD-64 7.2.8"))
    assert plies_until_drawn(game, (32, 28), (1, 5)) == 10


def test_a_board_that_is_no_square_has_no_main_road_and_no_draw_upon_it() -> None:
    articles = {rule.article for rule in VARIANTS["spantsiretti"].draws.rules}
    assert articles == {rule.article for rule in VARIANTS["russian"].draws.rules} - {"FMJD-64 7.2.7"}


@pytest.mark.parametrize(
    ("article", "white", "moves_each"),
    [
        ("FMJD-64 7.2.4", "K40,K38,K36", 15),
        ("FMJD-64 7.2.6", "K40,K38,15", 30),
        ("FMJD-64 7.2.8", "K40,K38", 5),
    ],
)
def test_the_other_articles_hold_on_ten_files_too(article: str, white: str, moves_each: int) -> None:
    rules = by("spantsiretti", article)
    game = Game("spantsiretti", start=f"W:W{white}:BK1", draw_rules=rules)
    assert plies_until_drawn(game, (40, 35), (1, 6)) == 2 * moves_each


# ---------------------------------------------------------------------------------- the others
def test_three_kings_have_thirteen_moves_against_one_in_pool_checkers() -> None:
    rules = by("pool", "APCA playing rules")
    game = Game("pool", start="W:WK32,K31,K21:BK1", draw_rules=rules)
    assert plies_until_drawn(game, (32, 28), (1, 5)) == 26
    assert game.outcome() is None
    assert game.claim_draw() == DRAWN


def test_three_kings_have_sixteen_moves_against_one_in_canadian_draughts() -> None:
    rules = VARIANTS["canadian"].draws
    counted = replace(rules, rules=tuple(r for r in rules.rules if not isinstance(r, RepetitionDraw)))
    game = Game("canadian", start="W:WK72,K70,K69:BK1", draw_rules=counted)
    assert plies_until_drawn(game, (72, 66), (1, 7)) == 32


def test_taking_back_a_move_takes_back_the_draw() -> None:
    game = Game("international", start="W:WK50:BK5", draw_rules=by("international", "FMJD 6.4"))
    assert plies_until_drawn(game, (50, 45), (5, 10)) == 10
    game.pop()
    assert game.outcome() is None
