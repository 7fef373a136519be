"""How far ahead no draw rule can end a game, by rules on the pieces that are left."""

from __future__ import annotations

import pytest

from crownhead import VARIANTS, Game
from crownhead.engine.certainty import certain_plies
from crownhead.rules.schema import DrawRules


def only(variant: str, article: str) -> DrawRules:
    rules = tuple(rule for rule in VARIANTS[variant].draws.rules if rule.article == article)
    return DrawRules("one", "one article", rules[:1])


def test_a_crowning_leaves_three_pieces_the_rest_of_their_sixteen_moves() -> None:
    game = Game("international", start="W:WK50,6,36:BK5", draw_rules=only("international", "FMJD 6.3"))
    assert certain_plies(game) == 32
    for text in ("50-45", "5-10", "45-50", "10-5"):
        game.push(text)
    assert certain_plies(game) == 28
    game.push("6-1")
    assert certain_plies(game) == 27


@pytest.mark.parametrize("position_alone", [True, False])
def test_a_rule_on_other_pieces_may_begin_to_count_at_any_time(position_alone: bool) -> None:
    game = Game("international", start="W:WK50,K47,33:BK5", draw_rules=only("international", "FMJD 6.4"))
    if position_alone:
        assert certain_plies(game.position) == 10
    else:
        assert certain_plies(game) == 10
        for text in ("50-45", "5-46", "45-50", "46-5"):
            game.push(text)
        assert certain_plies(game) == 10


def test_a_balance_is_counted_from_the_last_crowning() -> None:
    game = Game("russian", start="W:WK32,K31,6:BK4", draw_rules=only("russian", "FMJD-64 7.2.6"))
    assert certain_plies(game) == 60
    game.push("g1-f2")
    assert certain_plies(game) == 59
