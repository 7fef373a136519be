"""A game: moves pushed and taken back, endings declared, openings, and what it refuses."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest

from crownhead import (
    Colour,
    CrownheadError,
    Game,
    IllegalMove,
    NotationError,
    Outcome,
    Position,
    Termination,
    UnknownVariant,
)


def test_a_draw_may_be_agreed_at_any_time() -> None:
    game = Game("american")
    assert game.agree_draw() == Outcome(None, Termination.AGREEMENT)
    assert game.outcome() == Outcome(None, Termination.AGREEMENT)


@pytest.mark.parametrize("colour", list(Colour))
def test_either_side_may_resign_at_any_time(colour: Colour) -> None:
    game = Game("american")
    assert game.resign(colour) == Outcome(colour.opponent, Termination.RESIGNATION)
    assert game.result == {Colour.BLACK: "0-1", Colour.WHITE: "1-0"}[colour]


def test_a_game_that_is_over_takes_no_second_ending_and_no_move() -> None:
    game = Game("american")
    game.resign(Colour.WHITE)
    for end in (game.agree_draw, game.claim_draw, game.resign):
        with pytest.raises(CrownheadError):
            end()
    with pytest.raises(IllegalMove):
        game.push("11-15")
    assert game.outcome() == Outcome(Colour.BLACK, Termination.RESIGNATION)
    assert game.claimable_draws() == ()


def test_a_game_begins_at_the_start_array_with_the_side_that_begins() -> None:
    game = Game()
    assert game.variant.key == "american"
    assert game.position == game.start == Position.start("american")
    assert (game.moves, game.result, game.outcome()) == ((), "*", None)


def test_a_game_keeps_all_its_positions_and_moves() -> None:
    game = Game("american")
    pushed = [game.push(text) for text in ("11-15", "22-18", "15x22", "25x18")]
    assert game.moves == tuple(pushed)
    assert game.notations() == ("11-15", "22-18", "15x22", "25x18")
    assert len(game.positions) == 5
    assert game.positions[-1] == game.position
    replayed = game.start
    for move in game.moves:
        replayed = replayed.play(move)
    assert replayed == game.position


def test_a_refused_move_changes_nothing() -> None:
    game = Game("american")
    game.push("11-15")
    before = (game.moves, game.positions)
    for text, error in (("15-19", IllegalMove), ("nonsense", NotationError), ("11-15", IllegalMove)):
        with pytest.raises(error):
            game.push(text)
    assert (game.moves, game.positions) == before


def test_taking_back_gives_the_move_and_the_game_before_it() -> None:
    game = Game("american")
    game.push("11-15")
    before = game.position
    pushed = game.push("22-18")
    assert game.pop() == pushed
    assert game.position == before
    game.push("23-19")
    assert game.notations() == ("11-15", "23-19")


def test_moves_may_be_taken_over_from_one_who_has_played_them() -> None:
    played, taken = (
        Game("international", start="W:WK2,31:BK49,6"),
        Game("international", start="W:WK2,31:BK49,6"),
    )
    for text in ("2-7", "49-43", "7-2", "43-49") * 3:
        if played.outcome() is None:
            played.push(text)
    taken.extend(played.moves, played.positions[1:])
    for game in (played, taken):
        assert game.outcome() == Outcome(None, Termination.REPETITION)
        game.pop()
        assert game.outcome() is None
    assert (taken.positions, taken.moves) == (played.positions, played.moves)
    with pytest.raises(CrownheadError, match="a position for each of 1 moves"):
        taken.extend(played.moves[:1], ())
    taken.resign()
    with pytest.raises(CrownheadError, match="over by resignation"):
        taken.extend(played.moves[:1], played.positions[:1])


def test_there_is_nothing_to_take_back_at_the_start() -> None:
    with pytest.raises(CrownheadError, match="take back"):
        Game("american").pop()


def test_a_game_is_won_on_the_board_and_taking_back_undoes_it() -> None:
    game = Game("american", start="W:W22:B18")
    game.push("22x15")
    assert game.outcome() == Outcome(Colour.WHITE, Termination.NO_PIECES)
    assert game.result == "0-1"
    with pytest.raises(IllegalMove, match="over"):
        game.push("15-10")
    game.pop()
    assert game.outcome() is None


def test_the_result_puts_the_side_that_begins_first() -> None:
    red = Game("american", start="B:B18:W22")
    red.push("18x25")
    assert red.result == "1-0"
    white = Game("international", start="W:W28:B23")
    white.push("28x19")
    assert white.result == "1-0"


def test_a_game_may_start_from_a_position_or_a_fen_of_its_own_variant() -> None:
    fen = "W:W22:B18"
    assert Game("russian", start=fen).position == Position.from_fen(fen, "russian")
    assert Game("russian", start=Position.from_fen(fen, "russian")).variant.key == "russian"
    with pytest.raises(CrownheadError, match="russian"):
        Game("russian", start=Position.start("american"))


def test_an_opening_is_played_first_and_is_part_of_the_game() -> None:
    game = Game("pro", opening=("9-13", "22-18", "12-16"))
    assert game.turn is Colour.WHITE
    assert game.notations() == ("9-13", "22-18", "12-16")
    with pytest.raises(IllegalMove):
        Game("pro", opening=("9-13", "9-13"))


def test_an_unknown_variant_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownVariant, match=r"american, .*italian") as caught:
        Game("chess")
    assert caught.value.key == "chess"
    with pytest.raises(CrownheadError):
        Position.start("")


def test_a_game_outlives_pickling_and_copying() -> None:
    game = Game("american")
    for text in ("11-15", "22-18", "15x22"):
        game.push(text)
    for twin in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert (twin.moves, twin.positions, twin.outcome()) == (game.moves, game.positions, game.outcome())
        twin.push("25x18")
    assert len(game.moves) == 3


def test_nonsense_is_refused_by_our_own_errors() -> None:
    with pytest.raises(CrownheadError, match="the colour that resigns"):
        Game().resign("purple")  # type: ignore[arg-type]
    with pytest.raises(CrownheadError, match="a start position or its FEN"):
        Game(start=5)  # type: ignore[arg-type]
    with pytest.raises(CrownheadError, match="depth"):
        Position.start().perft(-1)


def test_an_arrangement_outlives_pickling_and_hashes_alike() -> None:
    arrangement = Position.start().setup()
    again = pickle.loads(pickle.dumps(arrangement))
    assert again == arrangement
    assert hash(again) == hash(arrangement)


# ------------------------------------------------------------------------------------- copies
@pytest.mark.parametrize("make", [Game.copy, copy.copy, copy.deepcopy])
def test_a_copy_goes_on_by_itself(make: Callable[[Game], Game]) -> None:
    game = Game("american", start="B:WK32:BK1", draw_rules="itsyourturn")
    game.tags["Event"] = "first"
    for text in ("1-6", "32-27", "6-1", "27-32"):
        game.push(text)
    twin = make(game)
    assert (twin.moves, twin.positions, twin.tags) == (game.moves, game.positions, game.tags)
    twin.tags["Event"] = "second"
    for text in ("1-6", "32-27", "6-1", "27-32"):
        twin.push(text)
    assert twin.outcome() == Outcome(None, Termination.REPETITION)
    assert (game.outcome(), len(game.moves), game.tags["Event"]) == (None, 4, "first")


def test_a_copy_keeps_how_the_game_ended_and_began() -> None:
    game = Game("american", opening=("11-15", "23-19", "8-11"))
    game.resign(Colour.WHITE)
    twin = game.copy()
    assert (twin.outcome(), twin.opening_plies) == (game.outcome(), 3)
    twin.pop()
    assert twin.outcome() is None
    assert game.outcome() is not None


def test_a_notebook_shows_the_position_with_the_last_move() -> None:
    game = Game("american")
    assert game._repr_svg_() == game.position.svg()
    move = game.push("11-15")
    assert game._repr_svg_() == game.position.svg(last_move=move)
