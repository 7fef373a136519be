"""What members have deleted is neither sent nor kept by their notifications."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core import clock, exports
from crownhead.server.notices.models import Notice
from crownhead.server.social.models import Message
from crownhead.server.social.services import clearing, messages

pytestmark = pytest.mark.django_db

SECRET = "nobody else may read this"


def _delete_message(reader: User, message: Message) -> None:
    messages.delete_message(user=reader, message_id=message.public_id)


def _delete_conversation(reader: User, message: Message) -> None:
    messages.delete_conversation(user=reader, conversation_id=message.conversation.public_id)


def _delete_picked(reader: User, message: Message) -> None:
    messages.delete_picked(user=reader, conversation_ids=[message.conversation.public_id])


def write(sender: User, text: str) -> Message:
    return messages.write(user=sender, to="bob", subject="", text=text, now=clock.now())


def test_neither_is_the_subject_of_what_a_reader_deletes(alice: User, bob: User) -> None:
    message = messages.write(user=alice, to="bob", subject=SECRET, text="Hello!", now=clock.now())
    assert SECRET in Notice.objects.get(user=bob).subject

    _delete_conversation(bob, message)

    assert Notice.objects.get(user=bob).subject == ""


@pytest.mark.parametrize("delete", [_delete_message, _delete_conversation, _delete_picked])
def test_what_a_reader_deletes_is_not_kept_in_notifications(
    alice: User, bob: User, delete: Callable[[User, Message], None]
) -> None:
    message = write(alice, SECRET)
    assert SECRET in Notice.objects.get(user=bob).text

    delete(bob, message)

    notice = Notice.objects.get(user=bob)
    assert (notice.text, notice.withdrawn_at is None, notice.read_at is None) == ("", False, False)
    assert not [
        piece for name in exports.parts() for piece in exports.pieces(name, bob) if SECRET.encode() in piece
    ]


def test_what_the_sender_deletes_stays_the_readers(alice: User, bob: User) -> None:
    message = write(alice, SECRET)
    _delete_message(alice, message)
    notice = Notice.objects.get(user=bob)
    assert (SECRET in notice.text, notice.withdrawn_at) == (True, None)


def test_other_messages_of_the_conversation_are_still_told(alice: User, bob: User) -> None:
    message = write(alice, SECRET)
    write(alice, "something else")
    _delete_message(bob, message)
    assert [notice.text for notice in Notice.objects.filter(user=bob, withdrawn_at=None)] == [
        "something else"
    ]


def test_what_had_been_read_is_forgotten_when_the_conversation_is_cleared(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clearing, "AT_ONCE", 2)
    written = [write(alice, f"{SECRET} {number}") for number in range(5)]
    Notice.objects.filter(user=bob).exclude(text__contains="4").update(read_at=clock.now())
    _delete_conversation(bob, written[0])
    kept = Notice.objects.filter(user=bob).exclude(text="").order_by("pk")
    assert [notice.text[-1] for notice in kept] == ["0", "1", "2", "3"]

    clearing.clear(now=clock.now())

    assert not kept.all().exists()
