"""Nobody is told the solution of a problem whose position they play."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from crownhead.problems.collection import shipped
from crownhead.problems.problem import Problem
from crownhead.server.accounts.models import User
from crownhead.server.analysis.events import EngineRefused
from crownhead.server.core import clock
from crownhead.server.play.draws.services import resign
from crownhead.server.play.models import Game
from crownhead.server.problems import selectors
from crownhead.server.problems.selectors.barred import BarredProblems
from tests.server.conftest import Api
from tests.server.guests import browser_of, make_guest
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW, make_game_from, recorded_events, slug

pytestmark = pytest.mark.django_db
REFUSED = "while your game is in progress"


@pytest.fixture
def game(alice: User, bob: User, problem: Problem) -> Game:
    """A running game of Alice and Bob, in the position before the last move of the problem's solution."""
    return make_game_from(problem.positions()[-2].fen(), alice, bob, variant=problem.variant)


def requests_for(problem: Problem) -> dict[str, tuple[str, str, dict[str, Any]]]:
    page = reverse("problems:problem", args=[problem.key])
    api = f"/api/v1/problems/{problem.key}"
    return {
        "its page": ("get", page, {}),
        "the page after moves": ("get", page, {"moves": " ".join(problem.line)}),
        "a move": ("post", page, {"move": problem.line[0]}),
        "giving up": ("post", page, {"do": "show"}),
        "by a program": ("get", api, {}),
    }


def test_a_problem_is_closed_while_one_plays_a_position_of_its_solution(
    game: Game, problem: Problem, alice: User, charlie: User, window: Open
) -> None:
    for method, address, values in requests_for(problem).values():
        with recorded_events(EngineRefused) as refused:
            answer = getattr(window(alice).client, method)(address, values)
        assert answer.status_code == 403
        assert REFUSED in answer.content.decode()
        assert refused == []  # nobody has asked the engine
        assert getattr(window(charlie).client, method)(address, values, follow=True).status_code == 200
    resign(user=alice, game_id=game.public_id, now=NOW)
    for method, address, values in requests_for(problem).values():
        assert getattr(window(alice).client, method)(address, values, follow=True).status_code == 200


def test_programs_are_told_no_solution_either(
    game: Game, problem: Problem, alice: User, bob: User, charlie: User, api: Api
) -> None:
    address = f"/problems/{problem.key}/attempts"
    for player in (alice, bob):
        for body in ({}, {"move": problem.line[0]}):
            answer = api.as_(player).post(address, body)
            assert (answer.status_code, slug(answer)) == (403, "own-game-runs")
    assert api.as_(charlie).post(address, {}).json()["moves"] == list(problem.line)


def test_the_problem_of_the_day_is_closed_too(alice: User, bob: User, api: Api) -> None:
    daily = selectors.daily(NOW)
    make_game_from(daily.fen, alice, bob, variant=daily.variant)
    assert api.get("/problems/daily").json()["id"] == daily.key
    assert api.as_(alice).get("/problems/daily").status_code == 403


def test_a_guest_who_plays_is_told_nothing_of_their_game(problem: Problem, alice: User, window: Open) -> None:
    guest = make_guest()
    make_game_from(problem.fen, alice, guest, variant=problem.variant)
    browser = browser_of(guest)
    for method, address, values in requests_for(problem).values():
        assert getattr(browser, method)(address, values).status_code == 403
    attempts = f"/api/v1/problems/{problem.key}/attempts"
    assert browser.post(attempts, "{}", content_type="application/json").status_code == 403


def test_practice_leaves_out_what_one_plays(alice: User, bob: User, charlie: User) -> None:
    def practised(player: User | None) -> list[Problem]:
        dice = Random(7)
        return list(selectors.practice_set(player=player, variant="american", theme="shot", dice=dice))

    everything = practised(None)
    make_game_from(everything[3].fen, alice, bob, variant="american")
    assert practised(charlie) == practised(None) == everything
    left = practised(alice)
    assert everything[3] not in left
    assert set(left) < set(everything)
    assert len(left) >= 15


def test_the_next_problem_is_none_that_one_plays(alice: User, bob: User) -> None:
    def offered() -> Problem:
        dice = Random(1)
        return selectors.next_problem(user=alice, player=alice, variant="russian", theme="", dice=dice)

    first = offered()
    game = make_game_from(first.fen, alice, bob, variant="russian")
    other = offered()
    assert other != first
    assert selectors.is_chosen_by_the_club(user=alice, problem=other, now=NOW)
    assert not selectors.is_chosen_by_the_club(user=alice, problem=first, now=NOW)
    resign(user=alice, game_id=game.public_id, now=NOW)
    assert offered() == first


def test_the_problem_of_the_day_is_left_out_of_the_pages_of_who_plays_it(alice: User, bob: User) -> None:
    today, guest = selectors.daily(clock.now()), make_guest()
    address = reverse("problems:problem", args=[today.key])

    def shown(client: Client) -> list[bool]:
        return [address in client.get(page).content.decode() for page in ("/problems/", "/")]

    playing, as_guest = Client(), browser_of(guest)
    playing.force_login(alice)
    assert (shown(playing), shown(as_guest)) == ([True, False], [True, True])
    make_game_from(today.fen, alice, bob, variant=today.variant)
    make_game_from(today.fen, bob, guest, variant=today.variant)
    assert (shown(playing), shown(as_guest)) == ([False, False], [False, False])
    assert shown(Client()) == [True, True]


def test_problems_that_several_offers_have_in_common_are_compared_once(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    compare = BarredProblems._is_barred  # noqa: SLF001

    def noted(self: BarredProblems, problem: Problem) -> bool:
        looked.append(problem.key)
        return compare(self, problem)

    monkeypatch.setattr(BarredProblems, "_is_barred", noted)
    for _ in range(3):
        barring = selectors.next_problem(user=alice, player=alice, variant="", theme="", dice=Random(1))
        make_game_from(barring.fen, alice, bob, variant=barring.variant)
    # Not before: what these games bar depends on the key of the member, which is another in each process.
    chosen = selectors.next_problem(user=alice, player=alice, variant="russian", theme="", dice=Random(1))
    looked.clear()
    assert selectors.is_chosen_by_the_club(user=alice, problem=chosen, now=NOW)
    assert len(looked) == len(set(looked))


def test_of_a_problem_that_is_none_of_the_nearest_no_other_is_compared(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BarredProblems, "_is_barred", None)
    farthest = max(shipped().values(), key=lambda one: abs(one.difficulty - 1500))
    assert not selectors.is_chosen_by_the_club(user=alice, problem=farthest, now=NOW)
