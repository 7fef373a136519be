"""The comparison with the reference rules notices a change of any rule."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from crownhead import VARIANTS
from crownhead.rules.schema import (
    ANYWHERE,
    DIAGONALLY,
    DIAGONALLY_FORWARD,
    NOWHERE,
    Crowning,
    Landing,
    Objective,
    PieceKind,
    Priority,
    Promotion,
    Removal,
    Variant,
)
from tests.nightly.million_plies import Portion, main, play_game, play_portion
from tests.rules.side_by_side import Disagreement

MAX_GAMES = 600
CHANGED: list[tuple[str, dict[str, Any]]] = [
    ("international", {"flying_king": False}),
    ("international", {"promotion": Promotion.CONTINUE}),
    ("russian", {"promotion": Promotion.STOP}),
    ("dameo", {"man_steps": DIAGONALLY_FORWARD}),
    ("frisian", {"man_captures": DIAGONALLY}),
    ("alquerque", {"man_goes_on": None}),
    ("armenian", {"king_steps": DIAGONALLY}),
    ("frisian", {"king_captures": DIAGONALLY}),
    ("italian", {"man_captures_king": True}),
    ("turkish", {"priority": ()}),
    ("frisian", {"priority": (Priority.MAX_PIECES, Priority.WITH_KING)}),
    ("czech", {"priority": ()}),
    ("spanish", {"priority": (Priority.MAX_PIECES,)}),
    ("turkish", {"removal": Removal.AFTER_MOVE}),
    ("thai", {"landing": Landing.ANYWHERE}),
    ("killer", {"landing": Landing.ANYWHERE}),
    ("turkish", {"may_reverse": True}),
    ("corner", {"crowning": Crowning.FAR_ROW}),
    ("anti", {"objective": Objective.OPPONENT_WINS}),
    ("breakthrough", {"objective": Objective.OPPONENT_WINS}),
    ("mule", {"marked": PieceKind.PARACHUTIST}),
    ("dameo", {"lines_step": False}),
    ("alquerque", {"rests_on_far_row": False}),
    ("hawaiian", {"jumps_only": False}),
    ("frisian", {"king_run": 4}),
    ("american", {"king_captures": ANYWHERE}),
    ("american", {"king_steps": NOWHERE}),
]


def told(part: str | dict[str, Any]) -> str:
    """A variant, or the names of the rules that are changed: the same in every process."""
    return part if isinstance(part, str) else "-".join(part)


@pytest.mark.parametrize(("key", "rules"), CHANGED, ids=told)
def test_a_rule_that_is_changed_for_the_oracle_alone_is_noticed(key: str, rules: dict[str, Any]) -> None:
    row = VARIANTS[key]
    changed = replace(row, rules=replace(row.rules, **rules))
    with pytest.raises(Disagreement) as noticed:
        _play_games(changed, range(MAX_GAMES), row)
    assert "kernel:" in str(noticed.value)
    assert "oracle:" in str(noticed.value)


def test_a_portion_counts_its_plies_and_games_and_is_the_same_for_the_same_seed() -> None:
    portion = Portion("turkish", seed=7, plies=300)
    played = play_portion(portion)
    assert played.plies >= 300
    assert played.games >= 1
    assert played.faults == ()
    assert play_portion(portion) == played


def test_the_program_reports_each_variant_and_ends_well(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["--plies", "60", "--variant", "dameo", "--variant", "hawaiian", "--processes", "1"])
    report = capsys.readouterr().out
    assert status == 0
    assert "dameo" in report
    assert "hawaiian" in report
    assert "0 differ" in report


def _play_games(variant: Variant, seeds: range, row: Variant) -> None:
    for seed in seeds:
        play_game(variant, seed, row)
