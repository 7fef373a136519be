"""Challenging somebody from a position: the form, and what both see before they agree."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest

from crownhead import Position
from crownhead.server.accounts.models import User
from crownhead.server.play.models import Game
from tests.server.people.conftest import window_of

pytestmark = pytest.mark.django_db

FEN = "W:W31,32,K30:B1,2,K3"
WRITTEN = Position.from_fen(FEN, "american").fen()
FORM = {"variant": "american", "colour": "first", "terms": "1", "days_per_move": "3", "fen": FEN}


def test_the_analysis_board_leads_to_the_form_with_the_position() -> None:
    page = window_of().get("/analysis/?" + urlencode({"variant": "american", "fen": FEN}))
    assert "Challenge somebody from here" in page.text
    assert "/new/?variant=american&amp;fen=W%3A" in page.html


def test_the_form_shows_the_position_and_asks_for_nothing_that_it_excludes(alice: User) -> None:
    page = window_of(alice).get("/new/?" + urlencode({"variant": "american", "fen": FEN}))
    assert "From this position" in page.text
    assert "White (first)" in page.text
    assert "Send challenge" in page.text
    for name in (
        'name="match"',
        'name="rated"',
        'value="match"',
        'name="first_move"',
        'type="radio" name="variant"',
    ):
        assert name not in page.html


def test_the_member_who_is_challenged_sees_the_position_before_they_accept(alice: User, bob: User) -> None:
    sent = window_of(alice).post("/new/", FORM | {"opponent": "bob", "rated": "on"})
    assert sent.location == "/invitations/"
    game = Game.objects.get()
    assert (game.start_fen, game.rated, game.invited) == (WRITTEN, False, bob)

    for viewer in (alice, bob):
        page = window_of(viewer).get("/invitations/")
        assert "from this position, White to move" in page.text
        assert page.html.count("<svg") or page.html.count("<img")

    window_of(bob).post(f"/invitations/{game.public_id}/accept/", {})
    game.refresh_from_db()
    assert (game.status, game.turn) == ("playing", "second")


def test_a_guest_makes_a_link_and_a_friend_sees_the_position(alice: User) -> None:
    window_of().post("/new/", FORM | {"do": "link"})
    game = Game.objects.get()
    assert game.start_fen == WRITTEN
    page = window_of(alice).get(f"/join/{game.invitation.token}/")
    assert "from this position, White to move" in page.text


def test_somebody_has_to_be_challenged(alice: User) -> None:
    page = window_of(alice).post("/new/", FORM)
    assert page.status == 422
    assert "Name the player you challenge" in page.text
    assert not Game.objects.exists()


@pytest.mark.parametrize("fen", ["nonsense", "W:W99:B1", "W:W32:B", "W" * 500])
def test_a_position_that_cannot_be_played_is_said_to_be_so(alice: User, fen: str) -> None:
    page = window_of(alice).get("/new/?" + urlencode({"variant": "american", "fen": fen}))
    assert page.status == 200
    assert "No game can start from this position" in page.text
    assert window_of(alice).post("/new/", FORM | {"fen": fen, "opponent": "bob"}).status == 422
    assert not Game.objects.exists()
