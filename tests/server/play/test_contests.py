"""Games of ladders and tournaments: how they begin, what they belong to, where that is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from pytest_django import Settings

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play import events, handlers, problems, selectors
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games import providers
from crownhead.server.play.games.contests import Contest
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.games.selectors import terms
from crownhead.server.play.games.services.seating import start_game
from crownhead.server.play.models import Game, Seat
from tests.server.conftest import PASSWORD
from tests.server.play.factories import (
    DAY,
    NOW,
    api_of,
    fresh,
    make_game,
    make_offer,
    play_moves,
    recorded_events,
)

pytestmark = pytest.mark.django_db
ROUND = Contest("tournament", "springcup:r2:p5", "Spring Cup, round 2", "/tournaments/springcup/")


def _start(first: User, second: User, *, contest: Contest | None = ROUND, **options: Any) -> Game:
    wanted: dict[str, Any] = {"variant": "american", "colour": "random", "days_per_move": 2} | options
    opening = wanted.pop("ballot", None)
    return start_game(
        first=first,
        second=second,
        options=GameOptions(**wanted),
        now=NOW,
        dice=Random(3),
        opening=opening,
        contest=contest,
    )


def test_two_people_are_seated_at_once_and_the_clock_runs(alice: User, bob: User) -> None:
    game = fresh(_start(alice, bob, rated=True, colour="second"))
    assert (game.first_player, game.second_player, game.turn) == (alice, bob, Seat.FIRST)
    assert game.rated
    assert not game.open
    assert game.deadline_at == NOW + 2 * DAY
    assert game.contest == ROUND
    play_moves(game, "11-15")


def test_a_ballot_is_drawn_or_given_so_that_two_games_can_have_the_same(alice: User, bob: User) -> None:
    one = _start(alice, bob, variant="pro")
    other = _start(bob, alice, variant="pro", ballot=one.opening)
    assert one.opening is not None
    assert other.opening == one.opening
    assert other.moves == one.moves
    assert len(one.moves.split()) == 3


def test_the_limit_of_games_at_once_does_not_count_there(alice: User, bob: User, settings: Settings) -> None:
    settings.GAMES_PER_PLAYER = 1
    assert [_start(alice, bob).status for _ in range(3)] == ["playing"] * 3


def test_games_of_contests_leave_room_for_games_of_ones_own(
    alice: User, bob: User, settings: Settings
) -> None:
    settings.GAMES_PER_PLAYER = 1
    _start(alice, bob, contest=Contest("ladder", "abc:1", "Ladder"))
    make_offer(alice)
    with pytest.raises(problems.TooManyGames):
        make_offer(alice)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"variant": "chess"}, "chess"),
        ({"games": 2}, "without a first move"),
        ({"first_move": "11-15", "colour": "first"}, "without a first move"),
        ({"contest": Contest("tournament", "", "Cup")}, "key must have 1 to 80"),
        ({"contest": Contest("tournament", "a", "C" * 121)}, "name must have 1 to 120"),
        ({"ballot": 7}, "has no openings to choose from"),
    ],
)
def test_what_makes_no_game_is_refused(alice: User, bob: User, options: Any, what: str) -> None:
    with pytest.raises(Unprocessable, match=what):
        _start(alice, bob, **options)
    with pytest.raises(Unprocessable, match="a player other than alice"):
        _start(alice, alice)
    assert not Game.objects.exists()


def test_the_row_holds_a_whole_contest_or_none(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(contest_kind="ladder")


def test_events_tell_the_contest_and_an_end_what_it_counts_for(alice: User, bob: User) -> None:
    game = _start(alice, bob, rated=True)
    with recorded_events(events.MovePlayed, events.GameEnded) as emitted:
        play_moves(game, "11-15")
        resign(user=alice, game_id=game.public_id, now=NOW)
    moved, ended = emitted
    assert moved.contest == ended.contest == ROUND
    assert (ended.rated, ended.annulled, ended.pace, ended.half_points) == (True, True, "days", (0, 2))
    with recorded_events(events.GameEnded) as emitted:
        resign(user=bob, game_id=make_game(alice, bob).public_id, now=NOW)
    assert emitted[0].contest is None


def test_the_api_and_the_record_name_the_contest(alice: User, bob: User) -> None:
    game = _start(alice, bob)
    body = api_of().get(f"/games/{game.public_id}").json()
    assert body["contest"] == {
        "kind": "tournament",
        "key": "springcup:r2:p5",
        "name": "Spring Cup, round 2",
        "link": "/tournaments/springcup/",
    }
    assert '[Event "Spring Cup, round 2"]' in selectors.write_pdn(fresh(game))
    assert api_of().get(f"/games/{make_game(alice, bob).public_id}").json()["contest"] is None


def test_games_are_found_by_their_contest(alice: User, bob: User, charlie: User) -> None:
    second_round, final = (
        _start(alice, bob),
        _start(alice, charlie, contest=Contest("tournament", "springcup:final", "Spring Cup, final")),
    )
    make_game(alice, bob)

    def ids(**query: str) -> set[str]:
        return {row["id"] for row in api_of(alice).get("/games", **query).json()["items"]}

    both = {second_round.public_id, final.public_id}
    assert ids(event="springcup") == ids(mine="1", event="spring cup") == both
    assert ids(event="springcup:final") == {final.public_id}
    assert ids(event="spring cup") == set()  # of all games, by the key alone
    found = selectors.games_of_contest(viewer=None, key="springcup")
    assert {row.public_id for row in found} == both
    assert list(selectors.games_of_contest(viewer=None, key="springcup:final")) == [final]


def test_my_finished_games_can_be_kept_to_one_event(client: Any, alice: User, bob: User) -> None:
    cup, other = _start(alice, bob), make_game(alice, bob)
    for game in (cup, other):
        resign(user=alice, game_id=game.public_id, now=NOW)
    client.login(username="alice", password=PASSWORD)
    page = client.get("/games/finished/", {"event": "spring"}).content.decode()
    assert cup.public_id in page
    assert other.public_id not in page


@pytest.fixture
def _nobody_rates() -> Iterator[None]:
    before = providers.rating
    held = list(providers._rating_providers)  # noqa: SLF001
    yield
    assert providers.rating is before
    providers._rating_providers[:] = held  # noqa: SLF001


@pytest.mark.usefixtures("_nobody_rates")
def test_a_rating_provider_registers_itself(alice: User, bob: User) -> None:
    providers.register_rating_provider(
        lambda user_ids, variant: {
            key: 1800 if (key, variant) == (alice.pk, "american") else 1200 for key in user_ids
        }
    )
    assert terms.rating_of(alice, "american") == 1800
    assert terms.rating_of(alice, "pro") == terms.rating_of(bob, "american") == 1200


def test_open_pages_are_notified_of_everything_that_players_see() -> None:
    assert events.GameAdjourned in handlers.PUBLIC_EVENTS


def test_the_page_of_a_game_and_my_games_name_the_contest_and_lead_to_it(
    client: Any, alice: User, bob: User
) -> None:
    game = _start(alice, bob)
    client.login(username="alice", password=PASSWORD)
    for path in (f"/games/{game.public_id}/", "/"):
        page = client.get(path).content.decode()
        link = r'<a\s[^>]*href="/tournaments/springcup/"[^>]*>\s*Spring Cup, round 2\s*</a>'
        assert re.search(link, page)
