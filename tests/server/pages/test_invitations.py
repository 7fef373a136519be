"""Inviting by name and by mail, and the page where invitations are answered."""

from __future__ import annotations

import re

import pytest
from django.core.mail import EmailMessage
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from crownhead.server.accounts.models import User
from crownhead.server.play.models import Game
from tests.server.pages.conftest import Open
from tests.server.pages.test_new_game import FORM

INVITATION = FORM | {"opponent": "bob", "message": "Shall we?\nOnce more."}


def test_naming_an_opponent_makes_it_an_invitation(window: Open, alice: User, bob: User) -> None:
    answer = window(alice).post("/new/", INVITATION, follow=True)

    game = Game.objects.get()
    assert (game.open, game.invited, game.invitation.message) == (False, bob, "Shall we?\nOnce more.")
    assert "Your invitation to bob has been sent." in answer.text
    assert "Withdraw the invitation to bob" in answer.html


def test_the_one_invited_sees_the_terms_and_the_message_and_accepts(
    window: Open, alice: User, bob: User
) -> None:
    window(alice).post("/new/", INVITATION | {"match": "two", "rated": "on", "weekends_off": "on"})
    member = window(bob)

    page = member.get("/invitations/")
    assert "3 days per move, weekends off you start as White Match of 2 games rated" in page.text
    assert "Shall we?<br>Once more." in page.html
    answer = member.post(f"/invitations/{Game.objects.get().public_id}/accept/", follow=True)

    assert "The game has started." in answer.text
    assert {game.status for game in Game.objects.all()} == {"playing"}


def test_of_a_live_game_the_clock_alone_says_that_it_has_started(
    window: Open, alice: User, bob: User
) -> None:
    window(alice).post("/new/", INVITATION | {"pace": "live", "live": "5+3"})

    answer = window(bob).post(f"/invitations/{Game.objects.get().public_id}/accept/", follow=True)

    assert Game.objects.get().status == "playing"
    assert "Good luck" not in answer.text


def test_declining_and_withdrawing_lead_back_to_the_list(window: Open, alice: User, bob: User) -> None:
    inviter, member = window(alice), window(bob)
    inviter.post("/new/", INVITATION)
    inviter.post("/new/", INVITATION)
    one, two = Game.objects.order_by("pk")

    declined = member.post(f"/invitations/{one.public_id}/decline/", {"back": "invitations"})
    withdrawn = inviter.post(f"/waiting-room/{two.public_id}/withdraw/", {"back": "invitations"})

    assert {declined.location, withdrawn.location} == {"/invitations/"}
    assert "You have no invitations right now." in member.get("/invitations/").text
    assert "You have no open invitations." in inviter.get("/invitations/").text


def test_an_answer_that_comes_too_late_is_reported(window: Open, alice: User, bob: User) -> None:
    window(alice).post("/new/", INVITATION)
    game = Game.objects.get()
    window(alice).post(f"/waiting-room/{game.public_id}/withdraw/")

    answer = window(bob).post(f"/invitations/{game.public_id}/accept/")

    assert answer.status == 409
    assert "This game is no longer available." in answer.text


def test_a_player_who_has_to_sign_in_first_is_not_sent_to_an_address_that_only_takes_forms(
    window: Open, alice: User, bob: User
) -> None:
    window(alice).post("/new/", INVITATION)
    game = Game.objects.get().public_id

    assert window().post(f"/invitations/{game}/accept/").location.startswith("/accounts/login/")
    assert window(bob).get(f"/invitations/{game}/accept/").location == f"/games/{game}/"
    assert window(bob).get(f"/invitations/{game}/decline/").location == "/"
    assert window().get("/invitations/").location == "/accounts/login/?next=/invitations/"


def test_a_stranger_is_invited_by_mail_and_the_inviter_has_the_link(
    window: Open,
    alice: User,
    mailoutbox: list[EmailMessage],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        window(alice).post("/new/", FORM | {"opponent": "eve@stranger.example", "message": "Come"})

    (mail,) = mailoutbox
    link = re.search(r"http://testserver/join/[\w-]+/", str(mail.body))
    assert link
    page = window(alice).get("/invitations/")
    assert "eve@stranger.example" in page.text
    assert f'href="{link[0]}"' in page.html
    assert link[0] not in window(alice).get("/").html


def test_invitations_by_mail_are_limited(window: Open, alice: User, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"invitations": "1/h"}
    member, form = window(alice), FORM | {"opponent": "eve@stranger.example"}
    member.post("/new/", form)

    answer = member.post("/new/", form)

    assert answer.status == 429
    assert Game.objects.count() == 1


@pytest.mark.parametrize(
    ("opponent", "sentence"),
    [
        ("nobody-here", "There is no player with that name."),
        ("ALICE", "You can't play against yourself."),
        ("eve@", "Enter a player's name or an e-mail address."),
    ],
)
def test_an_opponent_who_cannot_be_invited_is_told_beside_the_field(
    window: Open, alice: User, opponent: str, sentence: str
) -> None:
    answer = window(alice).post("/new/", FORM | {"opponent": opponent, "message": "Hello there"})

    assert answer.status == 422
    assert f'<span class="field-error">{sentence.replace(chr(39), "&#x27;")}</span>' in answer.html
    assert f'value="{opponent}"' in answer.html
    assert "Hello there</textarea>" in answer.html
    assert not Game.objects.exists()


def test_a_message_too_long_is_reported_and_kept(window: Open, alice: User, bob: User) -> None:
    answer = window(alice).post("/new/", INVITATION | {"message": "x" * 1001})

    assert "Use at most 1000 characters." in answer.text
    assert "x" * 1001 in answer.html


def test_a_ballot_is_chosen_in_an_invitation(window: Open, alice: User, bob: User) -> None:
    window(alice).post("/new/", INVITATION | {"variant": "pro", "opening": "12"})

    assert Game.objects.get().opening == 12
    assert "ballot 12" in window(bob).get("/invitations/").text


def test_an_address_longer_than_any_is_refused(window: Open, alice: User) -> None:
    page = window(alice).post("/new/", FORM | {"opponent": f"{'a' * 250}@stranger.example"})
    assert (page.status, Game.objects.exists()) == (422, False)
    assert "name or an e-mail address." in page.text
