"""Inviting a friend: one e-mail, never against their will, and nothing revealed about addresses."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from crownhead.server.accounts.models import InvitationOptOut, User
from crownhead.server.accounts.services import closing
from crownhead.server.core import clock, ids
from crownhead.server.people.models import ToldFriend
from crownhead.server.people.services import friends
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.invitations import services as invitation_services
from tests.server.conftest import PASSWORD, Api
from tests.server.people.conftest import NOW, window_of

pytestmark = pytest.mark.django_db

FRIEND = {"address": "eve@stranger.example", "message": "Come and play!"}
Commits = DjangoCaptureOnCommitCallbacks


def letter() -> tuple[str, str, str]:
    """The text of the last letter, and the paths of its two links."""
    text = str(mail.outbox[-1].body)
    found = re.findall(r"http://testserver(/\S+)", text)
    return text, found[0], found[1]


@pytest.fixture
def invitation(alice: User, django_capture_on_commit_callbacks: Commits) -> tuple[str, str, str]:
    """The letter to a friend of Alice's."""
    with django_capture_on_commit_callbacks(execute=True):
        friends.invite(user=alice, site="http://testserver", now=NOW, **FRIEND)
    return letter()


def test_a_friend_gets_one_email_with_a_link(
    alice: User, django_capture_on_commit_callbacks: Commits
) -> None:
    window = window_of(alice)
    with django_capture_on_commit_callbacks(execute=True):
        assert window.post("/friends/", FRIEND).location == "/friends/"
    (sent,) = mail.outbox
    assert sent.to == [FRIEND["address"]]
    assert sent.subject == "[Crownhead] alice invites you to Crownhead"
    assert "Come and play!" in letter()[0]
    assert "Your invitation is on its way." in window.get("/friends/").text


def test_the_friend_joins_by_the_link_and_finds_who_invited_them(invitation: tuple[str, str, str]) -> None:
    _, link, _ = invitation
    guest = window_of()
    page = guest.get(link)
    assert "alice invites you to Crownhead" in page.text
    assert f"/accounts/signup/?next={link}" in page.html
    client = Client()
    form = {"username": "eve", "email": "eve@stranger.example", "password1": PASSWORD}
    assert client.post(f"/accounts/signup/?next={link}", form)["Location"] == link
    assert "/new/?opponent=alice" in client.get(link).content.decode()


def test_your_own_link_says_so_and_an_old_one_leads_nowhere(
    alice: User, invitation: tuple[str, str, str]
) -> None:
    _, link, _ = invitation
    assert "This is your own invitation." in window_of(alice).get(link).text
    assert friends.forget_links(now=NOW + friends.LINK_LASTS) == 0
    assert friends.forget_links(now=NOW + friends.LINK_LASTS + timedelta(seconds=1)) == 1
    assert window_of().get(link).status == 404
    assert window_of().get("/friends/nonesuch/").status == 404


def test_a_link_of_somebody_who_left_leads_nowhere(alice: User, invitation: tuple[str, str, str]) -> None:
    closing.close(user=alice, now=NOW)
    assert window_of().get(invitation[1]).status == 404


def test_one_email_has_to_do(alice: User, bob: User, invitation: tuple[str, str, str]) -> None:
    again = window_of(alice).post("/friends/", FRIEND | {"address": "EVE@stranger.example"})
    assert again.status == 409
    assert "You have already invited this friend." in again.text
    assert window_of(bob).post("/friends/", FRIEND).location == "/friends/"


def test_a_player_who_wants_no_more_gets_none_and_nobody_learns_of_it(
    bob: User, invitation: tuple[str, str, str], django_capture_on_commit_callbacks: Commits
) -> None:
    _, _, stop = invitation
    page = window_of().get(stop)
    assert "Nobody will be able to invite you" in page.text
    assert not InvitationOptOut.objects.exists()
    assert "get any more invitations from this club" in window_of().post(stop).text
    with django_capture_on_commit_callbacks(execute=True):
        answer = window_of(bob).post("/friends/", FRIEND, follow=True)
    assert "Your invitation is on its way." in answer.text
    assert len(mail.outbox) == 1


