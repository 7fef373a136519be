"""What is in the waiting room, and who sees it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from crownhead.server.accounts.models import User
from crownhead.server.lobby import selectors, services
from crownhead.server.play.games.options import LiveClock
from crownhead.server.ratings.models import PlayerRating
from tests.server.conftest import PASSWORD, Api
from tests.server.play.factories import DAY, NOW, api_of, make_offer, slug

pytestmark = pytest.mark.django_db


def _shown(door: Api, query: str = "") -> dict[str, Any]:
    answer = door.get(f"/waiting-room{query}")
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = json.loads(answer.content)
    return body


def test_everybody_sees_the_open_games_newest_first(alice: User, bob: User) -> None:
    old, new = make_offer(alice, now=NOW - DAY), make_offer(bob)
    for user in (None, alice, bob):
        assert [game["id"] for game in _shown(api_of(user))["items"]] == [new.public_id, old.public_id]


def test_taken_withdrawn_and_expired_games_are_gone(alice: User, bob: User) -> None:
    taken, withdrawn = make_offer(alice), make_offer(alice)
    make_offer(alice, now=NOW - 14 * DAY)
    services.join_game(user=bob, game_id=taken.public_id, now=NOW)
    services.withdraw_game(user=alice, game_id=withdrawn.public_id, now=NOW)
    assert _shown(api_of())["items"] == []


def test_an_open_game_tells_its_terms_and_who_offers_it(alice: User) -> None:
    make_offer(alice, colour="random", variant="anti", days_per_move=7, draw_rules="itsyourturn")
    game = _shown(api_of())["items"][0]
    assert (game["variant"], game["days_per_move"], game["draw_rules"]) == ("anti", 7, "itsyourturn")
    assert game["creator"] == {"username": "alice"}
    assert game["players"] == {"first": None, "second": None}
    assert game["expires_at"] == "2026-03-15T12:00:00Z"


def test_the_waiting_room_is_filtered_by_variant(alice: User) -> None:
    make_offer(alice)
    anti = make_offer(alice, variant="anti")
    assert [game["id"] for game in _shown(api_of(), "?variant=anti")["items"]] == [anti.public_id]
    answer = api_of().get("/waiting-room?variant=chess")
    assert (answer.status_code, slug(answer)) == (422, "unprocessable")


def test_the_waiting_room_is_paginated(alice: User) -> None:
    names = [make_offer(alice).public_id for _ in range(5)][::-1]
    first = _shown(api_of(), "?limit=3")
    rest = _shown(api_of(), f"?limit=3&cursor={first['next']}")
    assert [game["id"] for game in first["items"] + rest["items"]] == names
    assert rest["next"] is None


def test_the_waiting_room_costs_one_query(alice: User, bob: User, django_assert_num_queries: Any) -> None:
    for user in (alice, bob, alice):
        make_offer(user)
    with django_assert_num_queries(1):
        room = selectors.waiting_room(viewer=None, now=NOW)
        assert {game.creator.username for game in room} == {"alice", "bob"}


def test_the_waiting_room_is_filtered_by_pace_rating_and_eligibility(
    alice: User, bob: User, client: Client
) -> None:
    live = make_offer(alice, days_per_move=None, clock=LiveClock(initial=60))
    rated = make_offer(alice, rated=True)
    strong = make_offer(alice, variant="russian", min_rating=1600)
    mine = make_offer(bob)

    def found(**query: Any) -> set[str]:
        answer = api_of(bob).get("/waiting-room", **query)
        assert answer.status_code == 200, answer.content
        return {row["id"] for row in answer.json()["items"]}

    assert found(pace="live") == {live.public_id}
    assert found(rated="true") == {rated.public_id}
    assert found(rated="false", pace="days") == {strong.public_id, mine.public_id}
    assert found(suits="1") == {live.public_id, rated.public_id}
    client.login(username="bob", password=PASSWORD)
    page = client.get("/waiting-room/", {"suits": "1"}).content.decode()
    assert rated.public_id in page
    assert strong.public_id not in page
    assert 'value="1" selected>Games I can join' in page


def test_the_strongest_opponents_can_come_first(
    alice: User, bob: User, charlie: User, client: Client
) -> None:
    for user, points in ((alice, 1700), (bob, 1400)):
        PlayerRating.objects.create(
            user=user,
            variant="american",
            value=points,
            points=points,
            deviation=60,
            volatility=0.06,
            games=1,
            won=1,
        )
    weak, strong, unrated = make_offer(bob), make_offer(alice), make_offer(charlie)
    page = client.get("/waiting-room/", {"order": "strong"}).content.decode()
    places = [page.index(f"/games/{game.public_id}/") for game in (strong, unrated, weak)]
    assert places == sorted(places)


@pytest.mark.parametrize("query", ["order=strong", "order=quick", "rated=no"])
def test_what_has_to_be_sorted_is_sorted_without_its_rows(alice: User, client: Client, query: str) -> None:
    offers = [make_offer(alice).public_id for _ in range(3)]
    with CaptureQueriesContext(connection) as queries:
        page = client.get(f"/waiting-room/?{query}").content.decode()
    places = [page.index(f"/games/{name}/") for name in offers]
    assert places == sorted(places, reverse=True)
    (sorting,) = [row["sql"] for row in queries if "LIMIT 1000" in row["sql"] and "U0" in row["sql"]]
    columns = ", ".join(f'"play_game"."{name}"' for name in ("id", "variant", "created_at"))
    assert sorting.startswith(f'SELECT {columns} FROM "play_game" WHERE')
