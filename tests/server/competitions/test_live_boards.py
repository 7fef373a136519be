"""The live boards of a tournament: its running games, at most a handful, which the page's stream follows."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs
from crownhead.server.competitions.models import Tournament
from crownhead.server.competitions.presenters import live_boards
from crownhead.server.competitions.selectors.contest_rows import key_of
from crownhead.server.competitions.selectors.standings import standing_of
from crownhead.server.core import clock
from crownhead.server.play.models import Seat
from tests.server.competitions.factories import LIVE, end, fresh, make_running_tournament, open_rows
from tests.server.competitions.test_formats import terms
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db


def page(tournament: Tournament) -> str:
    with clock.stopped(NOW):
        return Client().get(f"/tournaments/{tournament.public_id}/").content.decode()


def shown(html: str) -> list[str]:
    return re.findall(r'data-small-board="(\w+)"', html)


def test_an_arena_shows_its_running_games_with_players_and_follows_them(alice: User) -> None:
    arena, _users = make_running_tournament(alice, 4, **terms("arena"))
    running = {row.game_id for row in open_rows(arena)}

    html = page(arena)

    assert set(shown(html)) == running
    (stream,) = re.findall(r'data-stream="([^"]+)"', html)
    assert set(re.findall(r"game=(\w+)", stream)) == running | {arena.public_id}
    assert html.count('href="#piece-man" x=') == 2 * 24
    assert 'data-version="0"' in html
    assert "Watch player-" in html


def test_a_game_that_is_over_has_no_live_board(alice: User) -> None:
    cup, _users = make_running_tournament(alice, 4, game=LIVE)
    over, other = (row.game_id or "" for row in open_rows(cup))
    end(over, winner=Seat.FIRST, by=alice)
    assert shown(page(cup)) == [other]


def test_the_games_of_the_leaders_come_first(alice: User) -> None:
    arena, _users = make_running_tournament(alice, 4, **terms("arena"))
    for row in open_rows(arena):
        end(row.game_id or "", winner=Seat.FIRST, by=alice)
    for seconds in (5, 10, 15, 20):
        jobs.advance_due(NOW + timedelta(seconds=seconds))
    places = {row.player: row.place for row in standing_of(fresh(arena)).tables[0].rows}
    assert sorted(places.values()) == [1, 1, 3, 3]
    leaders, others = sorted(
        open_rows(arena),
        key=lambda row: min(places[key_of(pk)] for pk in (row.pairing.first_id, row.pairing.second_id) if pk),
    )

    assert shown(page(fresh(arena))) == [leaders.game_id, others.game_id]


def test_there_are_but_a_handful(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_boards, "MOST", 1)
    arena, _users = make_running_tournament(alice, 4, **terms("arena"))
    assert len(shown(page(arena))) == 1


def test_games_with_days_for_a_move_have_none(alice: User) -> None:
    cup, _users = make_running_tournament(alice, 4)
    assert shown(page(cup)) == []
    assert "Live boards" not in page(cup)
