"""Several writing, reading and deleting at the same moment, each over their own connection."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Conflict, NotFound
from crownhead.server.social import selectors
from crownhead.server.social.models import Conversation, Message, Mute, Report, Side
from crownhead.server.social.services import messages, moderation, reports
from tests.server.conftest import make_user
from tests.server.play.test_at_once import at_once, in_a_file
from tests.server.social.conftest import NOW, Write

__all__ = ["in_a_file"]

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 6


def test_first_words_sent_at_once_are_one_conversation(
    alice: User, bob: User, in_a_file: Callable[[], None], write: Write
) -> None:
    in_a_file()
    done = at_once([partial(write, alice, bob)] * MANY + [partial(write, bob, alice)] * MANY)
    assert done == {Message: 2 * MANY}
    assert Conversation.objects.count() == 1
    unread = {side.user: side.unread for user in (alice, bob) for side in selectors.conversations(user=user)}
    assert unread == {alice: MANY, bob: MANY}


def test_what_arrives_while_all_is_read_or_deleted_is_counted_right(
    alice: User, bob: User, in_a_file: Callable[[], None], write: Write
) -> None:
    first = write(alice, bob)
    in_a_file()
    name = first.conversation.public_id
    at_once(
        [partial(write, alice, bob)] * MANY
        + [partial(messages.mark_read, user=bob, conversation_id=name)] * 2
        + [partial(messages.delete_conversation, user=bob, conversation_id=name)]
    )
    side = Side.objects.get(user=bob, conversation__public_id=name)
    left = selectors.messages(side=side)
    assert side.unread == left.filter(pk__gt=side.read_to).count()
    last = left.order_by("-pk").first()
    assert side.last == last
    assert (side.last_at is None) is (last is None)


def test_a_conversation_that_both_delete_as_somebody_answers_is_whole_or_gone(
    alice: User, bob: User, in_a_file: Callable[[], None], write: Write
) -> None:
    first = write(alice, bob, "Good game!", "the cup")
    in_a_file()
    name = first.conversation.public_id
    done = at_once(
        [
            partial(messages.delete_conversation, user=alice, conversation_id=name),
            partial(messages.delete_conversation, user=bob, conversation_id=name),
            partial(messages.reply, user=bob, conversation_id=name, text="Thanks", now=NOW),
        ]
    )
    assert set(done) <= {type(None), Message, NotFound}
    for conversation in Conversation.objects.all():
        assert conversation.messages.exists()


def test_the_same_report_sent_at_once_is_made_once(
    alice: User, bob: User, in_a_file: Callable[[], None]
) -> None:
    in_a_file()
    act = partial(reports.report, user=alice, kind="player", key="bob", reason="Rude.", now=NOW)
    assert at_once([act] * 4) == {Report: 1, Conflict: 3}


def test_of_decisions_made_at_once_the_latest_end_stays(
    bob: User, host: User, in_a_file: Callable[[], None]
) -> None:
    made = [
        reports.report(user=make_user(f"by{n}"), kind="player", key=bob.username, reason="Rude.", now=NOW)
        for n in range(MANY)
    ]
    in_a_file()
    ends = [None, *(NOW + timedelta(days=days) for days in range(1, MANY))]
    decide = partial(moderation.decide, staff=host, decision="muted", note="", words="Rude.", now=NOW)
    acts = [partial(decide, report_id=row.public_id, until=end) for row, end in zip(made, ends, strict=True)]
    assert at_once(acts) == {Report: MANY}
    assert Mute.objects.get().until is None
