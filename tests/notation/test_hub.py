"""Strings of the Hub protocol: every square in order, there and back."""

from __future__ import annotations

import pytest

from crownhead import NotationError, Position
from crownhead.notation import hub


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


def test_mules_cannot_be_told() -> None:
    with pytest.raises(NotationError, match="men and kings"):
        hub.write(Position.start("mule").setup())
