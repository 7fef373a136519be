"""Calls with the wrong arguments are refused in words that tell the right ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from crownhead import CrownheadError, Game, Position

nonsense: Any = object()


@pytest.mark.parametrize("arguments", [(), ("american",), ("W:W21-32:B1-12", "american")])
def test_a_position_is_made_by_its_class_methods(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match=r"Position\.start\(variant\), Position\.from_fen"):
        Position(*arguments)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Position.from_setup(nonsense), "expected a Setup"),
        (lambda: Position.start().play(nonsense), "expected a move or its text"),
        (lambda: Position.start().notation(nonsense), "expected a move"),
        (lambda: Position.start().perft(nonsense), "expected a depth"),
        (lambda: Game().push(nonsense), "expected a move or its text"),
        (lambda: Game().end(nonsense), "expected an Outcome"),
        (lambda: Game(opening="11-15"), r"expected moves such as \('11-15', '23-19'\), got '11-15'"),
        (lambda: Game(start=nonsense), "expected a start position or its FEN"),
        (lambda: Game(draw_rules=nonsense), "expected one of the draw rules"),
    ],
)
def test_wrong_arguments_are_refused_in_words(call: Callable[[], object], message: str) -> None:
    with pytest.raises(CrownheadError, match=message):
        call()


def test_a_game_stays_as_it_was_after_a_wrong_call() -> None:
    game = Game()
    game.push("11-15")
    with pytest.raises(CrownheadError):
        game.push(nonsense)
    assert game.notations() == ("11-15",)
