"""House variants in TOML files: what a table makes, and what is said about one that makes nothing."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from crownhead import VARIANTS, BadVariant, Colour, Variant
from crownhead.rules.boards import numbered
from crownhead.rules.federations import THREEFOLD, THREEFOLD_ON_CLAIM
from crownhead.rules.house import load_variants, register_files, register_named
from crownhead.rules.house_columns import DRAW_RULES
from crownhead.rules.schema import (
    DIAGONALLY_FORWARD,
    NOWHERE,
    ORTHOGONALLY,
    Board,
    Corner,
    Direction,
    Grid,
    PieceKind,
    Priority,
    Promotion,
)

HEAD = '[variants.x]\nbase = "russian"\nname = "X"\n'
RUSSIAN = VARIANTS["russian"]


def loaded(folder: Path, text: str) -> Variant:
    """The row ``x`` of a file with this text."""
    file = folder / "house.toml"
    file.write_text(text, "utf-8")
    return load_variants(file)["x"]


def test_a_table_takes_what_it_does_not_say_from_its_base(tmp_path: Path) -> None:
    row = loaded(tmp_path, HEAD + 'man_captures = ["forward-left", "forward-right"]\npromotion = "pass"\n')
    assert (row.key, row.name, row.summary) == ("x", "X", "A variant of Russian draughts.")
    assert (row.board, row.start, row.draws) == (RUSSIAN.board, RUSSIAN.start, RUSSIAN.draws)
    assert row.rules.man_captures == DIAGONALLY_FORWARD
    assert row.rules.promotion is Promotion.PASS
    assert row.rules.flying_king
    assert row.notation.algebraic
    assert row.notation.game_type is None  # that is the number of the game it is based on


def test_a_table_without_a_base_says_everything(tmp_path: Path) -> None:
    row = loaded(
        tmp_path,
        """
        [variants.x]
        name = "X"
        summary = \"\"\"
        Two
        lines.\"\"\"
        dark_name = "Red"
        board = { width = 8, height = 6, grid = "full" }
        notation = { first_square = "bottom-left", capture_sign = ":", a1 = "bottom-right" }
        start = { black = "a6 c6, 41-43", white = "1-4", first = "black", marked = "1, 2" }
        draws = "threefold"
        flying_king = false
        man_steps = ["forward", "sideways"]
        man_captures = ["orthogonally"]
        king_steps = []
        king_captures = []
        crowning = "never"
        marked = "mule"
        priority = ["most-pieces", "with-king"]
        king_run = 2
        """,
    )
    assert row.summary == "Two lines."
    assert row.dark_name == "Red"
    assert row.board == Board(8, 6, grid=Grid.FULL)
    assert (row.notation.first_square, row.notation.a1) == (Corner.BOTTOM_LEFT, Corner.BOTTOM_RIGHT)
    assert row.start.black == frozenset({41, 42, 43, 46, 48})
    assert (row.start.white, row.start.marked) == (numbered(1, 4), numbered(1, 2))
    assert row.start.first is Colour.BLACK
    assert row.draws is THREEFOLD
    assert row.rules.man_steps == {Direction.FORWARD, Direction.LEFT, Direction.RIGHT}
    assert (row.rules.man_captures, row.rules.king_steps) == (ORTHOGONALLY, NOWHERE)
    assert row.rules.marked is PieceKind.MULE
    assert row.rules.priority == (Priority.MAX_PIECES, Priority.WITH_KING)


def test_rows_of_men_fill_the_sides_nearest_to_the_players(tmp_path: Path) -> None:
    row = loaded(tmp_path, HEAD + "board = { width = 10, height = 8 }\nstart = { rows = 3 }\n")
    assert row.start == VARIANTS["spantsiretti"].start
    row = loaded(tmp_path, '[variants.x]\nbase = "american"\nname = "X"\nstart = { rows = 2 }\n')
    assert row.start.first is Colour.BLACK
    assert (row.start.black, row.start.white) == (numbered(1, 8), numbered(25, 32))


def test_a_start_may_change_one_side_alone(tmp_path: Path) -> None:
    row = loaded(tmp_path, HEAD + 'start = { white = "25-32", first = "black" }\n')
    assert (row.start.black, row.start.white) == (RUSSIAN.start.black, numbered(25, 32))
    assert row.start.first is Colour.BLACK


def test_draws_without_a_base_are_claimed(tmp_path: Path) -> None:
    text = (
        '[variants.x]\nname = "X"\nboard = {width = 8, height = 8}\nflying_king = true\nstart = {rows = 3}\n'
    )
    assert loaded(tmp_path, text).draws is THREEFOLD_ON_CLAIM
    assert {"wcdf", "fmjd", "fmjd-64", "none", "itsyourturn"} <= DRAW_RULES.keys()


def test_a_table_may_build_on_an_earlier_one(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(HEAD + 'promotion = "pass"\n[variants.y]\nbase = "x"\nname = "Y"\n', "utf-8")
    rows = load_variants(file)
    assert list(rows) == ["x", "y"]
    assert rows["y"].rules == rows["x"].rules


def test_a_file_may_begin_with_the_mark_of_a_windows_editor(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(HEAD, "utf-8-sig")
    assert list(load_variants(str(file))) == ["x"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ": expected a table such as [variants.my-draughts], got {}"),
        ("[variants", ": expected a text in TOML, got a mistake: "),
        ("x = 1", ": expected only tables such as [variants.my-draughts], got 'x'"),
        ("variants = 3", ": expected a table such as [variants.my-draughts], got 3"),
        ("[variants]\nx = 3", ", [variants.x], expected a table of columns, got 3"),
        (
            "[variants.russian]\nname = 'Mine'",
            ", [variants.russian], expected a key of its own, got 'russian', which Russian draughts has",
        ),
        (
            "[variants.X]\nbase = 'russian'\nname = 'X'",
            ", [variants.X], expected a key of at most 30 small letters, digits and hyphens "
            "such as \"my-draughts\", got 'X'",
        ),
        (
            "[variants.x]\nbase = 'rusian'",
            ', base: expected the key of a variant "russian", "frisian", …, got \'rusian\'',
        ),
        ("[variants.x]\nbase = 'russian'", ", name: expected a text, got nothing"),
        (HEAD + "summary = 3", ", summary: expected a text, got 3"),
        (HEAD + "man_capture = []", ', man_capture: expected one of the columns "man_captures", '),
        (
            HEAD + "man_captures = 'forward'",
            ', man_captures: expected a list of any of "forward-left", "forward", ',
        ),
        (HEAD + "man_captures = ['up']", ', man_captures: expected a list of "forward-left", "forward", '),
        (
            HEAD + "man_captures = ['forward-left']",
            ", [variants.x], expected the same directions to the left and to the right as man_captures, "
            'got "forward-left"',
        ),
        (HEAD + "man_goes_on = true", ', man_goes_on: expected a list of any of "forward-left", '),
        (HEAD + "flying_king = 1", ", flying_king: expected true or false, got 1"),
        (HEAD + "king_run = '3'", ", king_run: expected a whole number, got '3'"),
        (HEAD + "promotion = 'stops'", ", promotion: expected one of \"stop\", …, got 'stops'"),
        (
            HEAD + "marked = 'queen'",
            ', marked: expected one of "man", "king", "mule", "parachutist", got \'queen\'',
        ),
        (HEAD + "draws = 'never'", ', draws: expected one of "wcdf", "fmjd", '),
        (HEAD + "board = 3", ", board: expected a table such as { ... }, got 3"),
        (
            HEAD + "board = { widht = 3 }",
            ", board.widht: expected one of the columns \"width\", …, got 'widht'",
        ),
        (HEAD + "board = { width = 10 }", ", start: expected the men of both sides on a board of its own, "),
        (
            HEAD + "board = { width = 40 }\nstart = { rows = 3 }",
            ", expected 4 to 16 squares as board.width, got 40",
        ),
        (
            HEAD + "notation = { first_square = 'bottom-left' }",
            ", start: expected the men of both sides on a board of its own, ",
        ),
        (
            HEAD + "notation = { game_type = 25 }",
            ', notation.game_type: expected one of the columns "first_square", ',
        ),
        (
            "[variants.x]\nname = 'X'\nboard = { width = 8 }",
            ", board.height: expected a whole number, got nothing",
        ),
        (
            "[variants.x]\nname = 'X'\nboard = { width = 8, height = 8 }\nstart = { rows = 3 }",
            ", flying_king: expected true or false, got nothing",
        ),
        (HEAD + "start = 3", ", start: expected a table such as { rows = 3 }, got 3"),
        (HEAD + "start = { rows = 4 }", ", start.rows: expected 1 to 3 rows on a board of 8, got 4"),
        (HEAD + "start = { rows = true }", ", start.rows: expected 1 to 3 rows on a board of 8, got True"),
        (
            HEAD + "start = { rows = 2, black = '1' }",
            ", start.rows: expected rows without squares, got start.black ",
        ),
        (
            HEAD + "start = { black = 3 }",
            ', start.black: expected squares such as "1-12" or "a1 c1 e1", got 3',
        ),
        (
            HEAD + "start = { black = '1-40' }",
            ', start.black: expected squares such as "1-32" or "b8", got \'1-40\'',
        ),
        (
            HEAD + "start = { black = 'a1-c1' }",
            ', start.black: expected squares such as "1-32" or "b8", got \'a1-c1\'',
        ),
        (
            HEAD + "start = { black = '1-21' }",
            ", expected each square once in start.black and start.white, got 21 in",
        ),
        (HEAD + "start = { first = 'red' }", ', start.first: expected one of "black", "white", got \'red\''),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadVariant) as refused:
        loaded(tmp_path, text)
    assert str(refused.value).startswith(str(tmp_path / "house.toml"))
    assert message in str(refused.value)


def test_text_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadVariant, match="expected a text in TOML"):
        load_variants(file)
    with pytest.raises(OSError, match="no-file"):
        load_variants(tmp_path / "no-file.toml")


def test_files_are_registered_and_named_in_complaints(tmp_path: Path, house: None) -> None:
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    one.write_text(HEAD, "utf-8")
    two.write_text(HEAD + 'promotion = "pass"\n', "utf-8")
    register_files([one, one])
    assert VARIANTS["x"].name == "X"
    with pytest.raises(
        BadVariant, match=f"^{re.escape(str(two))}: expected a key of its own, got 'x', which X has$"
    ):
        register_files([two])
    assert VARIANTS["x"].rules == RUSSIAN.rules


def test_files_that_the_environment_names_are_read_once(tmp_path: Path, house: None) -> None:
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    one.write_text(HEAD, "utf-8")
    two.write_text(HEAD.replace("variants.x", "variants.y").replace("X", "Y"), "utf-8")
    named = f"{one}{os.pathsep}{two}"
    register_named(named, os.pathsep)
    assert {"x", "y"} <= VARIANTS.keys()
    one.unlink()
    register_named(named, os.pathsep)
    register_named("", os.pathsep)
