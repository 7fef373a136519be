"""No page, form or operation works long for a crafted position: asked of all that the site answers.

The requests come from the table of addresses and from the OpenAPI document, as for the permission matrix, so
that a new one cannot be forgotten.
"""

from __future__ import annotations

import time
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.conf import settings as site
from django.db import transaction
from django.http.response import HttpResponseBase, StreamingHttpResponse
from pytest_django import Settings

from crownhead import VARIANTS, CrownheadError
from crownhead.rules.budget import capture_budget, captures_left
from crownhead.server.core import clock
from crownhead.server.core.problems import Problem
from crownhead.server.play.games.selectors.starts import CAPTURES, checked_start
from crownhead.server.play.presenters.board import png
from crownhead.server.web import middleware
from tests.lengths import short_and_full
from tests.server.conftest import clear_caches
from tests.server.crafted.adversary import full_of_kings, known_positions, worst_positions
from tests.server.crafted.every_request import asks, unknown_fields
from tests.server.play.factories import NOW, make_game, make_game_from
from tests.server.security.requests import Ask
from tests.server.security.visitors import Visitors, make_club

pytestmark = pytest.mark.django_db

WITHIN = 0.05  # seconds of this process, beyond what the request takes for an ordinary position
DRAWN_WITHIN = 0.02  # the same, of a picture
LARGEST = 500_000  # bytes of an answer
GROWING = {"GET /metrics"}  # has lines for all that the process was asked before
ORDINARY = "W:W22:B4"
LISTS = {"GET /", "GET /games/", "GET /watch/", "GET /players/{name}/", "GET /api/v1/games"}


@pytest.fixture
def club(db: None, settings: Settings, tmp_path: Path) -> Iterator[Visitors]:
    """One of everything; the clock stands still, and nothing is asked too often."""
    settings.LIMITS = dict.fromkeys(settings.LIMITS, "1000000/m")
    settings.DATA = tmp_path
    settings.TOURNAMENTS_BY_MEMBERS = True
    with clock.stopped(NOW):
        yield make_club()


@pytest.fixture
def nodes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The nodes of capture searches of each request."""
    visited: list[int] = []

    @contextmanager
    def budget(most: int) -> Iterator[None]:
        with capture_budget(most):
            yield
            visited.append(most - (captures_left() or 0))

    monkeypatch.setattr(middleware, "capture_budget", budget)
    return visited


class Sender:
    """Sends requests of the owner, who has a part in everything, and takes back what they change."""

    def __init__(self, club: Visitors) -> None:
        self.browser, self.program = club.browser("owner"), club.program("owner")

    def send(self, ask: Ask) -> HttpResponseBase:
        """Send it; what it made is undone."""
        clear_caches()
        png.png.cache_clear()
        with transaction.atomic():
            answer = (
                ask.from_program(self.program) if "/v1/" in ask.address else ask.from_browser(self.browser)
            )
            if isinstance(answer, StreamingHttpResponse):
                answer.streaming_content = list(answer)
            transaction.set_rollback(True)
        return answer

    def seconds(self, ask: Ask) -> float:
        """The processor's time for it, of some tries the least."""
        first = self._timed(ask)
        return first if first < DRAWN_WITHIN else min(first, *(self._timed(ask) for _ in range(3)))

    def _timed(self, ask: Ask) -> float:
        begun = time.process_time()
        self.send(ask)
        return time.process_time() - begun


def size(answer: Any) -> int:
    return len(answer.getvalue())


def test_every_field_of_a_body_that_speaks_of_moves_is_filled_in() -> None:
    assert unknown_fields() == [], (
        "add them to POSITIONS, MOVES or OTHERS in tests/server/crafted/every_request.py"
    )


def test_the_requests_are_those_of_the_whole_site(club: Visitors) -> None:
    rows = {ask.row for ask in asks(club.facts, variant="american", fen=ORDINARY)}
    assert len(rows) > 300
    assert {
        *("GET /analysis/", "POST /analysis/begin/", "POST /computer/keep/", "GET /diagram.png"),
        *("POST /new/", "POST /games/{public_id}/plan/", "POST /problems/{key}/"),
        *("POST /api/v1/analyses", "POST /api/v1/games", "PUT /api/v1/games/{game_id}/plan"),
        *("POST /api/v1/auto-match", "POST /api/v1/games/{game_id}/moves"),
    } <= rows


@pytest.mark.slow
def test_no_request_visits_more_nodes_than_its_budget(club: Visitors, nodes: list[int]) -> None:
    """All are sent the first known position; those whose work depends on it, every sixth of the others."""
    sender = Sender(club)
    taking = _taking(sender, club, nodes)
    assert {"GET /analysis/", "POST /analysis/begin/", "GET /computer/", "POST /api/v1/analyses"} <= taking
    for variant, fen in known_positions()[1::6]:
        _visited(sender, club, nodes, variant=variant, fen=fen, rows=taking)


