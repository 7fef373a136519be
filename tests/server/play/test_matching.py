"""Find a game: two who take the defaults get one; ranges of time, rating and what stops the clock."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.core.problems import TooMany
from crownhead.server.lobby.forms import QUICK
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.options import (
    Flexibility,
    GameOptions,
    LiveClock,
    TimeRange,
    accepts_time,
)
from crownhead.server.play.games.services import auto_match
from crownhead.server.play.models import Game
from crownhead.server.ratings.models import PlayerRating
from tests.server.conftest import make_user
from tests.server.play.factories import NOW, api_of, make_game, make_offer

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
    ("body", "is_taken"),
    [({}, True), ({"rated": False}, False), ({"rated": False, "accepts_rated": True}, True)],
)
def test_a_program_that_wants_an_unrated_game_gets_no_rated_one(
    alice: User, bob: User, body: dict[str, bool], is_taken: bool
) -> None:
    auto_match(user=alice, options=replace(THREE, rated=True, vacation=True), now=clock.now())
    answer = api_of(bob).post("/auto-match", {"variant": "american"} | body)
    assert answer.json()["status"] == ("playing" if is_taken else "waiting")


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


RATED = replace(THREE, rated=True)


def _offer_many(creators: list[User], count: int, **more: object) -> None:
    """Rated games on the same terms that have waited for long."""
    offered = make_offer(creators[0], rated=True, colour="random")
    rows = []
    for number in range(count):
        row = Game.objects.get(pk=offered.pk)
        row.pk, row.public_id, row.creator = None, f"offer{number:04d}", creators[number % len(creators)]
        for name, value in more.items():
            setattr(row, name, value)
        rows.append(row)
    offered.delete()
    Game.objects.bulk_create(rows)


def _leave_early(user: User, friend: User) -> None:
    for game in [make_game(friend, user, rated=True) for _ in range(3)]:
        resign(user=user, game_id=game.public_id, now=NOW)


LATER = NOW + timedelta(minutes=1)


def test_looking_for_a_game_asks_little_of_many_offers_that_somebody_who_leaves_early_cannot_take(
    alice: User, bob: User, charlie: User, settings: Any, django_assert_max_num_queries: Any
) -> None:
    settings.EARLY_LEAVES_PER_DAY = 3
    _leave_early(alice, charlie)
    _offer_many([bob], 300)
    casual = make_offer(charlie, colour="random", now=LATER)
    with django_assert_max_num_queries(35):
        game = auto_match(user=alice, options=THREE, flexibility=ALL, now=LATER)
    assert (game.pk, game.status) == (casual.pk, "playing")
    with django_assert_max_num_queries(30):
        assert auto_match(user=alice, options=THREE, flexibility=ALL, now=LATER).creator == alice


@pytest.mark.parametrize(
    ("unfit", "wanted"),
    [
        ({"min_rating": 2900}, {}),  # for the one who looks
        ({}, {"min_rating": 1400}),  # for the creators, who have lost
        ({"days_per_move": 14}, {}),
    ],
)
def test_a_fitting_offer_is_found_behind_many_of_others(
    alice: User,
    bob: User,
    charlie: User,
    django_assert_max_num_queries: Any,
    unfit: dict[str, object],
    wanted: dict[str, Any],
) -> None:
    others = [make_user(f"other-{number}") for number in range(60)]
    PlayerRating.objects.bulk_create(
        PlayerRating(user=user, variant="american", points=1300, value=1300, deviation=90, volatility=0.06)
        for user in others
    )
    _offer_many(others, 300, **unfit)
    fits = make_offer(charlie, rated=True, colour="random", now=LATER)
    similar = Flexibility(time=TimeRange.SIMILAR, rated=True, stops=True)
    with django_assert_max_num_queries(60):
        game = auto_match(user=alice, options=replace(THREE, **wanted), flexibility=similar, now=LATER)
    assert (game.pk, game.status) == (fits.pk, "playing")


def test_a_rated_offer_is_found_behind_many_of_somebody_met_too_often(
    alice: User, bob: User, charlie: User, settings: Any, django_assert_max_num_queries: Any
) -> None:
    settings.EARLY_LEAVES_PER_DAY = 3
    make_game(alice, bob, rated=True)
    _leave_early(charlie, make_user("friend"))
    settings.RATED_GAMES_PER_PAIR = 1
    _offer_many([bob, charlie], 300)
    fits = make_offer(make_user("other"), rated=True, colour="random", now=LATER)
    with django_assert_max_num_queries(60):
        game = auto_match(user=alice, options=RATED, now=LATER)
    assert (game.pk, game.status, game.rated) == (fits.pk, "playing", True)


def test_who_looks_for_a_game_again_and_again_uses_up_their_offers(alice: User, settings: Any) -> None:
    settings.LIMITS = settings.LIMITS | {"offers": "3/h"}
    for _ in range(3):
        assert auto_match(user=alice, options=THREE, now=NOW).creator == alice
    with pytest.raises(TooMany):
        auto_match(user=alice, options=THREE, now=NOW)
