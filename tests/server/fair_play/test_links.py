"""What somebody else's link makes a player open is no evidence; what they ask for themselves is."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from crownhead.server.accounts.models import User
from crownhead.server.analysis.studies import services as study_services
from crownhead.server.analysis.studies.services import AnalysisRequest
from crownhead.server.core import clock
from crownhead.server.fair_play.models import EngineRequest
from crownhead.server.play.models import Game
from crownhead.server.play.selectors import replay_game
from crownhead.server.problems import selectors as problem_selectors
from tests.server.analysis.test_fair_play import RELAYED
from tests.server.guests import browser_of, make_guest
from tests.server.play.factories import NOW, api_of, make_game, make_game_from, play_moves

pytestmark = pytest.mark.django_db

SITES: tuple[dict[str, str], ...] = (
    {},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"},
)
REFUSED = "while your game is in progress"
GUARD, COMPUTER, BEGIN = "/analysis/guard/", "/computer/", "/analysis/begin/"


@pytest.fixture
def here(alice: User, bob: User) -> dict[str, str]:
    """The position of a running game of Alice and Bob, which is beyond the opening."""
    return _position(play_moves(make_game(alice, bob), *RELAYED))


@pytest.fixture
def study(here: dict[str, str]) -> str:
    """An analysis of that position, begun by Bob without signing in."""
    query = AnalysisRequest(variant=here["variant"], fen=here["fen"])
    made = study_services.create_study(user=None, caller="address:192.0.2.1", query=query, now=NOW)
    return made.public_id


def _position(game: Game) -> dict[str, str]:
    return {"variant": game.variant, "fen": replay_game(game).position.fen()}


def browser_for(user: User, *, checks_tokens: bool = False) -> Client:
    client = Client(enforce_csrf_checks=checks_tokens, raise_request_exception=False)
    client.force_login(user)
    return client


def open_link(client: Client, address: str, query: dict[str, str] | None = None) -> None:
    """Follow a link as from the club itself and as from another site: it is refused, and leaves nothing."""
    address = f"{address}?{urlencode(query)}" if query else address
    for site in SITES:
        assert REFUSED in client.get(address, headers=site).content.decode()
        client.head(address, headers=site)
        assert not EngineRequest.objects.exists(), (address, site)


# ------------------------------------------------------------------------------------------ links


def test_a_link_to_an_analysis_of_somebody_else_is_no_evidence(
    alice: User, here: dict[str, str], study: str
) -> None:
    open_link(browser_for(alice), "/analysis/", {**here, "study": study})


def test_a_link_to_the_guard_of_the_browsers_engine_is_no_evidence(alice: User, here: dict[str, str]) -> None:
    client = browser_for(alice)
    open_link(client, GUARD, here)
    open_link(client, GUARD, {**here, "asked": "1"})


def test_a_link_to_the_guard_of_the_computer_is_no_evidence(alice: User, here: dict[str, str]) -> None:
    open_link(browser_for(alice), GUARD, {**here, "computer": "1", "plies": "10"})


def test_a_link_to_the_computer_is_no_evidence(alice: User, here: dict[str, str]) -> None:
    open_link(browser_for(alice), COMPUTER, {**here, "colour": "first"})


def test_a_link_to_an_analysis_in_the_api_is_no_evidence(
    alice: User, here: dict[str, str], study: str
) -> None:
    open_link(browser_for(alice), f"/api/v1/analyses/{study}")


def test_reading_an_analysis_by_a_token_is_no_evidence(alice: User, here: dict[str, str], study: str) -> None:
    assert api_of(alice).get(f"/analyses/{study}").status_code == 403
    assert not EngineRequest.objects.exists()


def test_a_link_to_a_problem_is_no_evidence(alice: User, bob: User) -> None:
    daily = problem_selectors.daily(clock.now())
    make_game_from(daily.fen, alice, bob, variant=daily.variant)
    client = browser_for(alice)
    open_link(client, reverse("problems:problem", args=[daily.key]))
    open_link(client, reverse("problems:problem", args=[daily.key]), {"shown": "1"})
    open_link(client, f"/api/v1/problems/{daily.key}")
    open_link(client, "/api/v1/problems/daily")


def test_no_link_makes_evidence_against_a_guest_who_plays(bob: User) -> None:
    guest = make_guest()
    here, client = _position(play_moves(make_game(bob, guest), *RELAYED)), browser_of(guest)
    for address in (GUARD, COMPUTER):
        open_link(client, address, {**here, "asked": "1"})


def test_a_form_of_another_site_makes_no_evidence(alice: User, here: dict[str, str]) -> None:
    client = browser_for(alice, checks_tokens=True)
    for address in (GUARD, BEGIN):
        assert client.post(address, here, headers=SITES[1]).status_code == 403
    assert not EngineRequest.objects.exists()


# ------------------------------------------------------------------------------------------ asking


def with_token(client: Client, address: str, form: dict[str, str]) -> Any:
    """Send a form as a page of the club does, with its token."""
    client.get("/analysis/")
    token = client.cookies["csrftoken"].value
    return client.post(address, form, headers={"X-CSRFToken": token}, follow=True)


@pytest.mark.parametrize(
    ("address", "more"),
    [
        pytest.param(GUARD, {}, id="turning the engine of the browser on"),
        pytest.param(
            GUARD, {"computer": "1", "plies": "10"}, id="a move against the computer of the browser"
        ),
        pytest.param(BEGIN, {}, id="an analysis"),
        pytest.param(BEGIN, {"do": "answer", "against": "3"}, id="the computer's move on the analysis board"),
        pytest.param(
            "/computer/keep/",
            {"fen": "", "level": "3", "colour": "second", "moves": " ".join(RELAYED)},
            id="going on with a game against the computer",
        ),
    ],
)
def test_what_a_player_asks_for_by_a_form_is_kept(
    alice: User, here: dict[str, str], address: str, more: dict[str, str]
) -> None:
    answer = with_token(browser_for(alice, checks_tokens=True), address, {**here, **more})
    assert REFUSED in answer.content.decode()
    row = EngineRequest.objects.get()
    assert (row.user, row.fen, row.times) == (alice, here["fen"], 1)


def test_what_a_player_asks_for_by_a_token_is_kept(alice: User, here: dict[str, str]) -> None:
    assert api_of(alice).post("/analyses", here).status_code == 403
    assert EngineRequest.objects.get().times == 1
    terms = {"colour": "first", "days_per_move": 3, "computer": 10}
    start = {"variant": here["variant"], "start": here["fen"]}
    assert api_of(alice).post("/games", {**terms, **start}).status_code == 403
    assert EngineRequest.objects.get().times == 2


def test_what_a_guest_who_plays_asks_for_is_kept(bob: User) -> None:
    guest = make_guest()
    here = _position(play_moves(make_game(bob, guest), *RELAYED))
    assert REFUSED in browser_of(guest).post(GUARD, here).content.decode()
    assert EngineRequest.objects.get().user == guest
