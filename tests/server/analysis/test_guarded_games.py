"""What it costs to compare positions with very many running games is counted."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from crownhead import Position
from crownhead.server.accounts.models import User
from crownhead.server.analysis import access
from crownhead.server.core.problems import TooMany
from tests.server.play.factories import make_game, play_moves

pytestmark = pytest.mark.django_db
ELSEWHERE = Position.from_fen("B:WK18,22,27:BK1,K6")


def test_replaying_very_many_running_games_is_counted(
    alice: User, bob: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "_FEW", 0)
    settings.LIMITS = settings.LIMITS | {"own_games": "2/h"}
    access.guarded_placements.cache_clear()
    game = make_game(alice, bob)

    for moves in (("11-15", "23-19"), ("8-11",)):
        play_moves(game, *moves)
        access.expect_no_own_game(user=alice, position=ELSEWHERE)
    with pytest.raises(TooMany):
        access.expect_no_own_game(user=alice, position=ELSEWHERE)
    access.expect_no_own_game(user=None, position=ELSEWHERE)


def test_who_has_few_games_is_not_refused(alice: User, bob: User, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"own_games": "2/h"}
    make_game(alice, bob)
    for _ in range(5):
        access.guarded_placements.cache_clear()
        access.expect_no_own_game(user=alice, position=ELSEWHERE)


def test_the_computer_moves_however_often_games_were_compared(
    alice: User, bob: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "_FEW", 0)
    settings.LIMITS = settings.LIMITS | {"own_games": "1/d"}
    make_game(alice, bob)
    for _ in range(3):
        access.guarded_placements.cache_clear()
        assert not access.is_asked_to_relay(user=alice, position=ELSEWHERE, plies=40)


def test_what_is_remembered_is_not_counted(
    alice: User, bob: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "_FEW", 0)
    settings.LIMITS = settings.LIMITS | {"own_games": "2/h"}
    access.guarded_placements.cache_clear()
    make_game(alice, bob)
    for _ in range(5):
        access.expect_no_own_game(user=alice, position=ELSEWHERE)
