"""How many queries each kind of request may ask, at most; BEGIN and the like are not counted.

A page that needs another one gets a larger number here, in the change that needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.play.models import Game
from tests.server.conftest import Api
from tests.server.play.factories import NOW, fresh, make_game, make_offer, play_moves

pytestmark = pytest.mark.django_db

_NO_QUERIES = ("BEGIN", "SAVEPOINT", "RELEASE")

# What is opened, and what it may ask for a member and for a guest.
PAGES = {
    "/": (22, 3),  # four of them tell a new member their first steps
    "/games/{game}/": (11, 3),
    "/waiting-room/": (8, 2),
    "/watch/": (8, 2),
    "/players/": (8, 4),
    "/players/bob/": (20, 13),  # two of them are the activity, by seat; one the score against the member
    "/ladders/": (10, 3),
    "/tournaments/": (8, 2),
    "/ratings/american/": (9, 3),
    "/problems/": (8, 1),
    "/problems/1e31a9892f/": (7, 1),
    "/notices/": (7, None),
    "/badges/": (4, None),
    "/rules/russian/": (5, 1),
    "/api/v1/openapi.json": (2, 0),
    "/health": (4, 1),
}


def beside_a_move() -> int:
    """What a move asks besides on PostgreSQL: whose vacation is locked, and to wake the other processes."""
    return 2 if connection.vendor == "postgresql" else 0


@contextmanager
def counted() -> Iterator[list[str]]:
    """The statements of what is done within."""
    statements: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        if not sql.startswith(_NO_QUERIES):
            statements.append(sql)
        return execute(sql, *arguments)

    with connection.execute_wrapper(note):
        yield statements


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    """A game in a club where something of everything goes on."""
    played = play_moves(make_game(alice, bob), "11-15", "24-19", "15x24", "28x19")
    make_game(bob, alice, vacation=True)
    make_game(charlie, alice)
    make_offer(charlie)
    make_offer(alice)
    return played


def opened(client: Client, path: str) -> int:
    """How many queries a page asks, once what is asked only once has been asked."""
    with clock.stopped(NOW):
        client.get(path)
        with counted() as statements:
            assert client.get(path).status_code == 200
    return len(statements)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_asks_no_more_than_its_bound(path: str, alice: User, game: Game) -> None:
    member = Client()
    member.force_login(alice)
    of_member, of_guest = PAGES[path]
    address = path.format(game=game.public_id)
    assert opened(member, address) <= of_member
    if of_guest is not None:
        assert opened(Client(), address) <= of_guest


def test_a_move_by_the_api_asks_eight_queries(alice: User, game: Game, api: Api) -> None:
    with clock.stopped(NOW):
        by_alice = api.as_(alice)
        by_alice.post(f"/games/{game.public_id}/moves", {"move": "nothing", "version": game.version})
        with counted() as statements:
            answer = by_alice.post(
                f"/games/{game.public_id}/moves", {"move": "8-11", "version": game.version}
            )
    assert answer.status_code == 200
    assert fresh(game).version == game.version + 1
    assert len(statements) <= 8 + beside_a_move()


@pytest.mark.parametrize(("headers", "most"), [({}, 11), ({"HX-Request": "true"}, 20)])
def test_a_move_on_the_page_asks_few_queries(
    alice: User, game: Game, headers: dict[str, str], most: int
) -> None:
    client, path = Client(), f"/games/{game.public_id}/"
    client.force_login(alice)
    form = {"do": "move", "move": "8-11", "version": str(game.version)}
    with clock.stopped(NOW):
        client.get(path)
        client.post(path, {"do": "move", "move": "nothing"})
        with counted() as statements:
            client.post(path, form, headers=headers)
    assert fresh(game).version == game.version + 1
    assert len(statements) <= most + beside_a_move()
