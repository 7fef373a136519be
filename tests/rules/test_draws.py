"""Draws by repetition and without progress, claimed or automatic, by federation and site rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crownhead import (
    VARIANTS,
    Colour,
    CrownheadError,
    Game,
    IllegalMove,
    Outcome,
    Termination,
)
from crownhead.rules.federations import HOUSE_DRAW_RULES
from crownhead.rules.schema import DrawRules, NoProgressDraw, RepetitionDraw

TWO_KINGS = "B:WK32:BK1"
SHUTTLE = ("1-6", "32-27", "6-1", "27-32")
ITSYOURTURN, YOURTURNMYTURN = "itsyourturn", "yourturnmyturn"
REPETITION, NO_PROGRESS = Termination.REPETITION, Termination.NO_PROGRESS


def shuttle(game: Game, plies: int, *between: tuple[int, int]) -> None:
    """Kings go to and fro ``between`` pairs of squares, whichever side is to move."""
    other = {one: two for pair in between for one, two in (pair, pair[::-1])}
    for _ in range(plies):
        here = game.position
        own = here.black_kings if here.black_to_move else here.white_kings
        king = next(square for square in own if square in other)
        game.push(f"{king}-{other[king]}")


def without_repetition(variant: str, rules: str) -> DrawRules:
    """The no-progress rules of a set alone: shuttling kings repeat sooner than any counter ends."""
    full = VARIANTS[variant].draws if rules == "official" else HOUSE_DRAW_RULES[rules]
    return replace(full, rules=tuple(rule for rule in full.rules if isinstance(rule, NoProgressDraw)))


# ------------------------------------------------------------------------------------ repetition
def test_the_third_time_may_be_claimed_under_wcdf_rules() -> None:
    game = Game("american", start=TWO_KINGS)
    for text in SHUTTLE * 2:
        assert game.claimable_draws() == ()
        game.push(text)
    assert game.outcome() is None
    assert game.claimable_draws() == (REPETITION,)
    assert game.claim_draw() == Outcome(None, REPETITION)
    assert game.outcome() == Outcome(None, REPETITION)
    assert game.result == "1/2-1/2"


def test_a_repetition_not_claimed_lets_the_game_continue() -> None:
    game = Game("american", start=TWO_KINGS)
    for text in SHUTTLE * 3:
        game.push(text)
    assert game.claimable_draws() == (REPETITION,)
    game.push("1-5")
    assert game.claimable_draws() == ()


@pytest.mark.parametrize("house", [ITSYOURTURN, YOURTURNMYTURN])
def test_the_third_repetition_ends_the_game_by_itself_on_the_sites(house: str) -> None:
    game = Game("american", start=TWO_KINGS, draw_rules=house)
    for text in SHUTTLE * 2:
        assert game.outcome() is None
        game.push(text)
    assert game.outcome() == Outcome(None, REPETITION)
    with pytest.raises(IllegalMove, match="over"):
        game.push("1-6")


def test_the_third_time_ends_an_international_game_by_itself() -> None:
    game = Game("international", start="W:WK50:BK1")
    for text in ("50-45", "1-6", "45-50", "6-1") * 2:
        assert game.outcome() is None
        game.push(text)
    assert game.outcome() == Outcome(None, REPETITION)


def test_the_fourth_time_may_be_claimed_in_italian_draughts() -> None:
    game = Game("italian", start="W:WK29:BK4")
    for text in ("29-25", "4-7", "25-29", "7-4") * 3:
        assert game.claimable_draws() == ()
        game.push(text)
    assert game.claimable_draws() == (REPETITION,)


def test_the_same_pieces_with_the_other_side_to_move_are_no_repetition() -> None:
    rules = DrawRules("twice", "twice", (RepetitionDraw(2, automatic=True, article="a test"),))
    game = Game("russian", start="W:WK32:BK1", draw_rules=rules)
    three, two = ("g1-f2", "f2-e3", "e3-g1") * 2, ("b8-c7", "c7-b8") * 3
    for white, black in zip(three, two, strict=True):
        assert game.outcome() is None
        game.push(white)
        if game.position.pieces == game.start.pieces:
            assert (game.turn, game.outcome()) == (Colour.BLACK, None)
        game.push(black)
    assert game.position == game.start
    assert game.outcome() == Outcome(None, REPETITION)


# ----------------------------------------------------------------------------------- no progress
@pytest.mark.parametrize(
    ("variant", "rules", "start", "white", "black", "moves_each"),
    [
        ("american", ITSYOURTURN, "B:WK32:BK1", (32, 27), (1, 6), 50),
        ("american", YOURTURNMYTURN, "B:WK32:BK1", (32, 27), (1, 6), 25),
        ("crowded", ITSYOURTURN, "B:WK46:BK5", (46, 41), (5, 10), 50),
        ("mule", YOURTURNMYTURN, "B:WK32,M21:BK1,M12", (32, 27), (1, 6), 25),
        ("international", "official", "W:WK50:BK1", (50, 45), (1, 6), 25),
        ("russian", "official", "W:WK32:BK1", (32, 28), (1, 5), 15),
        ("brazilian", "official", "W:WK32:BK1", (32, 28), (1, 5), 15),
    ],
)
def test_so_many_moves_each_without_progress_end_the_game(
    variant: str, rules: str, start: str, white: tuple[int, int], black: tuple[int, int], moves_each: int
) -> None:
    game = Game(variant, start=start, draw_rules=without_repetition(variant, rules))
    shuttle(game, 2 * moves_each - 1, white, black)
    assert game.outcome() is None
    shuttle(game, 1, white, black)
    assert game.outcome() == Outcome(None, NO_PROGRESS)
    with pytest.raises(IllegalMove, match="over"):
        shuttle(game, 1, white, black)


@pytest.mark.parametrize(
    ("variant", "start", "white", "black"),
    [("american", TWO_KINGS, (32, 27), (1, 6)), ("italian", "W:WK29:BK4", (29, 25), (4, 7))],
)
def test_forty_moves_each_without_progress_may_be_claimed(
    variant: str, start: str, white: tuple[int, int], black: tuple[int, int]
) -> None:
    game = Game(variant, start=start, draw_rules=without_repetition(variant, "official"))
    shuttle(game, 79, white, black)
    assert game.claimable_draws() == ()
    shuttle(game, 1, white, black)
    assert game.outcome() is None
    assert game.claimable_draws() == (NO_PROGRESS,)
    assert game.claim_draw() == Outcome(None, NO_PROGRESS)


def test_an_advancing_man_is_progress_to_wcdf() -> None:
    rules = without_repetition("american", "official")
    game = Game("american", start="W:WK32,20:BK1", draw_rules=rules)
    shuttle(game, 78, (32, 27), (1, 6))
    game.push("20-16")
    shuttle(game, 79, (32, 27), (1, 6))
    assert game.claimable_draws() == ()
    shuttle(game, 1, (32, 27), (1, 6))
    assert game.claimable_draws() == (NO_PROGRESS,)


@pytest.mark.parametrize(("house", "moves_each"), [(ITSYOURTURN, 50), (YOURTURNMYTURN, 25)])
def test_an_advancing_man_is_no_progress_by_the_rules_of_the_sites(house: str, moves_each: int) -> None:
    rules = without_repetition("american", house)
    game = Game("american", start="W:WK32,20:BK1", draw_rules=rules)
    shuttle(game, 2 * moves_each - 2, (32, 27), (1, 6))
    game.push("20-16")
    assert game.outcome() is None
    shuttle(game, 1, (1, 6))
    assert game.outcome() == Outcome(None, NO_PROGRESS)


@pytest.mark.parametrize(("house", "moves_each"), [(ITSYOURTURN, 50), (YOURTURNMYTURN, 25)])
def test_a_crowned_man_is_progress_by_the_rules_of_the_sites(house: str, moves_each: int) -> None:
    rules = without_repetition("american", house)
    game = Game("american", start="W:WK32,5:BK4", draw_rules=rules)
    shuttle(game, 2 * moves_each - 2, (32, 27), (4, 8))
    game.push("5-1")
    shuttle(game, 2 * moves_each - 1, (32, 27), (4, 8))
    assert game.outcome() is None
    shuttle(game, 1, (32, 27), (4, 8))
    assert game.outcome() == Outcome(None, NO_PROGRESS)


@pytest.mark.parametrize("house", ["official", ITSYOURTURN, YOURTURNMYTURN])
def test_a_capture_is_progress_to_everybody(house: str) -> None:
    rules = without_repetition("american", house)
    (moves_each,) = [rule.moves_each for rule in rules.rules if isinstance(rule, NoProgressDraw)]
    game = Game("american", start="W:WK32,20:BK1,12", draw_rules=rules)
    shuttle(game, 2 * moves_each - 2, (32, 27), (1, 6))
    game.push("20-16")
    game.push("12x19")
    assert (game.outcome(), game.claimable_draws()) == (None, ())


def test_both_reasons_to_claim_may_stand_at_once() -> None:
    game = Game("american", start=TWO_KINGS)
    shuttle(game, 80, (32, 27), (1, 6))
    assert set(game.claimable_draws()) == {REPETITION, NO_PROGRESS}


# ------------------------------------------------------------------------- claimed, taken back
def test_there_is_no_claim_without_a_reason() -> None:
    game = Game("american")
    with pytest.raises(CrownheadError, match="draw to claim"):
        game.claim_draw()
    assert game.outcome() is None


def test_taking_back_undoes_an_automatic_draw() -> None:
    game = Game("american", start=TWO_KINGS, draw_rules=ITSYOURTURN)
    for text in SHUTTLE * 2:
        game.push(text)
    assert game.outcome() == Outcome(None, REPETITION)
    taken_back = game.pop()
    assert (taken_back.origin, taken_back.target) == (27, 32)
    assert game.outcome() is None
    game.push("27-24")
    assert game.outcome() is None


def test_taking_back_undoes_a_resignation_an_agreement_and_a_claim() -> None:
    for end in (Game.resign, Game.agree_draw, Game.claim_draw):
        game = Game("american", start=TWO_KINGS)
        for text in SHUTTLE * 2:
            game.push(text)
        end(game)
        assert game.outcome() is not None
        game.pop()
        assert game.outcome() is None


def test_taking_back_gives_the_counter_its_former_count() -> None:
    rules = without_repetition("american", "official")
    game = Game("american", start="W:WK32,20:BK1", draw_rules=rules)
    shuttle(game, 80, (32, 27), (1, 6))
    assert game.claimable_draws() == (NO_PROGRESS,)
    game.push("20-16")
    assert game.claimable_draws() == ()
    game.pop()
    assert game.claimable_draws() == (NO_PROGRESS,)


def test_unknown_draw_rules_are_refused_with_the_known_ones() -> None:
    with pytest.raises(CrownheadError, match="itsyourturn"):
        Game("american", draw_rules="chess")
