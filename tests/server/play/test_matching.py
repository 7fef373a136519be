"""Find a game: two who take the defaults get one; ranges of time, rating and what stops the clock."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.lobby.forms import QUICK
from crownhead.server.play.games.options import (
    Flexibility,
    GameOptions,
    LiveClock,
    TimeRange,
    accepts_time,
)
from crownhead.server.play.games.services import auto_match
from crownhead.server.play.models import Game
from tests.server.play.factories import NOW, api_of

pytestmark = pytest.mark.django_db
THREE = GameOptions(variant="american", colour="random", days_per_move=3)
ALL = Flexibility(time=TimeRange.ANY, rated=True, stops=True)


def press_the_button(user: User) -> None:
    """Open the form and press the button, the form as it is."""
    client = Client()
    client.force_login(user)
    page = client.get("/new/").content.decode()
    assert 'name="colour"' in page
    checked = [part.split("<input")[-1] for part in re.split(r"\schecked\b", page)[:-1]]
    fields = {part.split('name="')[1].split('"')[0]: part for part in checked}
    form = {
        name: part.split('value="')[1].split('"')[0] if 'type="radio"' in part else "on"
        for name, part in fields.items()
    }
    assert client.post("/new/", {**form, "terms": "1", "do": "match"}).status_code == 302


def test_two_who_press_the_button_with_the_form_as_it_is_get_a_game(alice: User, bob: User) -> None:
    press_the_button(alice)
    press_the_button(bob)
    (game,) = Game.objects.all()
    assert (game.status, {game.first_player, game.second_player}) == ("playing", {alice, bob})


@pytest.mark.parametrize("quick", QUICK)
def test_two_who_press_the_same_time_in_the_waiting_room_get_a_game(
    alice: User, bob: User, quick: str
) -> None:
    for user in (alice, bob):
        client = Client()
        client.force_login(user)
        page = client.get("/waiting-room/").content.decode()
        assert f'name="quick" value="{quick}"' in page
        answer = client.post("/new/", {"do": "match", "variant": "russian", "quick": quick})
        assert answer.headers["Location"].startswith("/games/")
    (game,) = Game.objects.all()
    assert (game.status, game.variant, game.rated) == ("playing", "russian", False)
    assert game.pace == ("live" if "+" in quick else "days")


def test_a_variant_that_is_not_there_is_refused_by_the_quick_form(alice: User) -> None:
    client = Client()
    client.force_login(alice)
    answer = client.post("/new/", {"do": "match", "variant": "chess", "quick": "3d"})
    assert answer.status_code == 422
    assert not Game.objects.exists()


def test_the_api_has_the_defaults_of_the_form(alice: User, bob: User) -> None:
    press_the_button(alice)
    answer = api_of(bob).post("/auto-match", {"variant": "american"})
    assert (answer.status_code, answer.json()["status"]) == (200, "playing")
    game = Game.objects.get()
    assert (game.days_per_move, game.rated, game.vacation) == (3, False, True)


@pytest.mark.parametrize(
    ("changes", "flexibility", "is_taken"),
    [
        ({"days_per_move": 5}, Flexibility(time=TimeRange.SIMILAR), True),
        ({"days_per_move": 7}, Flexibility(time=TimeRange.SIMILAR), False),
        ({"days_per_move": 7}, Flexibility(time=TimeRange.ANY), True),
        ({"days_per_move": None, "clock": LiveClock(initial=60)}, ALL, False),
        ({"rated": True}, Flexibility(), False),
        ({"rated": True}, Flexibility(rated=True), True),
        ({"vacation": True}, Flexibility(rated=True), False),
        ({"vacation": True, "weekends_off": True}, Flexibility(stops=True), True),
        ({"hidden": True}, ALL, False),
        ({"draw_rules": "itsyourturn"}, ALL, False),
    ],
)
def test_what_is_offered_is_taken_if_it_is_in_range(
    alice: User, bob: User, changes: dict[str, object], flexibility: Flexibility, is_taken: bool
) -> None:
    offered = auto_match(user=alice, options=replace(THREE, **changes), now=NOW)  # type: ignore[arg-type]
    game = auto_match(user=bob, options=THREE, flexibility=flexibility, now=NOW)
    assert (game == offered, game.status == "playing") == (is_taken, is_taken)


def test_a_game_on_just_these_terms_comes_before_one_that_has_waited_longer(
    alice: User, bob: User, charlie: User
) -> None:
    auto_match(user=alice, options=replace(THREE, days_per_move=4), now=NOW)
    exact = auto_match(user=bob, options=THREE, now=NOW + timedelta(seconds=1))
    assert auto_match(user=charlie, options=THREE, flexibility=ALL, now=NOW + timedelta(seconds=2)) == exact


def test_times_are_similar_if_one_is_at_most_twice_the_other() -> None:
    def similar(one: LiveClock, other: LiveClock) -> bool:
        return accepts_time(one.control(), other.control(), TimeRange.SIMILAR)

    assert similar(LiveClock(initial=300, increment=3), LiveClock(initial=600))
    assert similar(LiveClock(initial=180), LiveClock(initial=300))
    assert not similar(LiveClock(initial=60), LiveClock(initial=180))
