"""Arbitrary text is either read or rejected with one of our exceptions."""

from __future__ import annotations

import contextlib
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crownhead import VARIANTS, CrownheadError, Game, Position

KEYS = st.sampled_from(list(VARIANTS))
ANYTHING = st.text()
FEN_LIKE = st.one_of(
    st.text(alphabet="WB:?KM,-.0123456789abcdefgh x\n\"'FEN[]", max_size=60),
    st.from_regex(r"\A[WB?]:[WB]([KM]?[0-9]{1,3}(-[0-9]{1,3})?,?){0,9}(:[WB]([KM]?[0-9]{1,3},?){0,9})?\.?\Z"),
    st.from_regex(r"\A[WB]:W(K?[a-j][0-9]{1,2},?){0,9}:B(K?[a-j][0-9]{1,2},?){0,9}\Z"),
)
MOVE_LIKE = st.one_of(
    st.text(alphabet="0123456789abcdefgh-x:*!?()., ", max_size=24),
    st.from_regex(r"\A[0-9]{1,3}([-x:][0-9]{1,3}){1,14}\Z"),
    st.from_regex(r"\A[a-j][0-9]{1,2}([-x:]?[a-j][0-9]{1,2}){1,14}\Z"),
)
SOME = settings(
    max_examples=400,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    database=None,
)


def _read_fen(text: str, variant: str) -> None:
    with contextlib.suppress(CrownheadError):
        position = Position.from_fen(text, variant)
        assert Position.from_fen(position.fen(), variant) == position


def _read_move(text: str, variant: str) -> None:
    start = Position.start(variant)
    with contextlib.suppress(CrownheadError):
        assert start.parse(text) in start.legal_moves()


@SOME
@given(ANYTHING | FEN_LIKE, KEYS)
def test_any_text_as_fen_is_a_position_or_our_error(text: str, variant: str) -> None:
    _read_fen(text, variant)


@SOME
@given(ANYTHING | MOVE_LIKE, KEYS)
def test_any_text_as_a_move_is_a_legal_move_or_our_error(text: str, variant: str) -> None:
    _read_move(text, variant)


@SOME
@given(ANYTHING)
def test_any_text_as_a_variant_or_as_draw_rules_is_known_or_our_error(text: str) -> None:
    with contextlib.suppress(CrownheadError):
        Position.start(text)
    with contextlib.suppress(CrownheadError):
        Game("american", draw_rules=text)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_thousand_mutilated_fens_and_moves_end_in_no_error_but_ours(variant: str) -> None:
    chance = random.Random(variant)
    start = Position.start(variant)
    for _ in range(1_000):
        _read_fen(_mutilated(start.fen(), chance), variant)
        move = start.notation(chance.choice(start.legal_moves()))
        _read_move(_mutilated(move, chance), variant)


def _mutilated(text: str, chance: random.Random) -> str:
    """Return the text with a few characters dropped, doubled, replaced or inserted."""
    characters = list(text)
    for _ in range(chance.randint(1, 5)):
        place = chance.randrange(len(characters) + 1)
        characters[place : place + chance.randint(0, 2)] = chance.choice(_DEBRIS)
    return "".join(characters)


_DEBRIS = (
    "",
    "",
    ":",
    ",",
    "-",
    "x",
    "K",
    "M",
    "W",
    "B",
    "0",
    "99",
    "a1",
    "?",
    " ",
    "\n",
    "\0",
    "é",
    "١",
    "2-3",
)


@pytest.mark.parametrize(
    "fen",
    [
        "",
        "W",
        ":::",
        "X:W1:B2",
        "W:W0:B1",
        "W:W99:B1",
        "W:W1-:B2",
        "W:W9-3:B12",
        "W:W1-999999999999:B2",
        "W:W" + "9" * 5000 + ":B1",
        "W:W1:W2:B3",
        "W:Wz9:B1",
        "W:W١:B2",
        "W:WKK1:B2",
        "W:W-1:B2",
    ],
)
def test_a_broken_fen_is_refused_in_words_that_say_what_was_expected(fen: str) -> None:
    with pytest.raises(CrownheadError, match="expected") as caught:
        Position.from_fen(fen)
    assert len(str(caught.value)) < 600
