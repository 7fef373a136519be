"""Mail to people without an account: from confirmed members, a plain note, and only so many."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from crownhead.server.accounts.addresses import selectors
from crownhead.server.accounts.contacts.services import block
from crownhead.server.accounts.models import InvitationOptOut, User
from crownhead.server.accounts.preferences.services import set_preferences
from crownhead.server.accounts.services import invitation_opt_out
from crownhead.server.accounts.services.stranger_mail import LONGEST_NOTE, check_note
from crownhead.server.core import clock
from crownhead.server.core.problems import Forbidden, TooMany, Unprocessable
from crownhead.server.people.services import friends
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.invitations import services as invitation_services
from crownhead.server.play.models import Game
from tests.server.conftest import make_user

pytestmark = pytest.mark.django_db

STRANGER = "eve@stranger.example"
SITE = "http://testserver"
Send = Callable[[User, str], None]


def to_a_game(user: User, note: str = "", address: str = STRANGER) -> None:
    terms = GameOptions(variant="american", colour="first", days_per_move=3)
    invitation_services.invite(
        creator=user, opponent=address, options=terms, message=note, site=SITE, now=clock.now()
    )


def to_the_club(user: User, note: str = "", address: str = STRANGER) -> None:
    friends.invite(user=user, address=address, message=note, site=SITE, now=clock.now())


both = pytest.mark.parametrize("send", [to_a_game, to_the_club])


@both
def test_only_confirmed_members_send_it(alice: User, send: Send) -> None:
    EmailAddress.objects.update(verified=False)
    with pytest.raises(Forbidden, match="Confirm your own"):
        send(alice, "")
    assert not Game.objects.exists()


@both
@pytest.mark.parametrize(
    "note",
    [
        "Win now: https://evil.example/x",
        "http:/evil",
        "see evil.example",
        "see Evil.Example/x?",
        "www evil",
        "write to me@evil.example",
        "evil\u3002example",
        "e\u200bvil.ex\u200bample",
        "ｅｖｉｌ．ｅｘａｍｐｌｅ",
        "пример.рф",
        "\\\\evil\\share",
    ],
)
def test_a_note_has_no_links(alice: User, send: Send, note: str) -> None:
    with pytest.raises(Unprocessable, match="can't contain links"):
        send(alice, note)


@pytest.mark.parametrize(
    "note", ["Shall we play? 3.5 points last time...", "Hi Eve! It's Tom. Come & play :)", "11-15 22x18 e.g."]
)
def test_plain_words_are_no_links(note: str) -> None:
    assert check_note(note) == note


@both
def test_a_note_is_short(alice: User, send: Send) -> None:
    with pytest.raises(Unprocessable, match="at most 200 characters"):
        send(alice, "x" * (LONGEST_NOTE + 1))
    send(alice, "x" * LONGEST_NOTE)


def test_a_note_is_one_plain_line() -> None:
    assert check_note(" Come\r\n\tand \u202eplay\x00! ") == "Come and play !"


def test_one_address_gets_only_so_many_from_all_together(
    settings: Settings, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks, db: None
) -> None:
    now = clock.now()
    members = [make_user(f"member-{letter}") for letter in "abcd"]
    with clock.stopped(now), django_capture_on_commit_callbacks(execute=True):
        for member in members:
            to_the_club(member)
            to_a_game(member)
    assert [letter.to for letter in mail.outbox] == [[STRANGER]] * 3
    with clock.stopped(now + timedelta(days=31)), django_capture_on_commit_callbacks(execute=True):
        to_a_game(members[0])
    assert len(mail.outbox) == 4


@both
def test_the_club_sends_only_so_many(
    alice: User,
    settings: Settings,
    send: Callable[[User, str, str], None],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.LIMITS = settings.LIMITS | {"club_invitations": "2/d"}
    with clock.stopped(clock.now()):
        for number in range(2):
            with django_capture_on_commit_callbacks(execute=True):
                send(alice, "", f"eve{number}@stranger.example")
        with pytest.raises(TooMany):
            send(alice, "", "eve9@stranger.example")
    assert len(mail.outbox) == 2


@both
def test_a_member_sends_a_part_of_what_the_club_may(
    alice: User,
    bob: User,
    settings: Settings,
    send: Callable[[User, str, str], None],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.LIMITS = settings.LIMITS | {"member_invitations": "1/d"}
    with clock.stopped(clock.now()), django_capture_on_commit_callbacks(execute=True):
        send(alice, "", "eve0@stranger.example")
        with pytest.raises(TooMany, match="today's limit"):
            send(alice, "", "eve1@stranger.example")
        send(bob, "", "eve2@stranger.example")
    assert len(mail.outbox) == 2


@both
def test_one_click_is_enough_for_never_again(
    alice: User, bob: User, send: Send, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        send(alice, "Come!")
    (letter,) = mail.outbox
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    stop = letter.extra_headers["List-Unsubscribe"].strip("<>").removeprefix(SITE)
    assert stop in str(letter.body)
    assert Client(enforce_csrf_checks=True).post(stop).status_code == 200
    assert selectors.has_opted_out(STRANGER)
    with django_capture_on_commit_callbacks(execute=True):
        send(bob, "Come!")
    assert len(mail.outbox) == 1


@both
@pytest.mark.parametrize("address", ["bob@club.example", "Bob+games@club.example"])
def test_a_member_who_has_blocked_the_sender_gets_none_at_their_address(
    alice: User,
    bob: User,
    send: Callable[[User, str, str], None],
    address: str,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    block(user=bob, other=alice, now=clock.now())
    with django_capture_on_commit_callbacks(execute=True):
        send(alice, "You can't hide.", address)
    assert not mail.outbox
    with django_capture_on_commit_callbacks(execute=True):
        send(bob, "Come!", "alice@club.example")
    assert [letter.to for letter in mail.outbox] == [["alice@club.example"]]


@both
@pytest.mark.parametrize("choice", ["nobody", "buddies"])
def test_a_member_who_takes_no_invitations_gets_none_at_their_address(
    alice: User,
    bob: User,
    send: Callable[[User, str, str], None],
    choice: str,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    set_preferences(user=bob, changes={"invitations": choice})
    with django_capture_on_commit_callbacks(execute=True):
        send(alice, "Come!", "Bob@club.example")
    assert not mail.outbox


@pytest.mark.parametrize(
    "address", ["bobb+x@mail.example", "BobB+x@gmail.com", "bob.b@gmail.com", "b.obb@googlemail.com"]
)
def test_a_member_is_known_by_another_spelling_of_their_address(bob: User, address: str) -> None:
    own = "bobb@mail.example" if address.endswith(".example") else "bobb@gmail.com"
    EmailAddress.objects.filter(user=bob).update(email=own)
    assert selectors.owners(address) == [bob.pk]


@both
def test_what_a_sender_has_left_does_not_tell_who_has_blocked_them(
    alice: User, bob: User, send: Callable[[User, str, str], None], settings: Settings
) -> None:
    settings.LIMITS = {**settings.LIMITS, "member_invitations": "1/d"}
    block(user=bob, other=alice, now=clock.now())
    friends.invite(user=alice, address="bob@club.example", message="", site=SITE, now=clock.now())
    with pytest.raises(TooMany):
        send(alice, "", STRANGER)


def test_opting_out_holds_for_the_whole_mailbox() -> None:
    token = invitation_opt_out.token_for("eve+games@stranger.example")
    invitation_opt_out.opt_out(token=token, now=clock.now())
    assert selectors.has_opted_out("eve+other@stranger.example")
    assert selectors.has_opted_out(STRANGER)
    assert not selectors.has_opted_out("adam@stranger.example")


@pytest.mark.parametrize(
    ("address", "again"),
    [
        ("eve.adams@gmail.com", "eveadams@gmail.com"),
        ("eve@gmail.com", "eve+club@googlemail.com"),
        ("eve@b\u00fccher.example", "eve@xn--bcher-kva.example"),
        ("eve@xn--bcher-kva.example", "eve@B\u00fccher.example"),
        ('"e\\ve"@stranger.example', STRANGER),
    ],
)
def test_opting_out_holds_however_the_address_is_spelled(
    alice: User,
    address: str,
    again: str,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    invitation_opt_out.opt_out(token=invitation_opt_out.token_for(address), now=clock.now())
    with django_capture_on_commit_callbacks(execute=True):
        to_the_club(alice, address=again)
        to_a_game(alice, address=again)
    assert mail.outbox == []


@pytest.mark.parametrize("address", ['"eve"@stranger.example', '"\\eve+club"@stranger.example'])
def test_quotation_marks_make_no_other_address(alice: User, bob: User, address: str) -> None:
    invitation_opt_out.opt_out(token=invitation_opt_out.token_for(STRANGER), now=clock.now())
    assert selectors.has_opted_out(address)
    EmailAddress.objects.filter(user=bob).update(email=STRANGER)
    block(user=bob, other=alice, now=clock.now())
    assert selectors.owners(address) == [bob.pk]
    assert selectors.blocks(address, alice)
    EmailAddress.objects.filter(user=bob).update(email=address)
    assert selectors.blocks(STRANGER, alice)


@pytest.mark.parametrize("kept", ["eve.adams+club@gmail.com", "eve.adams@gmail.com"])
def test_who_opted_out_before_spellings_were_known_stays_out(db: None, kept: str) -> None:
    digest = hashlib.sha256(kept.encode()).hexdigest()
    InvitationOptOut.objects.create(digest=digest, created_at=clock.now())
    assert selectors.has_opted_out("Eve.Adams+club@gmail.com")


def test_many_resets_from_elsewhere_do_not_hold_up_the_owners(alice: User) -> None:
    for _ in range(15):
        Client(REMOTE_ADDR="203.0.113.5").post("/accounts/password/reset/", {"email": alice.email})
    assert len(mail.outbox) == 10, "one who asks again and again is limited by the mails"
    answer = Client(REMOTE_ADDR="198.51.100.7").post("/accounts/password/reset/", {"email": alice.email})
    assert answer.status_code == 302
    assert len(mail.outbox) == 11
