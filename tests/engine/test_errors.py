"""What the engine and the openings refuse is caught by ``CrownheadError``, and so by ``ValueError``."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from crownhead import CrownheadError, Position, engine, openings
from crownhead.engine import BadTable, Clock, Engine, EngineError
from crownhead.engine.hub.level import level_of
from crownhead.engine.hub.settings import Settings
from crownhead.engine.tables import Tables, build, project, verify
from crownhead.engine.tuning import Plan, begin
from tests.house.tree import files, name

OVER = Position.from_fen("B:WK10,K11:B")
OTHER = Position.start("russian")
REFUSED: dict[str, Callable[[], object]] = {
    "no memory": lambda: Engine(megabytes=0),
    "weights of another size": lambda: Engine(megabytes=1, weights=b"1234"),
    "an unknown margin": lambda: Engine(megabytes=1, margins={"speed": 1}),
    "no depth": lambda: engine.analyse(Position.start(), depth=0),
    "another variant": lambda: Engine(megabytes=1).analyse(OTHER),
    "the game is over": lambda: engine.play(OVER, depth=1),
    "a level of a game that is over": lambda: engine.play(OVER, level=1),
    "an unknown level": lambda: engine.play(Position.start(), level=11),
    "a level and a depth": lambda: engine.play(Position.start(), level=1, depth=1),
    "a clock that ran backward": lambda: Clock(-1),
    "a tuning of nothing known": lambda: begin(Plan(("american",), ("speed",), 1, 1, 1)),
    "tables of one piece": lambda: build("american", 1, "unused"),
    "a projection of one piece": lambda: project("american", 1, "unused"),
    "a check of one piece": lambda: verify("american", 1, "unused"),
    "a position of other tables": lambda: Tables.shipped("american").probe(OTHER),
    "a depth of the Hub protocol": lambda: level_of({"depth": "deep"}, ponders=False),
    "a parameter of the Hub protocol": lambda: Settings().with_value("colour", "blue"),
}


@pytest.mark.parametrize("ask", REFUSED.values(), ids=REFUSED)
def test_what_the_engine_cannot_do_is_an_engine_error(ask: Callable[[], object]) -> None:
    with pytest.raises(EngineError, match="expected") as refused:
        ask()
    assert isinstance(refused.value, CrownheadError)
    assert isinstance(refused.value, ValueError)


def test_a_damaged_table_is_one_of_them(tmp_path: Path) -> None:
    build("american", 2, tmp_path)
    for file in tmp_path.rglob("*.*"):
        file.write_bytes(b"no table")
    for ask in (lambda: Tables(tmp_path, "american"), lambda: verify("american", 2, tmp_path)):
        with pytest.raises(BadTable) as refused:
            ask()
        assert isinstance(refused.value, EngineError)


def test_what_a_listener_raises_while_tables_are_built_is_its_own(tmp_path: Path) -> None:
    def stop(stage: object) -> None:
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough") as raised:
        build("american", 2, tmp_path, on_stage=stop)
    assert type(raised.value) is ValueError


def test_an_opening_that_is_unknown_is_a_key_error_too() -> None:
    with pytest.raises(openings.UnknownOpening) as refused:
        openings.three_move_deck().by_number(0)
    assert isinstance(refused.value, CrownheadError)
    assert isinstance(refused.value, KeyError)
    assert str(refused.value) == "expected a ballot from 1 to 174, got 0"


def test_no_module_of_the_library_raises_a_plain_value_error() -> None:
    """Apart from those that read messages of DamExchange: one function of theirs says what is wrong."""
    plain = {
        f"{name(path)}:{node.lineno}"
        for path in files("src/crownhead", suffixes=(".py",))
        if not _is_apart(path)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Raise)
        and isinstance(node.exc, ast.Call)
        and isinstance(node.exc.func, ast.Name)
        and node.exc.func.id == "ValueError"
    }
    assert plain == set()


def _is_apart(path: Path) -> bool:
    apart = ("src/crownhead/server/", "src/crownhead/cli/", "src/crownhead/engine/dxp/messages.py")
    return name(path).startswith(apart)
