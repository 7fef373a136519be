"""Who may take a game and who may see it: rating range, hidden games, auto-match."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.config.asgi import Application
from crownhead.server.live.models import Outbox
from crownhead.server.play import problems
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games import services as game_services
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.models import Game
from tests.server.play.factories import DAY, NOW, api_of, fresh, make_game, make_offer, play_moves, slug

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora(django_user_model: type[User]) -> User:
    """Dora, of the staff."""
    return django_user_model.objects.create_superuser("dora", "dora@example.org", "a long passphrase")


@pytest.mark.parametrize(
    ("terms", "taken"),
    [
        ({"min_rating": 1500, "max_rating": 1500}, True),
        ({"min_rating": 1501}, False),
        ({"max_rating": 1499}, False),
        ({"max_rating": 1600}, True),
    ],
)
def test_a_game_is_taken_by_those_of_the_ratings_it_asks_for(
    alice: User, bob: User, terms: dict[str, Any], taken: bool
) -> None:
    game = make_offer(alice, **terms)
    answer = api_of(bob).post(f"/waiting-room/{game.public_id}/join")
    assert answer.status_code == (200 if taken else 403)
    if not taken:
        assert slug(answer) == "not-in-range"
        assert fresh(game).status == "waiting"


def _everywhere(user: User | None, game: Game) -> set[str]:
    """The places of the API where somebody comes upon a game."""
    door = api_of(user)
    places = {
        path
        for path in (f"/games/{game.public_id}", f"/games/{game.public_id}.pdn")
        if door.get(path).status_code == 200
    }
    lists = ["/games", "/waiting-room", *(["/games?mine=1", "/invitations"] if user else [])]
    return places | {path for path in lists if game.public_id in door.get(path).content.decode()}


def test_a_hidden_game_is_seen_by_its_players_and_staff_alone(
    alice: User, bob: User, charlie: User, dora: User
) -> None:
    game = make_game(alice, bob, hidden=True)
    for finished in (False, True):
        if finished:
            resign(user=alice, game_id=game.public_id, now=NOW)
        assert _everywhere(charlie, game) == _everywhere(None, game) == set()
        for user in (alice, bob, dora):
            assert len(_everywhere(user, game)) >= 3
        assert slug(api_of(charlie).get(f"/games/{game.public_id}")) == "not-found"


def test_nobody_else_hears_of_a_hidden_game_not_even_who_listened_before_it_began(
    alice: User, bob: User, charlie: User
) -> None:
    game = make_offer(alice, hidden=True)
    before = Outbox.objects.filter(topic=f"game:{game.public_id}").count()
    game_services.join(user=bob, game_id=game.public_id, now=NOW)
    play_moves(game, "11-15", "22-18")
    resign(user=alice, game_id=game.public_id, now=NOW)
    assert Outbox.objects.filter(topic=f"game:{game.public_id}").count() == before
    assert Outbox.objects.filter(topic=f"user:{bob.pk}", payload__status="finished").exists()
    hooks = Application().stream.hooks
    watching = [hooks.watchable([game.public_id], key, False) for key in (alice.pk, bob.pk, charlie.pk, None)]
    assert watching == [{game.public_id}, {game.public_id}, set(), set()]


def test_acts_of_strangers_on_a_hidden_game_tell_them_nothing(alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob, hidden=True)
    for path, body in (
        ("resign", None),
        ("draw-offer", None),
        ("moves", {"move": "11-15", "version": 0}),
        ("rematch", {}),
    ):
        assert slug(api_of(charlie).post(f"/games/{game.public_id}/{path}", body)) == "not-found"
    assert slug(api_of(charlie).post(f"/waiting-room/{game.public_id}/join")) == "not-found"
    assert slug(api_of(charlie).delete(f"/waiting-room/{game.public_id}")) == "not-found"


def _ask(user: User, now: Any = NOW, **terms: Any) -> Game:
    chosen: dict[str, Any] = {"variant": "american", "colour": "random", "days_per_move": 3} | terms
    options = GameOptions(**chosen)
    return game_services.auto_match(user=user, options=options, now=now)


def test_auto_match_waits_and_then_begins_with_the_next_who_asks(alice: User, bob: User) -> None:
    waiting = _ask(alice)
    assert (waiting.status, waiting.creator) == ("waiting", alice)
    begun = _ask(bob)
    assert (begun.pk, begun.status) == (waiting.pk, "playing")
    assert Game.objects.count() == 1


def test_asking_twice_waits_once(alice: User) -> None:
    assert _ask(alice).pk == _ask(alice).pk
    assert _ask(alice, days_per_move=2).pk != _ask(alice).pk


def test_auto_match_takes_the_game_that_has_waited_longest(alice: User, bob: User, charlie: User) -> None:
    make_offer(alice, now=NOW + DAY, colour="random")
    first = make_offer(bob, colour="random")
    assert _ask(charlie, now=NOW + 2 * DAY).pk == first.pk


@pytest.mark.parametrize(
    "other",
    [
        {"variant": "russian"},
        {"days_per_move": 4},
        {"draw_rules": "itsyourturn"},
        {"weekends_off": True},
        {"vacation": True},
        {"rated": True},
        {"hidden": True},
        {"games": 2},
        {"colour": "first"},
        {"min_rating": 1600},
    ],
)
def test_auto_match_takes_no_game_on_other_terms(alice: User, bob: User, other: dict[str, Any]) -> None:
    game = make_offer(alice, **{"colour": "random"} | other)
    asked = _ask(bob, colour="first")
    assert (asked.status, fresh(game).status) == ("waiting", "waiting")


def test_auto_match_looks_at_both_ranges_and_at_the_sides(alice: User, bob: User, charlie: User) -> None:
    assert _ask(alice, min_rating=1600).status == "waiting"
    assert _ask(bob, max_rating=1400).status == "waiting"
    assert _ask(alice, colour="first", days_per_move=2).status == "waiting"
    assert _ask(bob, colour="first", days_per_move=2).status == "waiting"
    begun = _ask(charlie, colour="second", days_per_move=2)
    assert (begun.first_player, begun.second_player) == (alice, charlie)


def test_auto_match_takes_no_invitation_and_none_that_has_expired(
    alice: User, bob: User, charlie: User
) -> None:
    terms = {"variant": "american", "colour": "random", "days_per_move": 3, "opponent": "bob"}
    api_of(alice).post("/games", terms)
    assert _ask(charlie).status == "waiting"
    assert _ask(bob, now=NOW + 14 * DAY).creator == bob


def test_the_api_answers_auto_match_with_201_or_200(alice: User, bob: User) -> None:
    terms = {"variant": "american", "colour": "random", "clock": {"initial": 60, "increment": 1}}
    answers = [api_of(user).post("/auto-match", terms) for user in (alice, bob)]
    assert [answer.status_code for answer in answers] == [201, 200]
    assert len({json.loads(answer.content)["id"] for answer in answers}) == 1
    for wrong in ({"games": 2}, {"first_move": "11-15"}, {"opponent": "bob"}, {"opening": 3}):
        assert api_of(alice).post("/auto-match", terms | wrong).status_code == 422


@pytest.mark.parametrize(
    ("clock", "wrong"),
    [
        ({"base": 60}, {"initial", "base"}),
        ({"initial": "5+3"}, {"initial"}),
        ({"initial": 60, "bonus": 2}, {"bonus"}),
        ({"time": 60}, {"bonus", "limit"}),
        ({"time": -1, "bonus": 2, "limit": 60}, {"time"}),
    ],
)
def test_a_wrong_clock_is_reported_as_the_one_that_is_meant(
    alice: User, clock: dict[str, Any], wrong: set[str]
) -> None:
    answer = api_of(alice).post("/games", {"variant": "american", "colour": "first", "clock": clock})
    places = {error["where"] for error in json.loads(answer.content)["errors"]}
    assert answer.status_code == 422
    assert places == {f"body.clock.{name}" for name in wrong}


def test_the_limit_of_games_holds_for_auto_match(alice: User, settings: Any) -> None:
    settings.GAMES_PER_PLAYER = 1
    _ask(alice)
    with pytest.raises(problems.TooManyGames):
        _ask(alice, days_per_move=1)
