"""Players over the API."""

from __future__ import annotations

from datetime import timedelta

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.accounts.preferences import services as preferences_services
from crownhead.server.accounts.services import closing
from crownhead.server.core import clock
from crownhead.server.people import api as people_api
from crownhead.server.play.api import games as games_api
from crownhead.server.play.draws.services import resign
from tests.server.conftest import Api, make_user
from tests.server.people.conftest import NOW
from tests.server.play.factories import make_game, play_moves

pytestmark = pytest.mark.django_db


def test_a_player_is_shown_with_their_results(api: Api, alice: User, bob: User) -> None:
    preferences_services.set_profile(now=NOW, user=alice, text="*I*", country="NL")
    game = play_moves(make_game(alice, bob), "11-15", "22-18", "15x22", "25x18")
    resign(user=bob, game_id=game.public_id, now=NOW)
    told = api.get("/players/Alice").json()
    assert told["username"] == "alice"
    assert (told["text"], told["country"], told["closed"]) == ("*I*", "Netherlands", False)
    assert told["results"] == [{"variant": "american", "won": 1, "drawn": 0, "lost": 0, "lost_on_time": 0}]
    assert told["avatar"] == "http://testserver/players/alice/avatar.svg"
    (row,) = api.get("/players/alice/games").json()["items"]
    assert row["id"] == game.public_id
    assert api.get("/players/alice/games", status="playing").json()["items"] == []
    assert api.get("/players/alice/games", status="lost").status_code == 422


def test_guests_read_nothing_that_is_for_members(api: Api, alice: User, bob: User) -> None:
    preferences_services.set_profile(now=NOW, user=alice, text="For us")
    preferences_services.set_preferences(user=alice, changes={"visibility": "members"})
    assert api.get("/players/alice").json()["text"] == ""
    assert api.as_(bob).get("/players/alice").json()["text"] == "For us"
    for path, refused in (
        ("/players/alice/games", 404),
        ("/games?opponent=Alice", 404),
        ("/games?opponent=alice&status=finished", 404),
        ("/players/alice/trophies", 401),
        ("/players/alice/ladders", 401),
    ):
        assert api.get(path).status_code == refused, path
        assert api.as_(bob).get(path).status_code == 200, path


def test_no_answer_tells_an_address(api: Api, alice: User, bob: User) -> None:
    for caller in (api, api.as_(bob)):
        for path in ("/players/alice", "/players?name=a", "/here"):
            assert b"club.example" not in caller.get(path).content


def test_an_unknown_name_is_a_problem_and_a_former_one_is_not(api: Api, alice: User) -> None:
    assert api.get("/players/nobody").status_code == 404
    with clock.stopped(NOW):
        closing.rename(user=alice, name="Alicia", now=NOW)
        assert api.get("/players/alice").json()["username"] == "Alicia"


def test_players_come_in_pages_by_name(api: Api, alice: User) -> None:
    for name in ("ann", "Anna", "anne"):
        make_user(name)
    first = api.get("/players", name="AN", limit=2).json()
    assert [row["username"] for row in first["items"]] == ["ann", "Anna"]
    second = api.get("/players", name="AN", limit=2, cursor=first["next"]).json()
    assert ([row["username"] for row in second["items"]], second["next"]) == (["anne"], None)
    assert api.get("/players").status_code == 422
    assert api.get("/players", name="").status_code == 422


def test_a_player_who_is_here_is_listed_the_latest_first(
    api: Api, alice: User, bob: User, charlie: User
) -> None:
    for person, minutes in ((alice, 3), (bob, 1), (charlie, 5)):
        User.objects.filter(pk=person.pk).update(last_seen_at=NOW - timedelta(minutes=minutes))
    with clock.stopped(NOW):
        rows = api.get("/here").json()["items"]
        assert [row["username"] for row in rows] == ["bob", "alice"]
        first = api.get("/here", limit=1).json()
        rest = api.get("/here", limit=1, cursor=first["next"]).json()
    assert [row["username"] for row in rest["items"]] == ["alice"]


def test_a_page_of_games_is_short_and_shorter_still_where_they_are_long(
    api: Api, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [play_moves(make_game(alice, bob), "11-15", "22-18").public_id for _ in range(5)]
    for name, most, sizes in (
        ("MAX_GAMES", 3, [3, 2]),
        ("MAX_PLIES", 4, [2, 2, 1]),
        ("MAX_PLIES", 1, [1] * 5),
    ):
        monkeypatch.setattr(games_api, name, most)
        found: list[list[str]] = []
        more: dict[str, str] | None = {}
        while more is not None:
            part = api.get("/players/alice/games", status="playing", limit=100, **more).json()
            found.append([row["id"] for row in part["items"]])
            more = {"cursor": part["next"]} if part["next"] else None
        assert [len(part) for part in found] == sizes
        assert [key for part in found for key in part] == games[::-1]


def test_a_page_of_who_is_here_is_short(
    api: Api, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people_api, "MAX_PLAYERS", 1)
    User.objects.update(last_seen_at=NOW)
    with clock.stopped(NOW):
        page = api.get("/here", limit=100).json()
        rest = api.get("/here", limit=100, cursor=page["next"]).json()
    assert [len(part["items"]) for part in (page, rest)] == [1, 1]
    assert rest["next"] is None
