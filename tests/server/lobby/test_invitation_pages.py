"""The pages of invitations, and lists that hold games at every pace."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.lobby.presenters import invitations as invitation_presenters
from crownhead.server.play.games.options import BankClock, GameOptions, LiveClock
from crownhead.server.play.games.services import withdraw_waiting
from crownhead.server.play.invitations import services as invitation_services
from crownhead.server.play.models import Game
from tests.server.conftest import PASSWORD
from tests.server.play.factories import NOW, make_game, make_offer, play_moves

pytestmark = pytest.mark.django_db
TERMS: dict[str, Any] = {"variant": "american", "colour": "first", "days_per_move": 3}


def _client(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def _invite(creator: User, opponent: str, message: str = "") -> str:
    game = invitation_services.invite(
        creator=creator,
        opponent=opponent,
        options=GameOptions(**TERMS),
        message=message,
        site="http://testserver",
        now=clock.now(),
    )
    return game.public_id


@pytest.fixture
def link(
    alice: User,
    mailoutbox: list[EmailMessage],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> str:
    """The path of the link in the mail to a stranger."""
    with django_capture_on_commit_callbacks(execute=True):
        _invite(alice, "eve@stranger.example", "<b>Come</b>")
    found = re.search(r"http://testserver(/join/[\w-]+/)", str(mailoutbox[0].body))
    assert found
    return found[1]


def test_a_stranger_sees_the_game_and_how_to_sign_up(link: str) -> None:
    page = Client().get(link).content.decode()
    assert "alice invites you" in page
    assert "&lt;b&gt;Come&lt;/b&gt;" in page
    assert f"/accounts/signup/?next={link}" in page
    assert "Play as a guest" in page


def test_the_link_works_after_signing_up(link: str) -> None:
    client = Client()
    account = {"username": "eve", "email": "eve@stranger.example", "password1": PASSWORD}
    answer = client.post(f"/accounts/signup/?next={link}", account)
    assert answer.headers["Location"] == link
    assert "Join the game" in client.get(link).content.decode()
    taken = client.post(link)
    assert re.fullmatch(r"/games/\w+/", taken.headers["Location"])
    assert "no longer open" in Client().get(link).content.decode()
    assert client.get(link).headers["Location"] == taken.headers["Location"]


@pytest.mark.parametrize("hidden", [True, False])
@pytest.mark.parametrize("left", ["begun", "withdrawn", "expired"])
def test_a_link_shows_nothing_of_a_game_that_no_longer_waits(
    alice: User, bob: User, charlie: User, link: str, left: str, hidden: bool
) -> None:
    Game.objects.update(hidden=hidden)
    token, now, later = link.split("/")[2], clock.now(), timedelta()
    if left == "begun":
        game = invitation_services.accept_link(user=bob, token=token, now=now)
        play_moves(game, "11-15")
        assert _client(bob).get(link).headers["Location"] == f"/games/{game.public_id}/"
    elif left == "withdrawn":
        withdraw_waiting(user=alice, game_id=Game.objects.get().public_id, now=now)
    else:
        later = timedelta(days=1000)
    with clock.stopped(now + later):
        for client in (Client(), _client(charlie)):
            page = client.get(link).content.decode()
            assert "no longer open" in page
            assert not [words for words in ("alice", "Come", "Position:", 'class="board') if words in page]


def test_ones_own_link_and_one_that_leads_nowhere(alice: User, link: str) -> None:
    assert "your own invitation" in _client(alice).get(link).content.decode()
    assert Client().get("/join/nonesuch/").status_code == 404


def test_the_home_page_shows_invitations_with_their_answers(alice: User, bob: User) -> None:
    game = _invite(alice, "bob", "A game?")
    page = _client(bob).get("/").content.decode()
    assert ">Invitations</h2>" in page
    assert "A game?" in page
    assert "Invitations sent" in _client(alice).get("/").content.decode()
    answer = _client(bob).post(f"/invitations/{game}/accept/")
    assert answer.headers["Location"] == f"/games/{game}/"


def test_an_invitation_is_declined_on_the_home_page(alice: User, bob: User, charlie: User) -> None:
    game = _invite(alice, "bob")
    assert _client(charlie).post(f"/invitations/{game}/decline/").status_code == 404
    assert _client(bob).post(f"/invitations/{game}/decline/").headers["Location"] == "/"
    assert ">Invitations</h2>" not in _client(bob).get("/").content.decode()


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"days_per_move": 1}, "1 day per move"),
        ({"weekends_off": True, "vacation": True}, "3 days per move, weekends off, with vacation"),
        ({"days_per_move": None, "clock": LiveClock(initial=300, increment=3)}, "5 min + 3 s"),
        ({"days_per_move": None, "clock": LiveClock(initial=45, increment=0)}, "45 s + 0 s"),
        (
            {"days_per_move": None, "clock": BankClock(time=72, bonus=12, limit=96)},
            "72 h + 12 h per move, at most 96 h",
        ),
    ],
)
def test_pages_say_the_pace_of_every_game(alice: User, bob: User, terms: dict[str, Any], words: str) -> None:
    with clock.stopped(NOW + timedelta(seconds=1)):
        make_offer(alice, **terms)
        game = make_game(alice, bob, **terms)
        for address in ("/waiting-room/", "/", f"/games/{game.public_id}/"):
            page = _client(alice).get(address)
            assert page.status_code == 200
            assert words in page.content.decode()


def test_many_invitations_are_shown_in_parts(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invitation_presenters, "PER_PAGE", 2)
    options = GameOptions(**TERMS)
    sent = [
        invitation_services.offer_by_link(creator=alice, options=options, now=clock.now()).public_id
        for _ in range(invitation_presenters.MAX_SHOWN + 1)
    ]
    received = _invite(bob, "alice")
    home = _client(alice).get("/").content.decode()
    first, second = (_client(alice).get(f"/invitations/{part}").content.decode() for part in ("", "?page=2"))
    assert [game for game in sent if f"/games/{game}/" in home] == sent[1:]
    assert "All invitations" in home
    assert [game for game in sent if f"/games/{game}/" in first] == sent[-2:]
    assert [game for game in sent if f"/games/{game}/" in second] == sent[-4:-2]
    assert f"/games/{received}/" in first
    assert f"/games/{received}/" not in second
    assert "No more invitations." in second
