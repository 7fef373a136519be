"""What remains of messages when a member leaves, and what they can export."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import closing
from crownhead.server.core import exports
from crownhead.server.core.background import write_buffers
from crownhead.server.social import selectors
from crownhead.server.social.models import Conversation, Message, NewsRead, Side
from crownhead.server.social.services import clearing, messages, reports
from crownhead.server.social.services.news import note_read
from tests.server.social.conftest import NOW, Open, Write

Ignore = Callable[[User, User], None]


def archived(name: str, user: User) -> Any:
    """A file of a member's archive."""
    return json.loads(b"".join(exports.pieces(name, user)))


def test_the_archive_holds_what_one_can_read_in_order(
    alice: User, bob: User, charlie: User, write: Write, ignore: Ignore
) -> None:
    first = write(alice, bob, "one", "the cup")
    write(bob, alice, "two")
    gone = write(bob, alice, "deleted")
    messages.delete_message(user=alice, message_id=gone.public_id)
    ignore(alice, charlie)
    write(charlie, alice, "never heard")
    assert archived("messages.json", alice) == [
        {
            "conversation": first.conversation.public_id,
            "subject": "the cup",
            "from": "alice",
            "to": "bob",
            "sent_at": "2026-03-02T12:00:00+00:00",
            "text": "one",
        },
        {
            "conversation": Message.objects.get(text="two").conversation.public_id,
            "subject": "",
            "from": "bob",
            "to": "alice",
            "sent_at": "2026-03-02T12:00:00+00:00",
            "text": "two",
        },
    ]


def test_the_archive_holds_your_reports_and_their_answers(alice: User, bob: User) -> None:
    reports.report(user=alice, kind="player", key="bob", reason="Rude.", now=NOW)
    (report,) = archived("reports.json", alice)
    assert (report["reported"], report["reason"], report["decision"]) == ("bob", "Rude.", "")
    assert archived("reports.json", bob) == []


def test_a_player_who_leaves_leaves_their_words_with_those_to_whom_they_wrote(
    window: Open, alice: User, bob: User, write: Write
) -> None:
    message = write(alice, bob, "Farewell")
    closing.close(user=alice, now=NOW)
    clearing.clear(now=NOW)
    assert not Side.objects.filter(user=alice).exists()
    page = window(bob).get(f"/messages/{message.conversation.public_id}/")
    assert "Farewell" in page.text
    assert "alice" not in page.text
    assert "This account is closed" in page.text


def test_what_only_they_could_read_goes_with_them(
    alice: User, bob: User, write: Write, ignore: Ignore
) -> None:
    kept = write(alice, bob, "one", "kept")
    both = write(alice, bob, "two", "deleted by the other")
    messages.delete_conversation(user=bob, conversation_id=both.conversation.public_id)
    ignore(bob, alice)
    write(alice, bob, "three", "never heard")
    closing.close(user=alice, now=NOW)
    clearing.clear(now=NOW)
    assert list(Message.objects.all()) == [kept]
    assert list(Conversation.objects.all()) == [kept.conversation]
    assert selectors.unread_count(user=bob) == 1


@pytest.mark.parametrize("buffered", [False, True])
def test_what_news_were_read_is_forgotten_with_the_account(alice: User, buffered: bool) -> None:
    with write_buffers.buffering() if buffered else nullcontext():
        note_read(user=alice, until=NOW)
        closing.close(user=User.objects.get(pk=alice.pk), now=NOW)
    assert not NewsRead.objects.exists()
