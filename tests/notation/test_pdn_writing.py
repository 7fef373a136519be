"""Writing a game as PDN: strict grammar, escaped tags, and read back as it was."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crownhead import VARIANTS, Colour, Game, NotationError, Outcome, Position, Termination, pdn
from tests.notation.files import SAMPLE

OPENING = ("11-15", "22-18", "15x22", "25x18")


def played(*moves: str, variant: str = "american", start: str | None = None) -> Game:
    game = Game(variant, start=start)
    for move in moves:
        game.push(move)
    return game


def read_back(game: Game) -> Game:
    text = pdn.write(game)
    reader = pdn.read(io.StringIO(text))
    (again,) = reader
    assert reader.errors == []
    assert pdn.write(again) == text
    return again


def test_a_game_is_tags_then_numbered_moves_then_an_asterisk() -> None:
    game = played(*OPENING)
    game.tags |= {"White": "Wyllie, J.", "Event": "Glasgow", "Annotator": "N. N.", "Black": "Anderson, A."}
    game.resign(Colour.WHITE)
    assert game.pdn() == (
        '[Event "Glasgow"]\n'
        '[Black "Anderson, A."]\n'
        '[White "Wyllie, J."]\n'
        '[Result "1-0"]\n'
        '[GameType "21"]\n'
        '[Termination "resignation"]\n'
        '[Annotator "N. N."]\n'
        "\n"
        "1. 11-15 22-18 2. 15x22 25x18 *\n"
    )


def test_a_game_in_progress_ends_with_an_asterisk() -> None:
    assert played("11-15").pdn() == '[Result "*"]\n[GameType "21"]\n\n1. 11-15 *\n'


def test_a_game_without_moves_is_its_result() -> None:
    assert Game().pdn() == '[Result "*"]\n[GameType "21"]\n\n*\n'


def test_another_start_is_given_and_the_second_side_numbered_so() -> None:
    game = played("22-18", "15x22", start="W:W22,31,32:B15,1")
    assert '[FEN "W:W22,31,32:B1,15"]' in game.pdn()
    assert game.pdn().endswith("\n\n1... 22-18 2. 15x22 *\n")


def test_lines_have_at_most_eighty_columns() -> None:
    for game in pdn.read(SAMPLE):
        assert max(map(len, game.pdn().splitlines())) <= 80


@pytest.mark.parametrize(
    ("variant", "tags"),
    [
        ("american", '[GameType "21"]'),
        ("mule", '[GameType "21"]\n[Variant "mule"]'),
        ("anti", '[GameType "21"]\n[Variant "anti"]'),
        ("crowded", '[Variant "crowded"]'),
        ("international", '[GameType "20"]'),
        ("russian", '[GameType "25"]'),
    ],
)
def test_the_variant_is_named_where_the_game_type_does_not_tell(variant: str, tags: str) -> None:
    assert Game(variant).pdn() == f'[Result "*"]\n{tags}\n\n*\n'


@pytest.mark.parametrize(
    ("variant", "winner", "result"),
    [
        ("american", Colour.BLACK, "1-0"),
        ("american", Colour.WHITE, "0-1"),
        ("american", None, "1/2-1/2"),
        ("russian", Colour.WHITE, "1-0"),
        ("international", Colour.WHITE, "2-0"),
        ("international", Colour.BLACK, "0-2"),
        ("international", None, "1-1"),
    ],
)
def test_the_first_figure_is_the_share_of_the_side_that_begins(
    variant: str, winner: Colour | None, result: str
) -> None:
    game = Game(variant)
    game.end(Outcome(winner, Termination.UNKNOWN))
    assert f'[Result "{result}"]' in game.pdn()
    assert pdn.write(game, strict=False).endswith(f"\n{result}\n")


def test_a_game_that_both_lost_stays_so() -> None:
    text = '[Result "0-0"]\n[GameType "21"]\n\n1. 11-15 *\n'
    (game,) = pdn.read(io.StringIO(text))
    assert game.pdn() == text


def test_what_the_game_says_goes_before_its_tags() -> None:
    game = Game()
    game.tags |= {"Result": "0-1", "FEN": "W:W1:B2", "GameType": "99", "SetUp": "1", "Termination": "Normal"}
    assert game.pdn() == '[Result "*"]\n[GameType "21"]\n\n*\n'


@pytest.mark.parametrize("name", ["event", "Two words", "", 'Quote"', "1st", "Évent", "Event\n"])
def test_a_tag_that_pdn_cannot_name_is_refused(name: str) -> None:
    game = Game()
    game.tags[name] = "x"
    with pytest.raises(NotationError, match="a tag name such as 'Event'"):
        game.pdn()


def test_line_breaks_in_a_tag_become_blanks() -> None:
    game = Game()
    game.tags["Event"] = 'one\n[Result "1-0"]\r\n two\x00'
    (again,) = pdn.read(io.StringIO(game.pdn()))
    assert again.tags["Event"] == 'one [Result "1-0"] two '
    assert again.result == "*"


@pytest.mark.parametrize("termination", [item for item in Termination if item.name not in {"UNKNOWN"}])
def test_how_the_game_ended_is_read_back(termination: Termination) -> None:
    drawn = {Termination.REPETITION, Termination.NO_PROGRESS, Termination.AGREEMENT}
    outcome = Outcome(None if termination in drawn else Colour.WHITE, termination)
    game = played(*OPENING)
    game.end(outcome)
    again = read_back(game).outcome()
    assert again is not None
    assert again.winner is outcome.winner
    by_declaration = f'[Termination "{termination}"]' in game.pdn()
    assert again.termination is (termination if by_declaration else Termination.UNKNOWN)


@given(st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z"))))
def test_any_printed_value_of_a_tag_is_read_back(value: str) -> None:
    game = Game()
    game.tags["Event"] = value
    (again,) = pdn.read(io.StringIO(game.pdn()))
    assert again.tags["Event"] == value


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(VARIANTS)), st.lists(st.integers(0, 1000), max_size=80))
def test_any_game_is_read_back_as_it_was_written(variant: str, choices: list[int]) -> None:
    game = Game(variant, draw_rules="none")
    for choice in choices:
        moves = game.position.legal_moves()
        if not moves:
            break
        game.push(moves[choice % len(moves)])
    again = read_back(game)
    assert (again.variant, again.moves, again.outcome()) == (game.variant, game.moves, game.outcome())
    assert again.positions == game.positions


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(sorted(VARIANTS)), st.lists(st.integers(0, 1000), min_size=1, max_size=30), st.data())
def test_a_game_from_any_position_is_read_back(variant: str, choices: list[int], data: st.DataObject) -> None:
    positions = [Position.start(variant)]
    for choice in choices:
        moves = positions[-1].legal_moves()
        if not moves:
            break
        positions.append(positions[-1].play(moves[choice % len(moves)]))
    cut = data.draw(st.integers(0, len(positions) - 1))
    game = Game(variant, start=positions[cut], draw_rules="none")
    for before, after in zip(positions[cut:], positions[cut + 1 :], strict=False):
        game.push(next(move for move in before.legal_moves() if before.play(move) == after))
    assert read_back(game).positions == game.positions


def test_the_sample_is_written_as_it_was_read() -> None:
    for game in pdn.read(SAMPLE):
        again = read_back(game)
        assert (again.moves, again.outcome()) == (game.moves, game.outcome())
        assert again.tags == game.tags | {"GameType": "21"}


def test_written_moves_are_short() -> None:
    for game in pdn.read(SAMPLE):
        body = game.pdn().partition("\n\n")[2]
        assert re.fullmatch(r"(\d+\.|\d+[-x]\d+(x\d+)*|\*|[01]-[01]|1/2-1/2|\s)+", body)
        assert re.search(r"\d+x\d+x", body) is None
