"""Hub protocol strings are written and read back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crownhead import NotationError, Position
from crownhead.notation import hub
from tests.notation.play import KEYS, reached, walks


def test_the_start_of_international_draughts() -> None:
    text = "W" + "b" * 20 + "e" * 10 + "w" * 20
    assert Position.from_setup(hub.read(text)) == Position.start("international")
    assert hub.write(Position.start("international").setup()) == text


@pytest.mark.parametrize(
    ("fen", "variant"), [("B:WK1,32:BK30,2", "american"), ("W:Wa1,Kc3:Bh8,Kf6", "russian")]
)
def test_men_and_kings_come_back_the_same(fen: str, variant: str) -> None:
    setup = Position.from_fen(fen, variant).setup()
    assert hub.read(hub.write(setup), variant) == setup


@pytest.mark.parametrize("text", ["", "W", "e" * 51, "W" + "e" * 49, "W" + "e" * 49 + "x", None])
def test_other_strings_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        hub.read(text)


@settings(max_examples=60, deadline=None)
@given(walks())
def test_every_position_of_a_game_comes_back_the_same(walk: tuple[str, list[int]]) -> None:
    for position in reached(walk):
        assert hub.read(hub.write(position.setup()), walk[0]) == position.setup()


def test_marked_men_have_letters_of_their_own() -> None:
    mules = Position.from_fen("B:WM29,30:BM1,K5", "mule").setup()
    assert hub.write(mules) == "Bm" + "e" * 3 + "B" + "e" * 23 + "Mwee"
    parachutists = Position.from_fen("W:WPb8,c3:BPa1,d6", "parachute").setup()
    assert hub.write(parachutists).replace("e", "") == "WPbwp"


def test_a_marked_man_of_another_variant_is_refused_with_its_column() -> None:
    with pytest.raises(NotationError, match="'w', 'b', 'W', 'B' or 'e'") as caught:
        hub.read("Wem" + "e" * 30, "american")
    assert caught.value.column == 3


def test_king_runs_stand_behind_the_squares() -> None:
    setup = Position.from_fen("W:WK46,K36,30:BK5,15:+1+2@46", "frisian").setup()
    assert hub.write(setup).endswith("eeeWeeee+1+2@46")
    assert hub.read(hub.write(setup), "frisian") == setup


@pytest.mark.parametrize("runs", ["+", "+0", "+1+2", "+0+2@1", "+0+0"])
def test_king_runs_that_cannot_be_are_refused(runs: str) -> None:
    variant = "international" if runs == "+0+0" else "frisian"
    with pytest.raises(NotationError):
        hub.read("W" + "e" * 50 + runs, variant)


@given(st.text() | st.text("WBwbeMmPp+@01234", max_size=80), st.sampled_from(KEYS))
def test_any_text_is_read_or_refused(text: str, variant: str) -> None:
    try:
        setup = hub.read(text, variant)
    except NotationError:
        return
    assert hub.read(hub.write(setup), variant) == setup
