"""No page or endpoint that takes a position can be made to work long, whatever the board.

What it may do is counted: searches for moves, their nodes, the size of the answer. ``make nightly`` looks for
new boards in every variant and measures the time.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from types import FrameType
from typing import Any
from urllib.parse import urlencode

import pytest
from django.conf import settings as site
from django.test import Client
from pytest_django import Settings

from crownhead import VARIANTS, Position
from crownhead.openings import opening_name
from crownhead.rules.budget import capture_budget, captures_left
from crownhead.rules.geometry import squares
from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.pages.presenters.analysis_data import has_openings
from crownhead.server.play.presenters.board import png
from crownhead.server.web import middleware
from tests.server.crafted.adversary import known_positions, worst_positions
from tests.server.play.factories import NOW, make_game, play_moves

pytestmark = pytest.mark.django_db

WITHIN = 0.05  # seconds of this process
PAGES = (
    "/analysis/",
    "/analysis/?setup=1",
    "/analysis/guard/",
    "/computer/",
    "/diagram.svg",
    "/diagram.png",
)
CRAFTED = known_positions()
SEARCHES = 12  # of one request for a position without moves; nine for routes that captures share
SENTENCE = "This position has too many possible moves. Try one with fewer pieces."
LARGEST = 300_000  # bytes of an answer
LINES = 150_000  # of Python, some 40 ms


def ask(client: Client, path: str, variant: str, fen: str, **more: str) -> Any:
    joint = "&" if "?" in path else "?"
    return client.get(f"{path}{joint}{urlencode({'variant': variant, 'fen': fen, **more})}")


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """What a request does: the searches for moves, and the nodes that they visit."""
    counted: Counter[str] = Counter()
    opening_name(Position.from_fen("W:W22:B4"))  # the decks are read once
    for key in VARIANTS:
        has_openings(key)

    @contextmanager
    def budget(nodes: int) -> Iterator[None]:
        with capture_budget(nodes):
            yield
            counted["nodes"] += nodes - (captures_left() or 0)

    def noted(name: str) -> None:
        method = getattr(Position, name)

        def search(self: Position, *arguments: object) -> object:
            counted["searches"] += 1
            return method(self, *arguments)

        monkeypatch.setattr(Position, name, search)

    monkeypatch.setattr(middleware, "capture_budget", budget)
    for name in ("legal_moves", "find", "play"):
        noted(name)
    return counted


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(("variant", "fen"), CRAFTED)
def test_a_crafted_position_costs_a_page_no_more_than_its_budget(
    client: Client, work: Counter[str], path: str, variant: str, fen: str
) -> None:
    answer = ask(client, path, variant, fen)

    assert answer.status_code in {200, 422}
    assert work["searches"] <= SEARCHES
    assert work["nodes"] <= site.CAPTURES_PER_REQUEST
    assert len(answer.content) < LARGEST


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(("variant", "fen"), CRAFTED)
def test_what_a_page_does_with_many_moves_does_not_grow_with_their_square(
    client: Client, path: str, variant: str, fen: str
) -> None:
    """Moves without captures visit no nodes: lines of Python are counted, each turn of a loop as one."""
    ask(client, path, variant, fen)  # what is made once

    assert _lines_run(lambda: ask(client, path, variant, fen)) < LINES


def _lines_run(act: Callable[[], object]) -> int:
    counted = 0

    def trace(_frame: FrameType, event: str, _value: object) -> Any:
        nonlocal counted
        counted += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    finally:
        sys.settrace(before)
    return counted


def test_a_move_that_names_a_long_way_costs_no_more(client: Client, work: Counter[str]) -> None:
    # Whether a route leads over the squares that are named is a search of its own for each move that fits.
    variant, fen = CRAFTED[0]
    move = max(Position.from_fen(fen, variant).legal_moves(), key=lambda move: len(move.path))
    row = VARIANTS[variant]
    names = squares(row.board, row.notation)
    written = "x".join(names[square].name for square in (*move.path[:-2], move.path[-1]))

    answer = ask(client, "/analysis/", variant, fen, moves=written)

    assert answer.status_code in {200, 422}
    assert work["nodes"] <= site.CAPTURES_PER_REQUEST


def test_a_position_with_too_many_captures_is_refused_in_a_friendly_sentence(client: Client) -> None:
    variant, fen = CRAFTED[2]
    answer = ask(client, "/analysis/", variant, fen)
    assert answer.status_code == 422
    assert SENTENCE in answer.content.decode()
    assert SENTENCE in ask(client, "/analysis/?setup=1", variant, fen).content.decode()


def test_so_does_the_api(client: Client, alice: User, work: Counter[str]) -> None:
    variant, fen = CRAFTED[2]
    client.force_login(alice)

    answer = client.post(
        "/api/v1/analyses", json.dumps({"variant": variant, "fen": fen}), content_type="application/json"
    )

    assert answer.status_code == 422
    assert answer.json()["type"] == "urn:crownhead:problem:too-many-moves"
    assert work["nodes"] <= site.CAPTURES_PER_REQUEST


def test_a_budget_that_runs_out_anywhere_is_answered_alike(
    client: Client, settings: Settings, alice: User, bob: User
) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "22-18")
    settings.CAPTURES_PER_REQUEST = 0

    with clock.stopped(NOW):
        page = client.get(f"/games/{game.public_id}/")
        answer = client.get(f"/api/v1/games/{game.public_id}")

    assert page.status_code == answer.status_code == 422
    assert SENTENCE in page.content.decode()
    assert answer.json()["type"] == "urn:crownhead:problem:too-many-moves"


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_pages_of_ordinary_boards_come_nowhere_near_the_budget(
    client: Client, work: Counter[str], variant: str
) -> None:
    assert ask(client, "/analysis/", variant, "").status_code == 200
    assert work["nodes"] < site.CAPTURES_PER_REQUEST / 1000
    assert work["searches"] <= SEARCHES


@pytest.mark.nightly
@pytest.mark.parametrize("variant", VARIANTS)
def test_no_position_that_an_adversary_finds_takes_a_page_long(client: Client, variant: str) -> None:
    for path in PAGES:
        ask(client, path, variant, "")  # what is made once
    for position in worst_positions(VARIANTS[variant], steps=10_000, dice=Random(variant)):
        for path in PAGES:
            seconds = min(_seconds(client, path, variant, position.fen()) for _ in range(3))
            assert seconds < WITHIN, (path, variant, position.fen())


def _seconds(client: Client, path: str, variant: str, fen: str) -> float:
    png.png.cache_clear()
    begun = time.process_time()
    ask(client, path, variant, fen)
    return time.process_time() - begun
