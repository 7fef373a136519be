"""Pairings of many games: pages end by the games they show, and each pairing has a page with all its own."""

from __future__ import annotations

import html
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from crownhead.server.accounts.models import User
from crownhead.server.competitions.api import tournaments as api
from crownhead.server.competitions.models import Pairing, PairingGame, Tournament
from crownhead.server.competitions.presenters import directing
from crownhead.server.competitions.presenters.rounds import LATEST_DRAWN, LATEST_GAMES
from crownhead.server.competitions.selectors import standings
from crownhead.server.competitions.views import tournaments as views
from tests.server.competitions.factories import client_of, make_running_tournament
from tests.server.play.factories import api_of

pytestmark = pytest.mark.django_db

TIED = 42  # games, as an elimination of two games and twenty replays can have


@pytest.fixture
def cup(alice: User) -> Tournament:
    """An elimination of sixteen in which each pairing of the first round has been tied very often."""
    standings.kept.clear()
    tournament, _users = make_running_tournament(alice, 16, format="single-elimination")
    PairingGame.objects.all().delete()
    PairingGame.objects.bulk_create(
        PairingGame(
            pairing=pairing,
            number=number,
            swapped=number % 2 == 0,
            game_id=f"g{pairing.pk}x{number}",
            first_points=1,
            second_points=1,
        )
        for pairing in Pairing.objects.all()
        for number in range(1, TIED + 1)
    )
    return tournament


def shown(tournament: Tournament, rest: str = "", client: Client | None = None) -> str:
    answer = (client or Client()).get(f"/tournaments/{tournament.public_id}/{rest}")
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def games_in(text: str) -> list[str]:
    return re.findall(r"/games/(g\d+x\d+)/", text)


def test_a_round_shows_the_latest_games_and_leads_to_all_of_a_pairing(cup: Tournament) -> None:
    text = shown(cup, "rounds/1/")
    assert len(games_in(text)) == 8 * LATEST_GAMES
    assert {int(key.split("x")[1]) for key in games_in(text)} == {37, 38, 39, 40, 41, 42}
    assert "Game 37: " in text
    assert re.sub(r"\s+", " ", text).count("All 42 games") == 8
    (link,) = set(re.findall(r'href="([^"]+\?table=3)"', text))
    alone = Client().get(link).content.decode()
    third = Pairing.objects.get(table=3)
    assert games_in(alone) == [f"g{third.pk}x{number}" for number in range(1, TIED + 1)]
    assert "All tables" in alone
    assert Client().get(link.replace("=3", "=9")).status_code == 404


def test_a_round_ends_its_pages_by_games_in_both_directions(
    cup: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "GAMES_PER_PAGE", 2 * LATEST_GAMES)
    query, tables, back = "", [], ""
    for _page in range(4):
        text = shown(cup, f"rounds/1/{query}")
        tables.append([int(table) for table in re.findall(r'class="place wide-only">(\d+)<', text)])
        query = (re.findall(r'href="(\?[^"]+)">Older', text) or [""])[0]
        back = (re.findall(r'href="(\?[^"]+)">Newer', text) or [""])[0]
    assert tables == [[1, 2], [3, 4], [5, 6], [7, 8]]
    assert query == ""
    assert re.findall(r'class="place wide-only">(\d+)<', shown(cup, f"rounds/1/{back}")) == ["5", "6"]


def test_the_api_ends_a_page_of_a_round_by_games_and_gives_all_of_them(cup: Tournament) -> None:
    path, cursor, found = f"/tournaments/{cup.public_id}/rounds/1", "", []
    while True:
        body = api_of().get(path, **({"cursor": cursor} if cursor else {})).json()
        found.append([len(pairing["games"]) for pairing in body["pairings"]])
        cursor = body["next"]
        if cursor is None:
            break
    assert found == [[TIED, TIED]] * 4
    assert sum(found[0]) <= api.MOST_GAMES


def test_of_what_a_page_does_not_show_no_game_is_read(cup: Tournament) -> None:
    with CaptureQueriesContext(connection) as asked:
        api_of().get(f"/tournaments/{cup.public_id}/rounds/1")
    (games,) = (
        query["sql"] for query in asked if query["sql"].startswith('SELECT "competitions_pairinggame"')
    )
    first = Pairing.objects.filter(table__lte=2).order_by("table").values_list("pk", flat=True)
    assert f"IN ({', '.join(map(str, first))})" in games


def test_a_bracket_draws_the_latest_games(cup: Tournament) -> None:
    text = shown(cup, "?x=1")
    assert len(games_in(text)) == 8 * LATEST_DRAWN
    assert len(re.findall(r'href="[^"]+/rounds/1/\?table=\d"', text)) == 8


def test_games_count_for_what_is_kept_and_for_what_is_small(cup: Tournament) -> None:
    kept = standings._read(cup)  # noqa: SLF001
    assert kept.size == 8 * TIED
    assert kept.standing.weight == 8 * TIED + 16


def test_directors_choose_among_the_latest_games(cup: Tournament, alice: User) -> None:
    PairingGame.objects.filter(number=1).update(first_points=None, second_points=None)
    text = shown(cup, "direct/", client_of(alice))
    numbers = [int(number) for number in re.findall(r'<option value="g\d+x(\d+)"', text)]
    assert numbers == [1, 37, 38, 39, 40, 41, 42] * 8
    assert "game 42" in text


def test_directors_choose_among_so_many_games(
    cup: Tournament, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(directing, "MAX_GAMES", 20)
    text = shown(cup, "direct/", client_of(alice))
    assert len(re.findall(r'<option value="g\d+x', text)) == 3 * directing.LATEST_GAMES