@pytest.mark.nightly
@pytest.mark.parametrize(("variant", "fen"), known_positions()[1:])
def test_no_request_visits_more_nodes_than_its_budget_for_any_position(
    club: Visitors, nodes: list[int], variant: str, fen: str
) -> None:
    _visited(Sender(club), club, nodes, variant=variant, fen=fen)


@pytest.mark.slow
@pytest.mark.parametrize("every_way", short_and_full(False, True))
@pytest.mark.parametrize("spelling", ["American checkers", "\u202eamerican"])
def test_a_variant_in_another_spelling_breaks_no_request(
    club: Visitors, spelling: str, every_way: bool
) -> None:
    """Each request is sent once, with all fields, or in every way that it can be sent."""
    sender, sent = Sender(club), list(asks(club.facts, variant=spelling, fen=ORDINARY))
    chosen = sent if every_way else {ask.row: ask for ask in sent}.values()
    assert [ask for ask in chosen if sender.send(ask).status_code >= 500] == []


@pytest.mark.nightly
@pytest.mark.parametrize("variant", VARIANTS)
def test_no_request_takes_long_for_a_position_that_an_adversary_finds(
    club: Visitors, nodes: list[int], variant: str
) -> None:
    sender = Sender(club)
    taking = _taking(sender, club, nodes)
    usual = _usual(sender, club, variant, taking)
    for position in worst_positions(VARIANTS[variant], steps=5_000, dice=Random(variant), count=2):
        assert _slow(sender, club, usual, variant, position.fen()) == []


@pytest.mark.nightly
@pytest.mark.parametrize("variant", VARIANTS)
def test_no_request_takes_long_in_a_game_that_begins_at_such_a_position(club: Visitors, variant: str) -> None:
    row, owner, other = VARIANTS[variant], club.users["owner"], club.users["other"]
    sender = Sender(club)
    club.facts["game"] = make_game(owner, other, variant=variant).public_id
    shown = {ask.row for ask in asks(club.facts, variant=variant, fen="") if _shows_games(club, ask)}
    usual = _usual(sender, club, variant, shown)
    for position in worst_positions(row, steps=5_000, dice=Random(variant), most=CAPTURES, count=3):
        try:
            start = checked_start(row, position.fen())
        except (CrownheadError, Problem):  # it has no move, or a side no piece
            continue
        club.facts["game"] = make_game_from(start, owner, other, variant=variant).public_id
        assert _slow(sender, club, usual, variant, position.fen()) == []


@pytest.mark.nightly
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_picture_of_a_board_full_of_kings_takes_hardly_longer_than_another(
    club: Visitors, variant: str
) -> None:
    """Nobody else's request goes on while it is drawn."""
    fen, sender = full_of_kings(variant).fen(), Sender(club)
    pictures = {ask.row for ask in asks(club.facts, variant=variant, fen="") if ".png" in ask.row}
    assert pictures
    usual = _usual(sender, club, variant, pictures)
    assert _slow(sender, club, usual, variant, fen, within=DRAWN_WITHIN) == []


def _visited(
    sender: Sender,
    club: Visitors,
    nodes: list[int],
    *,
    variant: str,
    fen: str,
    rows: Container[str] | None = None,
) -> dict[str, int]:
    """The most nodes that each request visits, of all or of some; none fails, and no answer is too large."""
    most: dict[str, int] = {}
    for ask in asks(club.facts, variant=variant, fen=fen):
        if rows is not None and ask.row not in rows:
            continue
        nodes.clear()
        answer = sender.send(ask)
        assert answer.status_code != 500, ask
        assert size(answer) < LARGEST or ask.row in GROWING, ask
        assert sum(nodes) <= site.CAPTURES_PER_REQUEST, ask
        most[ask.row] = max(most.get(ask.row, 0), sum(nodes))
    return most


def _taking(sender: Sender, club: Visitors, nodes: list[int]) -> set[str]:
    """The requests whose work depends on the position that they bring."""
    variant, fen = known_positions()[0]
    usual, crafted = (_visited(sender, club, nodes, variant=variant, fen=text) for text in ("", fen))
    return {row for row in crafted if crafted[row] > usual[row] + 200}


def _shows_games(club: Visitors, ask: Ask) -> bool:
    return club.facts["game"] in ask.address or ask.row in LISTS


def _usual(sender: Sender, club: Visitors, variant: str, rows: set[str]) -> dict[str, float]:
    """What each request takes without a crafted position; what is made once is made then."""
    usual: dict[str, float] = {}
    for ask in asks(club.facts, variant=variant, fen=""):
        if ask.row in rows:
            usual[ask.row] = max(usual.get(ask.row, 0), sender.seconds(ask))
    return usual


def _slow(
    sender: Sender,
    club: Visitors,
    usual: dict[str, float],
    variant: str,
    fen: str,
    *,
    within: float = WITHIN,
) -> list[tuple[int, int, Ask]]:
    """Requests that take longer than they may: milliseconds, what they take otherwise, and the request."""
    return [
        (round(seconds * 1000), round(usual[ask.row] * 1000), ask)
        for ask in asks(club.facts, variant=variant, fen=fen)
        if ask.row in usual and (seconds := sender.seconds(ask)) > usual[ask.row] + within
    ]
