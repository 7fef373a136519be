"""The page of vacation, and finished games by filters."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.play.draws.services import resign
from crownhead.server.play.models import Vacation
from tests.server.play.factories import NOW, make_game, play_moves

pytestmark = pytest.mark.django_db


def _client(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_a_vacation_is_set_and_called_off_on_its_page(alice: User) -> None:
    client = _client(alice)
    assert "240 of 240 hours" in client.get("/vacation/").content.decode()
    client.post("/vacation/", {"begins": "2026-03-02T10:00", "ends": "2026-03-03T10:00"})
    row = Vacation.objects.get()
    page = client.get("/vacation/").content.decode()
    assert "216 of 240 hours" in page
    assert "2 Mar 2026, 10:00" in page
    for wrong in ({"begins": "soon", "ends": ""}, {"begins": "2026-03-02T10:30", "ends": "2026-03-04T10:00"}):
        client.post("/vacation/", wrong)
    assert Vacation.objects.count() == 1
    client.post("/vacation/", {"cancel": str(row.pk)})
    assert not Vacation.objects.exists()
    assert Client().get("/vacation/").status_code == 302


def test_finished_games_are_filtered_and_downloaded(alice: User, bob: User, charlie: User) -> None:
    moves = ("11-15", "22-18", "15x22", "25x18")
    won, lost = (
        play_moves(make_game(alice, bob), *moves),
        play_moves(make_game(alice, charlie, variant="anti"), *moves),
    )
    resign(user=bob, game_id=won.public_id, now=NOW)
    resign(user=alice, game_id=lost.public_id, now=NOW)
    client = _client(alice)
    for query, wanted in (
        ("", {won, lost}),
        ("?result=won", {won}),
        ("?variant=anti&opponent=charlie", {lost}),
        ("?since=2026-03-02", set()),
        ("?result=nonsense&since=yesterday&variant=chess", {won, lost}),
    ):
        page = client.get(f"/games/finished/{query}").content.decode()
        assert {game for game in (won, lost) if game.public_id in page} == wanted
        file = client.get(f"/games/finished/all.pdn{query}")
        assert file.getvalue().decode().count("[Event ") == len(wanted)
        assert "attachment" in file.headers["Content-Disposition"]
        assert file.headers["Content-Type"] == "application/x-draughts-pdn; charset=utf-8"


def test_one_tap_leads_to_the_next_game_that_waits(alice: User, bob: User) -> None:
    later, sooner = make_game(alice, bob, days_per_move=5), make_game(alice, bob, days_per_move=2)
    assert "/accounts/login/" in Client().get("/games/next/").headers["Location"]
    client = _client(alice)
    assert client.get("/games/next/").headers["Location"] == f"/games/{sooner.public_id}/"
    after = client.get("/games/next/", {"after": sooner.public_id})
    assert after.headers["Location"] == f"/games/{later.public_id}/"
    play_moves(sooner, "11-15")
    page = client.get(f"/games/{sooner.public_id}/").content.decode()
    assert _is_hidden(page, f"/games/next/?after={sooner.public_id}") is False
    play_moves(later, "11-15")
    assert client.get("/games/next/").headers["Location"] == "/"
    page = client.get(f"/games/{sooner.public_id}/").content.decode()
    assert _is_hidden(page, f"/games/next/?after={sooner.public_id}") is True


def _is_hidden(page: str, address: str) -> bool:
    """Whether the one link to an address waits for a script to show it."""
    (attributes,) = re.findall(rf'<a [^>]*href="{re.escape(address)}"([^>]*)>', page)
    return "hidden" in attributes.split()
