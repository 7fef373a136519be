"""Games on which the readings of a draw article differ end where its text says: ``suites/draws``."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from crownhead import VARIANTS, Game, Outcome, Termination
from tests.rules.suites import SUITES

ROWS = [json.loads(line) for line in (SUITES / "draws" / "articles.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    "row", ROWS, ids=[f"{row['variant']}, {row['reading']}, {row['fen']}" for row in ROWS]
)
def test_a_game_is_drawn_where_the_text_of_the_article_says(row: dict[str, Any]) -> None:
    full = VARIANTS[row["variant"]].draws
    rules = replace(full, rules=tuple(rule for rule in full.rules if rule.article in row["articles"]))
    assert {rule.article for rule in rules.rules} == set(row["articles"])
    game = Game(row["variant"], start=row["fen"], draw_rules=rules)
    for text in row["moves"].split():
        assert game.outcome() is None
        (move,) = game.position.find([int(square) for square in re.split("[-x]", text)])
        game.push(move)
    assert game.outcome() == Outcome(None, Termination.NO_PROGRESS)
    assert len(game.moves) == row["drawn_after"]