def test_an_opt_out_holds_for_invitations_to_games_too(
    bob: User, invitation: tuple[str, str, str], django_capture_on_commit_callbacks: Commits
) -> None:
    terms = GameOptions(variant="american", colour="first", days_per_move=3)

    def invite(address: str) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            invitation_services.invite(
                creator=bob, opponent=address, options=terms, message="", site="http://testserver", now=NOW
            )

    window_of().post(invitation[2])
    invite(FRIEND["address"])
    assert len(mail.outbox) == 1
    invite("other@stranger.example")
    assert window_of().post(letter()[2]).status == 200
    assert mail.outbox[-1].extra_headers["List-Unsubscribe"] == f"<http://testserver{letter()[2]}>"
    invite("Other@stranger.example")
    invite("other+news@stranger.example")
    assert len(mail.outbox) == 2


def test_a_mail_program_can_say_so_by_one_click(invitation: tuple[str, str, str]) -> None:
    headers = mail.outbox[-1].extra_headers
    assert headers["List-Unsubscribe"] == f"<http://testserver{invitation[2]}>"
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(invitation[2], {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert InvitationOptOut.objects.count() == 1


@pytest.mark.parametrize("token", ["x", "a:b:c", "…"])
def test_a_spoilt_link_silences_nobody(db: None, token: str) -> None:
    assert window_of().post(f"/no-more/{token}/").status == 404
    assert not InvitationOptOut.objects.exists()


def test_no_address_is_stored(invitation: tuple[str, str, str]) -> None:
    window_of().post(invitation[2])
    rows = [*ToldFriend.objects.values_list("digest", flat=True)]
    rows += InvitationOptOut.objects.values_list("digest", flat=True)
    assert not any("eve" in row or "@" in row for row in rows)


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"address": "nowhere"}, "is not an e-mail address"),
        ({"address": ""}, "is not an e-mail address"),
        ({"address": f"{'a' * 250}@b.example"}, "is not an e-mail address"),
        ({"address": "a@b.example\nBcc: c@d.example"}, "is not an e-mail address"),
        ({"message": "x" * 201}, "at most 200 characters, not 201"),
    ],
)
def test_what_makes_no_sense_is_said_and_the_words_stay(
    alice: User, form: dict[str, str], words: str
) -> None:
    page = window_of(alice).post("/friends/", FRIEND | form)
    assert page.status == 422
    assert words in page.text
    assert (FRIEND | form)["message"] in page.html
    assert not ToldFriend.objects.exists()


def test_a_player_who_has_not_confirmed_their_own_address_writes_to_nobody(alice: User) -> None:
    EmailAddress.objects.update(verified=False)
    assert "Confirm your own e-mail address first." in window_of(alice).get("/friends/").text
    assert window_of(alice).post("/friends/", FRIEND).status == 403


def test_emails_are_limited(alice: User, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"friends": "2/d"}
    window = window_of(alice)
    for number in (1, 2):
        assert window.post("/friends/", FRIEND | {"address": f"f{number}@s.example"}).status == 302
    assert window.post("/friends/", FRIEND).status == 429


def test_a_member_is_notified_like_a_stranger(api: Api, alice: User, bob: User) -> None:
    as_alice = api.as_(alice)
    answers = [
        as_alice.post("/friends", {"address": address})
        for address in ("bob@club.example", "stranger@club.example")
    ]
    assert [answer.status_code for answer in answers] == [202, 202]
    assert answers[0].content == answers[1].content


def test_programs_are_notified_what_is_wrong(api: Api, alice: User) -> None:
    as_alice = api.as_(alice)
    assert as_alice.post("/friends", {"address": "nowhere"}).status_code == 422
    assert as_alice.post("/friends", {}).status_code == 422
    with clock.stopped(NOW):
        assert as_alice.post("/friends", FRIEND).status_code == 202
        assert as_alice.post("/friends", FRIEND).status_code == 409


def test_the_link_of_an_invitation_has_128_bits(alice: User) -> None:
    invitation = ToldFriend(user=alice, digest="0" * 64)
    assert len(set(ids.ALPHABET)) ** len(invitation.token) >= 2**128
