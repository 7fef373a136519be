"""Text diagrams are written and read back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crownhead import NotationError, Position
from crownhead.notation import diagram
from crownhead.notation.numberings import Numbering
from tests.notation.play import KEYS, reached, walks

MULES = Position.from_fen("B:WM29,30,K18:BM1,K5,10", "mule")


def test_the_text_diagram_shows_white_at_the_bottom_and_the_numbers_of_each_rank() -> None:
    assert str(MULES).splitlines() == [
        " 1-4      bM    .     .     .",
        " 5-8   bK    .     .     .",
        " 9-12     .     b     .     .",
        "13-16  .     .     .     .",
        "17-20     .     wK    .     .",
        "21-24  .     .     .     .",
        "25-28     .     .     .     .",
        "29-32  wM    w     .     .",
        "Black to move",
    ]


def test_the_text_diagram_names_ranks_and_files_where_squares_have_names() -> None:
    lines = str(Position.start("russian")).splitlines()
    assert lines[0] == " 8     b     b     b     b"
    assert lines[7] == " 1  w     w     w     w"
    assert lines[8] == "    a  b  c  d  e  f  g  h"
    assert lines[9] == "White to move"


@settings(max_examples=80, deadline=None)
@given(walks(), st.sampled_from(Numbering))
def test_a_text_diagram_is_read_back(walk: tuple[str, list[int]], numbering: Numbering) -> None:
    for position in reached(walk):
        text = diagram.text_diagram(position, numbering)
        assert diagram.read(text, walk[0], numbering) == position.setup()


def test_a_text_diagram_with_kings_is_read_back() -> None:
    setup = Position.from_fen("B:WK1,32:BK30,2", "american").setup()
    assert diagram.read(diagram.text_diagram(Position.from_setup(setup))) == setup


@pytest.mark.parametrize("text", ["", "8 b b b b", "x" * 5000, "\n".join(["1-4 b b b"] * 8)])
def test_what_is_no_text_diagram_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="a diagram"):
        diagram.read(text)


def test_every_square_of_a_full_board_is_drawn() -> None:
    lines = str(Position.from_fen("W:WKe4,c3:Ba7,Kh8", "turkish")).splitlines()
    assert lines[0] == " 8  .  .  .  .  .  .  .  bK"
    assert lines[1] == " 7  b  .  .  .  .  .  .  ."
    assert lines[4] == " 4  .  .  .  .  wK .  .  ."
    assert lines[8] == "    a  b  c  d  e  f  g  h"


def test_the_points_of_lines_are_drawn() -> None:
    lines = str(Position.start("alquerque")).splitlines()
    assert lines[:5] == [
        " 5  b  b  b  b  b",
        " 4  b  b  b  b  b",
        " 3  b  b  .  w  w",
        " 2  w  w  w  w  w",
        " 1  w  w  w  w  w",
    ]


def test_ranks_and_files_are_named_from_where_a1_lies() -> None:
    lines = str(Position.start("jamaican")).splitlines()
    assert lines[0] == " 1  b     b     b     b"
    assert lines[7] == " 8     w     w     w     w"
    assert lines[8] == "    a  b  c  d  e  f  g  h"


def test_parachutists_bear_their_letter() -> None:
    assert str(Position.start("parachute")).splitlines()[0] == " 8     wP    wP    wP    wP"


def test_ranks_are_labelled_in_the_numbering_asked_for() -> None:
    start = Position.start("american")
    mirrored = diagram.text_diagram(start, Numbering.MIRRORED).splitlines()
    assert mirrored[0] == "32-29     b     b     b     b"
    named = diagram.text_diagram(start, Numbering.ALGEBRAIC).splitlines()
    assert named[0] == " 1     b     b     b     b"
    assert named[8] == "    h  g  f  e  d  c  b  a"


def test_king_runs_stand_on_the_line_of_the_turn() -> None:
    position = Position.from_fen("W:WK46,K36,30:BK5,15:+1+2@46", "frisian")
    assert str(position).splitlines()[-1] == "White to move, king steps +1+2@46"


@pytest.mark.parametrize("piece", ["wM", "wP"])
def test_a_marked_man_of_another_variant_is_refused(piece: str) -> None:
    text = str(Position.from_fen("W:WK32:B1", "american")).replace("wK", piece)
    with pytest.raises(NotationError, match="expected pieces of American checkers, which has no"):
        diagram.read(text)


@given(st.text() | st.text("18-24 .bwKMP\n"), st.sampled_from(KEYS))
def test_any_text_is_read_or_refused(text: str, variant: str) -> None:
    try:
        setup = diagram.read(text, variant)
    except NotationError:
        return
    assert setup.variant_key == variant
