"""How many of our files one reads to follow a move, or a page, from its address to its answer.

Counted is what runs in a process that has served the same before, by four rooms:

- the frame: what a page with nothing on it passes too (middleware, session, menu), and what is configured;
- the library: rules and notation;
- the reactions: what other apps do because a move was made;
- the journey itself, all the rest.

A number here grows only in a change that says why. docs/architecture.md walks through both.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.test import Client, TestCase
from django.urls import path
from pytest_django import Settings

from crownhead.server.accounts.models import User
from crownhead.server.config.urls import urlpatterns as of_the_club
from crownhead.server.core import clock
from crownhead.server.play.models import Game
from crownhead.server.web.page import frame, go_to, page
from tests.server.journeys import Journey, followed
from tests.server.play.factories import NOW, fresh, make_game, play_moves

pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]

BARE = "/nothing-on-it/"
ARCHITECTURE = Path(__file__).parents[2] / "docs" / "architecture.md"

# Python files of each room, at most.
MOVE = {"frame": 29, "library": 7, "journey": 25, "reactions": 13}
MOVE_AND_PAGE = {"frame": 34, "library": 0, "journey": 13, "reactions": 12}
PAGE = {"frame": 34, "library": 9, "journey": 30, "reactions": 0}
TEMPLATES = 8


@page
def bare(request: HttpRequest) -> HttpResponse:
    """A page that has the frame and nothing else, and an action that does nothing."""
    if request.method == "POST":
        return go_to(request, BARE)
    text = engines["django"].from_string("{% extends base %}").render(frame(request), request)
    return HttpResponse(text)


urlpatterns = [path(BARE.removeprefix("/"), bare), *of_the_club]


@pytest.fixture(autouse=True)
def on_any_machine(settings: Settings) -> None:
    """No request is logged for being slow, which would pass one more file."""
    settings.SLOW_REQUEST_MS = 0


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """A game in which it is Alice's turn, some moves on."""
    return play_moves(make_game(alice, bob), "11-15", "24-19", "15x24", "28x19")


@pytest.fixture
def client(alice: User) -> Client:
    client = Client()
    client.force_login(alice)
    return client


def viewed(client: Client, address: str) -> Journey:
    """Opening a page that has been opened before."""
    with clock.stopped(NOW):
        for _again in range(2):
            with followed() as journey:
                assert client.get(address).status_code == 200
    return journey


def sent(client: Client, address: str, form: dict[str, str], headers: dict[str, str]) -> Journey:
    """A form, and what follows once its transaction has committed."""
    with clock.stopped(NOW), followed() as journey, TestCase.captureOnCommitCallbacks(execute=True):
        response = client.post(address, form, headers=headers)
    assert response.status_code in {200, 302}
    return journey


def acted(client: Client, headers: dict[str, str]) -> Journey:
    """An action that does nothing, done before."""
    sent(client, BARE, {}, headers)
    return sent(client, BARE, {}, headers)


def moved(client: Client, game: Game, headers: dict[str, str]) -> Journey:
    """The second of Alice's moves on the page of a game."""
    address = f"/games/{game.public_id}/"
    viewed(client, address)
    sent(client, address, {"do": "move", "move": "8-11", "version": str(game.version)}, headers)
    game = play_moves(game, "22-18")
    journey = sent(client, address, {"do": "move", "move": "4-8", "version": str(game.version)}, headers)
    assert fresh(game).version == game.version + 1
    return journey


def by_room(journey: Journey, frame_only: Journey) -> dict[str, dict[str, list[str]]]:
    """The files of each room, with what runs in them."""
    rooms: dict[str, dict[str, list[str]]] = {"frame": {}, "library": {}, "journey": {}, "reactions": {}}
    for file, ran in {**journey.reactions, **journey.modules}.items():
        if file in frame_only.modules or file.startswith("server/config/"):
            rooms["frame"][file] = ran
        elif file not in journey.modules:
            rooms["reactions"][file] = ran
        else:
            rooms["journey" if file.startswith("server/") else "library"][file] = ran
    return rooms


def expect_within(journey: Journey, frame_only: Journey, most: dict[str, int]) -> None:
    rooms = by_room(journey, frame_only)
    documented = ARCHITECTURE.read_text("utf-8")
    passed = [file.removeprefix("server/") for room in rooms if room != "library" for file in rooms[room]]
    unnamed = [file for file in passed if not file.startswith("config/") and f"`{file}`" not in documented]
    assert unnamed == [], "docs/architecture.md does not say what happens there"
    longer = {room: len(files) for room, files in rooms.items() if len(files) > most[room]}
    lines = [f"{room}: {file}: {', '.join(ran)}" for room in rooms for file, ran in rooms[room].items()]
    assert not longer, "\n".join([f"expected at most {most}, got {longer}", *lines])


def test_a_move_sent_by_a_form_passes_few_files(client: Client, game: Game) -> None:
    frame_only = acted(client, {})
    expect_within(moved(client, game, {}), frame_only, MOVE)


def test_a_move_sent_by_the_board_passes_few_files_and_shows_the_page(client: Client, game: Game) -> None:
    """The answer is the page itself: what it passes beyond a page that is only viewed."""
    headers = {"HX-Request": "true"}
    frames = {**viewed(client, BARE).modules, **acted(client, headers).modules}
    known = viewed(client, f"/games/{game.public_id}/").modules
    journey = moved(client, game, headers)
    for files in (journey.modules, journey.reactions):
        for file in known.keys() & files.keys() - frames.keys():
            del files[file]
    expect_within(journey, Journey(frames), MOVE_AND_PAGE)


def test_the_page_of_a_game_passes_few_files(client: Client, game: Game) -> None:
    frame_only = viewed(client, BARE)
    journey = viewed(client, f"/games/{game.public_id}/")
    expect_within(journey, frame_only, PAGE)
    assert len(journey.templates) <= TEMPLATES, journey.templates
