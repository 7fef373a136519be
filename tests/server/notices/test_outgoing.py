"""Letters about accounts: stored by the page, sent by a worker, at least once under one Message-ID."""

from __future__ import annotations

import smtplib
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path
from typing import Any, NoReturn

import pytest
from allauth.account.adapter import get_adapter
from django.core.mail import EmailMessage, send_mail
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.test import Client, RequestFactory
from django.utils import timezone, translation
from pytest_django import Settings

from crownhead.server import accounts
from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import letters
from crownhead.server.core import clock
from crownhead.server.notices.channels import outgoing
from crownhead.server.notices.models import LetterNote, OutgoingMail
from tests.server.play.factories import DAY, NOW

_TEMPLATES = Path(str(accounts.__file__)).parent / "templates" / "account" / "email"
LETTERS = sorted(path.name.removesuffix("_subject.txt") for path in _TEMPLATES.glob("*_subject.txt"))
VALUES = """activate_url deleted_email from_email ip link new_email password_reset_url signup_url to_email
    undo_link user_agent""".split()  # of the templates

MINUTE = timedelta(minutes=1)
pytestmark = pytest.mark.django_db


class Post(BaseEmailBackend):
    """A mail server; ``trouble`` is what it says."""

    def __init__(self, trouble: BaseException | None = None) -> None:
        super().__init__()
        self.trouble, self.got = trouble, []  # type: ignore[var-annotated]

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        self.got += [message.message().as_bytes() for message in email_messages]
        if self.trouble:
            raise self.trouble
        return len(email_messages)


@pytest.fixture(autouse=True)
def _asked(settings: Settings) -> None:
    """A page has asked for a letter."""
    settings.EMAIL_BACKEND = "crownhead.server.notices.channels.outgoing.StoredMailBackend"
    with clock.stopped(NOW):
        send_mail("Grüße", "Your link", "club@club.example", ["dora@club.example"])


def send(post: Post, minutes: float = 0) -> int:
    return outgoing.send_due(now=NOW + minutes * MINUTE, connection=post)


def test_a_letter_leaves_as_it_was_written_once() -> None:
    post = Post()
    assert send(post) == 1
    assert send(post, 10) == 0
    (letter,) = map(message_from_bytes, post.got)
    assert (letter["To"], letter.get_payload(decode=True)) == ("dora@club.example", b"Your link\n")
    assert not OutgoingMail.objects.exists()


def test_a_letter_that_was_leaving_when_the_worker_died_leaves_again_with_its_message_id() -> None:
    killed, post = Post(SystemExit()), Post()
    with pytest.raises(SystemExit):
        send(killed)
    assert send(post, 1) == 0  # another may still be at it
    assert send(post, 6) == 1
    assert message_from_bytes(post.got[0])["Message-ID"] == message_from_bytes(killed.got[0])["Message-ID"]


def test_a_letter_about_what_was_rolled_back_is_not_sent() -> None:
    with transaction.atomic():
        send_mail("Hello", "Never", None, ["dora@club.example"])
        transaction.set_rollback(True)
    assert OutgoingMail.objects.count() == 1


def test_a_mail_server_that_is_away_is_tried_again_and_again_and_then_no_more() -> None:
    away = Post(smtplib.SMTPServerDisconnected("gone"))
    for day in range(10):
        send(away, day * DAY / MINUTE)
    assert len(away.got) == 7
    assert not OutgoingMail.objects.exists()


def test_a_letter_that_is_refused_for_good_is_given_up_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    send(Post(smtplib.SMTPRecipientsRefused({"dora@club.example": (550, b"who?")})))
    assert not OutgoingMail.objects.exists()
    assert "given up" in caplog.text
    assert "dora" not in caplog.text


