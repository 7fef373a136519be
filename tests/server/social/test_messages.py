"""People write to each other; each reads and deletes on their own side."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from crownhead.server.accounts.models import User
from crownhead.server.core import events
from crownhead.server.core.problems import Conflict, Forbidden, NotFound, Unprocessable
from crownhead.server.live.models import Outbox
from crownhead.server.social import selectors
from crownhead.server.social.events import MessageSent
from crownhead.server.social.models import Conversation, Message
from crownhead.server.social.services import clearing, messages, moderation
from tests.server.conftest import make_user
from tests.server.social.conftest import NOW, Write

Ignore = Callable[[User, User], None]


@pytest.fixture
def emitted(monkeypatch: pytest.MonkeyPatch) -> list[MessageSent]:
    """The events that messages emit."""
    heard: list[MessageSent] = []
    monkeypatch.setitem(events._in_transaction, MessageSent, [heard.append])  # noqa: SLF001 - nobody else is to hear
    return heard


def texts(user: User, message: Message) -> list[str]:
    """What somebody reads in the conversation of a message."""
    side = selectors.access_conversation(user=user, public_id=message.conversation.public_id)
    return [row.text for row in selectors.messages(side=side).order_by("pk")]


def test_a_message_arrives_with_its_sender(alice: User, bob: User, write: Write) -> None:
    message = write(alice, bob, "  Good game!\r\n")
    assert texts(bob, message) == ["Good game!"]
    assert [row.sender for row in selectors.received(user=bob)] == [alice]
    assert [row.recipient for row in selectors.sent(user=alice)] == [bob]


def test_without_a_subject_two_people_have_one_conversation(alice: User, bob: User, write: Write) -> None:
    write(alice, bob, "one")
    last = write(bob, alice, "two")
    assert texts(alice, last) == ["one", "two"]
    assert selectors.conversations(user=alice).count() == 1


def test_with_a_subject_a_conversation_begins(alice: User, bob: User, write: Write) -> None:
    write(alice, bob, "one", "the cup")
    write(alice, bob, "two", "the cup")
    write(alice, bob, "three")
    assert selectors.conversations(user=bob).count() == 3


def test_an_answer_continues_under_the_same_subject(alice: User, bob: User, write: Write) -> None:
    first = write(alice, bob, "one", "the cup")
    messages.reply(user=bob, conversation_id=first.conversation.public_id, text="two", now=NOW)
    assert texts(alice, first) == ["one", "two"]


def test_what_arrives_waits_until_it_is_read(alice: User, bob: User, write: Write) -> None:
    message = write(alice, bob)
    write(alice, bob)
    assert selectors.unread_count(user=bob) == 1
    assert selectors.unread_count(user=alice) == 0
    messages.mark_read(user=bob, conversation_id=message.conversation.public_id)
    assert selectors.unread_count(user=bob) == 0


def test_what_arrives_while_one_reads_stays_unread(alice: User, bob: User, write: Write) -> None:
    seen = write(alice, bob)
    write(alice, bob, "and another")
    messages.mark_read(user=bob, conversation_id=seen.conversation.public_id, up_to=seen)
    side = selectors.access_conversation(user=bob, public_id=seen.conversation.public_id)
    assert side.unread == 1


def test_a_conversation_can_be_kept_as_not_read(alice: User, bob: User, write: Write) -> None:
    message = write(alice, bob)
    messages.mark_read(user=bob, conversation_id=message.conversation.public_id)
    messages.mark_unread(user=bob, conversation_id=message.conversation.public_id)
    assert selectors.unread_count(user=bob) == 1
    with pytest.raises(Conflict, match="nothing in this conversation"):
        messages.mark_unread(user=alice, conversation_id=message.conversation.public_id)


def test_each_deletes_for_themselves(alice: User, bob: User, write: Write) -> None:
    message = write(alice, bob)
    messages.delete_conversation(user=bob, conversation_id=message.conversation.public_id)
    assert selectors.conversations(user=bob).count() == 0
    assert texts(alice, message) == ["Good game!"]


def test_what_neither_sees_any_more_is_gone(alice: User, bob: User, write: Write) -> None:
    first = write(alice, bob, "Good game!", "the cup")
    messages.delete_conversation(user=alice, conversation_id=first.conversation.public_id)
    messages.delete_conversation(user=bob, conversation_id=first.conversation.public_id)
    clearing.clear(now=NOW)
    assert not Message.objects.exists()
    assert not Conversation.objects.exists()


def test_a_deleted_conversation_comes_back_with_the_next_message_alone(
    alice: User, bob: User, write: Write
) -> None:
    message = write(alice, bob, "old")
    messages.delete_conversation(user=bob, conversation_id=message.conversation.public_id)
    write(alice, bob, "new")
    assert texts(bob, message) == ["new"]
    assert texts(alice, message) == ["old", "new"]


def test_a_single_message_is_deleted_and_the_one_before_is_the_last(
    alice: User, bob: User, write: Write
) -> None:
    write(alice, bob, "stays")
    goes = write(alice, bob, "goes")
    messages.delete_message(user=bob, message_id=goes.public_id)
    side = selectors.conversations(user=bob).get()
    assert side.last is not None
    assert (side.last.text, side.unread) == ("stays", 1)
    assert texts(alice, goes) == ["stays", "goes"]


def test_nothing_reaches_one_who_blocks_the_sender(
    alice: User, bob: User, write: Write, ignore: Ignore, emitted: list[MessageSent]
) -> None:
    ignore(bob, alice)
    message = write(alice, bob)
    assert emitted == []
    assert selectors.unread_count(user=bob) == 0
    assert not selectors.received(user=bob).exists()
    assert not selectors.conversations(user=bob).exists()
    assert not selectors.search(user=bob, words="good").items
    assert not Outbox.objects.filter(topic=f"user:{bob.pk}").exists()
    with pytest.raises(NotFound):
        selectors.access_conversation(user=bob, public_id=message.conversation.public_id)
    with pytest.raises(NotFound):
        selectors.access_message(user=bob, public_id=message.public_id)


def test_the_blocked_one_sees_their_message_as_sent(
    alice: User, bob: User, write: Write, ignore: Ignore
) -> None:
    ignore(bob, alice)
    assert texts(alice, write(alice, bob)) == ["Good game!"]
    assert selectors.conversations(user=alice).count() == 1


def test_what_was_sent_while_one_blocked_never_arrives(
    alice: User, bob: User, write: Write, ignore: Ignore
) -> None:
    from crownhead.server.accounts.contacts import services as contact_services

    ignore(bob, alice)
    write(alice, bob, "lost")
    contact_services.unblock(user=bob, other=alice)
    assert texts(bob, write(alice, bob, "heard")) == ["heard"]


def test_old_conversations_with_one_whom_one_blocks_are_out_of_sight(
    alice: User, bob: User, charlie: User, write: Write, ignore: Ignore
) -> None:
    message = write(alice, bob)
    write(charlie, bob)
    ignore(bob, alice)
    assert [side.other for side in selectors.conversations(user=bob)] == [charlie]
    assert selectors.unread_count(user=bob) == 1
    assert texts(bob, message) == ["Good game!"]


def test_one_does_not_write_to_somebody_whom_one_blocks(
    alice: User, bob: User, write: Write, ignore: Ignore
) -> None:
    ignore(alice, bob)
    with pytest.raises(Conflict, match="Unblock them first"):
        write(alice, bob)


def test_others_are_notified_of_a_message_with_its_beginning(
    alice: User, bob: User, write: Write, emitted: list[MessageSent]
) -> None:
    message = write(alice, bob, "one\ntwo " + "x" * 500, "the cup")
    (event,) = emitted
    assert (event.sender_id, event.recipient_id) == (alice.pk, bob.pk)
    assert (event.conversation_id, event.subject) == (message.conversation.public_id, "the cup")
    assert event.excerpt.startswith("one two xx")
    assert len(event.excerpt) <= selectors.EXCERPT


def test_the_beginning_of_a_message_is_announced_without_its_marks(
    alice: User, bob: User, write: Write, emitted: list[MessageSent]
) -> None:
    write(alice, bob, "A **good** game!\n\n- see [this one](https://club.example/1)\n- and `22x15`")
    assert emitted[0].excerpt == "A good game! see this one and 22x15"


def test_open_pages_of_both_are_notified(alice: User, bob: User, write: Write) -> None:
    message = write(alice, bob)
    rows = Outbox.objects.order_by("id").values_list("topic", "kind", "payload")
    said = {"conversation": message.conversation.public_id}
    assert set(map(str, rows)) == {str((f"user:{user.pk}", "me", said)) for user in (alice, bob)}


def test_nobody_writes_to_themselves(alice: User, write: Write) -> None:
    with pytest.raises(Unprocessable, match="choose yourself"):
        write(alice, alice)


def test_nobody_writes_to_nobody(alice: User) -> None:
    with pytest.raises(NotFound, match="'nobody'"):
        messages.write(user=alice, to="nobody", subject="", text="x", now=NOW)


def test_nobody_writes_to_a_closed_account(alice: User, bob: User, write: Write) -> None:
    message = write(alice, bob)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    with pytest.raises(NotFound):
        write(alice, bob)
    with pytest.raises(Conflict, match="closed"):
        messages.reply(user=alice, conversation_id=message.conversation.public_id, text="x", now=NOW)


@pytest.mark.parametrize("text", ["", "  \n ", "x" * 5001])
def test_a_message_has_a_text_of_a_certain_length(alice: User, bob: User, write: Write, text: str) -> None:
    with pytest.raises(Unprocessable, match="5000 characters"):
        write(alice, bob, text)


def test_a_subject_is_short(alice: User, bob: User, write: Write) -> None:
    with pytest.raises(Unprocessable, match="80 characters"):
        write(alice, bob, "text", "s" * 81)


def test_one_who_is_muted_writes_to_nobody_until_the_time_is_over(
    alice: User, bob: User, host: User, write: Write
) -> None:
    first = write(alice, bob)
    until = NOW + timedelta(days=2)
    moderation.mute(staff=host, user=alice, until=until, reason="swearing", now=NOW)
    with pytest.raises(Forbidden, match=r"4 March 2026, 12:00 UTC: swearing"):
        write(alice, bob)
    with pytest.raises(Forbidden):
        messages.reply(user=alice, conversation_id=first.conversation.public_id, text="x", now=NOW)
    messages.write(user=alice, to="bob", subject="", text="sorry", now=until)
    assert texts(bob, first) == ["Good game!", "sorry"]


def test_others_see_nothing_of_a_conversation(alice: User, bob: User, charlie: User, write: Write) -> None:
    message = write(alice, bob)
    with pytest.raises(NotFound):
        selectors.access_conversation(user=charlie, public_id=message.conversation.public_id)
    with pytest.raises(NotFound):
        messages.reply(user=charlie, conversation_id=message.conversation.public_id, text="x", now=NOW)
    with pytest.raises(NotFound):
        messages.delete_message(user=charlie, message_id=message.public_id)
    assert not selectors.search(user=charlie, words="good").items


def test_search_finds_words_in_texts_subjects_and_names(
    alice: User, bob: User, charlie: User, write: Write
) -> None:
    write(alice, bob, "The bridge on 31 held", "endings")
    write(charlie, alice, "Shall we play?")

    def found(words: str) -> list[str]:
        return [row.text for row in selectors.search(user=alice, words=words).items]

    assert found("BRIDGE 31") == ["The bridge on 31 held"]
    assert found("endings") == ["The bridge on 31 held"]
    assert found("charlie") == ["Shall we play?"]
    assert found("alice") == []
    assert found("bridge charlie") == []


def test_a_long_list_costs_no_more_questions_than_a_short_one(
    alice: User, write: Write, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(8):
        write(make_user(f"player{number}"), alice, "hello")
    with django_assert_num_queries(2):
        assert len([(side.other.username, side.last) for side in selectors.conversations(user=alice)]) == 8
