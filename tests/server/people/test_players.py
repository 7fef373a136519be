"""Looking for players, and who is here."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from crownhead.server.accounts.models import Profile, User
from crownhead.server.accounts.preferences import services as preferences_services
from crownhead.server.core import clock
from crownhead.server.people.presenters.people import summaries, summary
from crownhead.server.people.selectors import online
from crownhead.server.people.views import players
from crownhead.server.play.games.selectors import replay
from crownhead.server.play.models import Game
from tests.server.conftest import make_user
from tests.server.people.conftest import NOW, window_of
from tests.server.play.factories import make_game, play_moves

pytestmark = pytest.mark.django_db


def test_players_are_found_by_how_their_names_begin(alice: User, bob: User) -> None:
    make_user("Alina")
    page = window_of().get("/players/?name=aLI")
    assert "/players/alice/" in page.html
    assert "/players/Alina/" in page.html
    assert "/players/bob/" not in page.html
    assert "No players found." in window_of().get("/players/?name=zz").text


def test_a_long_list_comes_in_pages(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "PER_PAGE", 2)
    for name in ("ann", "anna", "anne"):
        make_user(name)
    window = window_of()
    first = window.get("/players/?name=an")
    assert "anne" not in first.text
    cursor = first.html.split("cursor=")[1].split('"')[0]
    assert "anne" in window.get(f"/players/?name=an&cursor={cursor}").text
    assert window.get("/players/?name=an&cursor=nonsense").status == 400


def test_a_player_who_is_here_is_shown_unless_they_do_not_want_to_be_seen(
    alice: User, bob: User, charlie: User
) -> None:
    User.objects.update(last_seen_at=NOW)
    User.objects.filter(pk=charlie.pk).update(last_seen_at=NOW - timedelta(minutes=6))
    preferences_services.set_preferences(user=bob, changes={"show_here": False})
    with clock.stopped(NOW):
        page = window_of().get("/players/")
    assert "/players/alice/" in page.html
    assert "/players/bob/" not in page.html
    assert "/players/charlie/" not in page.html
    with clock.stopped(NOW + timedelta(hours=1)):
        assert "Nobody is online right now" in window_of().get("/players/").text


def test_many_people_cost_no_more_than_few(db: None, django_assert_max_num_queries: object) -> None:
    for number in range(20):
        make_user(f"anna-{number}")
    window = window_of()
    with django_assert_max_num_queries(5):  # type: ignore[operator]
        assert window.get("/players/?name=anna").status == 200


def test_a_text_in_the_middle_of_a_name_finds_those_who_were_here_last(alice: User, bob: User) -> None:
    for name in ("Annabob", "BOBBY", "carl"):
        make_user(name)
    User.objects.exclude(username="alice").update(last_seen_at=NOW)

    page = window_of().get("/players/?name=Bob").text

    assert page.index("BOBBY") < page.index("Names with “Bob” in them") < page.index("Annabob")
    assert "carl" not in page
    assert "Annabob" in window_of().get("/players/?name=abo").text
    assert "No players found." in window_of().get("/players/?name=lic").text  # alice has never been here


def test_where_names_that_begin_so_fill_a_page_none_is_looked_for_in_the_middle(
    bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("Annabob", "BOBBY"):
        make_user(name)
    User.objects.update(last_seen_at=NOW)
    monkeypatch.setattr(players, "PER_PAGE", 1)

    page = window_of().get("/players/?name=Bob")

    assert "Annabob" not in page.text
    assert "cursor=" in page.html


def test_all_players_are_listed_by_name(alice: User, bob: User) -> None:
    make_user("Zoe")

    page = window_of().get("/players/?show=all").text

    assert page.index("alice") < page.index("bob") < page.index("Zoe")
    assert "All players, by name" in page


def test_many_people_online_cost_one_query(
    db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Also where they have chosen something or given a country."""
    people = [make_user(f"anna-{number}") for number in range(5)]
    User.objects.update(last_seen_at=NOW)
    Profile.objects.create(user=people[0], country="NL")
    preferences_services.set_preferences(user=people[1], changes={"show_here": True})
    online.online(NOW)
    with django_assert_num_queries(1):
        shown = summaries(online.online(NOW), now=NOW)
    assert {person.name: (person.here, person.country) for person in shown} == {
        user.username: (True, "Netherlands" if user == people[0] else "") for user in people
    }


def test_a_person_is_drawn_as_they_are(alice: User) -> None:
    def drawn(**changes: object) -> str:
        User.objects.filter(pk=alice.pk).update(last_seen_at=NOW, **changes)
        (person,) = summaries(User.objects.filter(pk=alice.pk), now=NOW)
        return " ".join(person.markup.split())

    here = drawn()
    assert '<a class="person" href="/players/alice/">' in here
    assert "data-here" in here
    assert here.endswith("<span>alice</span></a>")
    closed = drawn(username="closed-account-1", closed_at=NOW)
    assert '<span class="person muted">' in closed
    assert "href" not in closed
    assert "data-here" not in closed
    assert closed.endswith("<span>closed account</span></span>")


def test_a_month_is_that_of_the_readers_zone(alice: User) -> None:
    alice.date_joined = datetime(2026, 1, 31, 23, tzinfo=UTC)
    person = summary(alice, now=NOW)
    with timezone.override(UTC):
        assert person.joined == "joined January 2026"
    with timezone.override(ZoneInfo("Asia/Tokyo")):
        assert person.joined == "joined February 2026"


def test_a_list_of_games_is_replayed_only_once(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        play_moves(make_game(alice, bob), "11-15")
    replayed: list[str] = []
    replay_game = replay.replay_game

    def noted(game: Game, **more: Any) -> Any:
        replayed.append(game.public_id)
        return replay_game(game, **more)

    monkeypatch.setattr(replay, "_kept", {})
    monkeypatch.setattr(replay, "replay_game", noted)
    for _ in range(2):
        window_of(bob).get("/players/alice/games/?show=running")
    assert len(replayed) == 1  # they are alike