def test_a_page_stores_what_a_letter_is_about_and_the_worker_writes_it(alice: User) -> None:
    OutgoingMail.objects.all().delete()
    post = Post()
    ask_for_reset(alice)
    assert not OutgoingMail.objects.exists()
    assert LetterNote.objects.count() == 1
    assert send(post) == 1
    (letter,) = map(message_from_bytes, post.got)
    assert letter["To"] == alice.email
    assert "/accounts/password/reset/key/" in str(letter.get_payload())
    assert not LetterNote.objects.exists()
    assert not OutgoingMail.objects.exists()


@pytest.mark.parametrize("language", ["en", "nl"])
@pytest.mark.parametrize("name", LETTERS)
def test_a_letter_says_the_same_whether_a_page_writes_it_or_a_worker(
    alice: User, settings: Settings, name: str, language: str
) -> None:
    context = {
        "user": alice,
        "username": alice.username,
        "timestamp": NOW,
        "request": RequestFactory().get("/"),
        **dict.fromkeys(VALUES, "https://club.example/values/"),
        "club_name": settings.CLUB_NAME,
        "email": alice.email,
        "days": 3,
    }
    with translation.override(language), timezone.override("Europe/Amsterdam"):
        direct = get_adapter().render_mail(f"account/email/{name}", alice.email, context)
        letters.send(template=f"account/email/{name}", to=alice.email, context=context)
    (note,) = LetterNote.objects.all()
    later = letters.written(note.note)
    assert (later.subject, later.body, later.to) == (direct.subject, direct.body, direct.to)
    assert letters.written(note.note).extra_headers == later.extra_headers  # its Message-ID


def test_a_letter_whose_worker_died_while_writing_is_written_by_the_next(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    OutgoingMail.objects.all().delete()
    ask_for_reset(alice)
    with monkeypatch.context() as killed:
        killed.setattr(letters, "written", raising(SystemExit()))
        with pytest.raises(SystemExit):
            outgoing.write_due(now=NOW)
    assert LetterNote.objects.count() == 1
    assert not OutgoingMail.objects.exists()
    assert send(Post()) == 1


def test_a_letter_that_cannot_be_written_stops_no_other_and_is_tried_again(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_for_reset(alice)
    with monkeypatch.context() as broken:
        broken.setattr(letters, "written", raising(ValueError("a template")))
        assert send(Post()) == 1  # the one of the fixture
    assert LetterNote.objects.get().tries == 1
    assert send(Post(), 0) == 0
    assert send(Post(), 60 * 24) == 1


def test_a_note_about_what_was_rolled_back_is_not_written(alice: User) -> None:
    with transaction.atomic():
        ask_for_reset(alice)
        transaction.set_rollback(True)
    assert not LetterNote.objects.exists()


def ask_for_reset(user: User) -> None:
    with clock.stopped(NOW):
        Client().post("/accounts/password/reset/", {"email": user.email})


def raising(error: BaseException) -> Callable[..., NoReturn]:
    """A function that raises an error."""

    def fail(*_: object) -> NoReturn:
        raise error

    return fail


def test_a_slow_mail_server_gets_no_letter_twice() -> None:
    """The claim of each begins when it is taken, however long those before took."""
    OutgoingMail.objects.all().delete()
    letters = [EmailMessage(f"letter {n}", "x", "club@a.example", ["c@d.example"]) for n in range(3)]
    sent: list[str] = []

    class Fast(BaseEmailBackend):
        def send_messages(self, email_messages: Any) -> int:
            sent.append(str(message_from_bytes(email_messages[0].message().as_bytes())["Subject"]))
            return 1

    class Slow(Fast):
        def send_messages(self, email_messages: Any) -> int:
            stack.enter_context(clock.stopped(clock.now() + outgoing.LEASE * 0.6))
            if len(sent) == 2:
                outgoing.send_due(now=clock.now(), connection=Fast())  # another worker, meanwhile
            return super().send_messages(email_messages)

    with ExitStack() as stack:
        stack.enter_context(clock.stopped(NOW))
        outgoing.StoredMailBackend().send_messages(letters)
        outgoing.send_due(now=NOW, connection=Slow())
    assert len(sent) == len(set(sent)) == 3
