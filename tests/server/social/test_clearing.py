"""Deleting a long conversation notes how far; a repeated job does the rest, some messages at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import closing
from crownhead.server.core import exports
from crownhead.server.core import jobs as core_jobs
from crownhead.server.core.problems import NotFound
from crownhead.server.social import jobs, selectors
from crownhead.server.social.models import Conversation, Message, Side
from crownhead.server.social.services import clearing, messages, reports
from tests.server.conftest import Api, make_user
from tests.server.play.test_at_once import at_once, in_a_file
from tests.server.social.conftest import NOW, Open, Write
from tests.server.test_query_bounds import counted

__all__ = ["in_a_file"]

pytestmark = pytest.mark.django_db

Ignore = Callable[[User, User], None]


@pytest.fixture(autouse=True)
def three_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The job works on three messages at a time."""
    monkeypatch.setattr(core_jobs, "AT_ONCE", 3)
    monkeypatch.setattr(core_jobs, "_PAUSE", 0)
    monkeypatch.setattr(clearing, "AT_ONCE", 3)


def talk(first: User, second: User, count: int, subject: str = "") -> Conversation:
    """A conversation in which both have written in turn, nothing of it read."""
    begun = messages.write(user=first, to=second.username, subject=subject, text="the needle", now=NOW)
    conversation = begun.conversation
    messages.reply(user=second, conversation_id=conversation.public_id, text="an answer", now=NOW)
    Message.objects.bulk_create(
        Message(
            conversation=conversation,
            sender=second if number % 2 else first,
            recipient=first if number % 2 else second,
            text=f"the needle {number}",
            sent_at=NOW,
        )
        for number in range(count - 2)
    )
    newest = Message.objects.filter(conversation=conversation).latest("pk")
    for user in (first, second):
        unread = Message.objects.filter(conversation=conversation, recipient=user).count()
        side = Side.objects.filter(conversation=conversation, user=user)
        side.update(last=newest, last_at=NOW, unread=unread)
    return conversation


def delete(user: User, conversation: Conversation) -> None:
    messages.delete_conversation(user=user, conversation_id=conversation.public_id)


def written(statements: list[str]) -> list[str]:
    """The statements that change messages."""
    return [
        sql
        for sql in statements
        if not sql.startswith("SELECT") and "social_message" in sql.split("WHERE")[0]
    ]


def archived(user: User) -> str:
    return b"".join(exports.pieces("messages.json", user)).decode()


@pytest.mark.parametrize("cleared", [False, True], ids=["at once", "when the job has run"])
def test_a_conversation_that_one_deletes_is_gone_for_them_and_stays_for_the_other(
    window: Open, api: Api, alice: User, bob: User, cleared: bool
) -> None:
    talk(alice, make_user("dora"), 2)
    conversation = talk(alice, bob, 8)
    key = Message.objects.filter(conversation=conversation, sender=bob).latest("pk").public_id
    assert "needle 5" in archived(alice)
    delete(alice, conversation)
    if cleared:
        jobs.clear_deleted(NOW)
    member, program = window(alice), api.as_(alice)
    for path in ("/messages/", "/messages/sent/", "/messages/search/?q=needle"):
        text = member.get(path).text
        assert "bob" not in text, path
        assert "dora" in text, path
    assert member.get(f"/messages/{conversation.public_id}/").status == 404
    assert member.client.post(f"/messages/delete/{key}/").status_code == 404
    for path in ("/conversations", "/messages?box=sent", "/messages?box=received", "/messages?q=needle"):
        answer = program.get(path).content.decode()
        assert conversation.public_id not in answer, path
        assert "dora" in answer, path
    for path in ("", "/messages"):
        assert program.get(f"/conversations/{conversation.public_id}{path}").status_code == 404
    assert selectors.unread_count(user=alice) == 1
    assert "bob" not in archived(alice)
    with pytest.raises(NotFound):
        reports.report(user=alice, kind="message", key=key, reason="It is rude.", now=NOW)

    other = api.as_(bob).get(f"/conversations/{conversation.public_id}/messages").json()["items"]
    assert len(other) == 8
    assert selectors.sent(user=bob).count() + selectors.received(user=bob).count() == 8
    assert archived(bob).count("alice") == 8
    assert Side.objects.get(conversation=conversation, user=bob).unread == 4


def test_what_comes_after_a_deletion_is_seen_before_and_after_the_job(
    alice: User, bob: User, write: Write
) -> None:
    conversation = talk(alice, bob, 8)
    delete(alice, conversation)
    write(bob, alice, "a new one")
    for _ in range(3):
        side = selectors.access_conversation(user=alice, public_id=conversation.public_id)
        assert [row.text for row in selectors.messages(side=side)] == ["a new one"]
        assert [row.text for row in selectors.received(user=alice)] == ["a new one"]
        assert (side.unread, Message.objects.count()) == (1, 9)
        jobs.clear_deleted(NOW)
    delete(bob, conversation)
    jobs.clear_deleted(NOW)
    assert [row.text for row in Message.objects.all()] == ["a new one"]
    delete(alice, conversation)
    jobs.clear_deleted(NOW)
    assert not Message.objects.exists()
    assert Conversation.objects.exists()  # a new one would tell that somebody deleted this one


@pytest.mark.parametrize("both", [False, True])
def test_the_job_marks_and_deletes_some_at_a_time(alice: User, bob: User, both: bool) -> None:
    conversation = talk(alice, bob, 10, "the cup")
    for user in (alice, bob)[: 1 + both]:
        delete(user, conversation)
    with counted() as statements:
        jobs.clear_deleted(NOW)
    verb = "DELETE" if both else "UPDATE"
    changed = [
        sql for sql in statements if sql.startswith(verb) and '"social_message"' in sql.split("WHERE")[0]
    ]
    assert len(changed) == (4 if both else 8)
    assert Message.objects.count() == (0 if both else 10)
    assert Conversation.objects.exists() is not both
    with counted() as statements:
        jobs.clear_deleted(NOW)
    assert all(sql.startswith("SELECT") for sql in statements)


@pytest.mark.parametrize("way", ["conversation", "picked", "second side", "message", "account"])
def test_a_deletion_costs_the_same_however_long_the_conversation_is(way: str) -> None:
    found = []
    for count in (2, 2000):
        first, second = make_user(f"first{count}"), make_user(f"second{count}")
        conversation = talk(first, second, count, "the cup")
        last = Message.objects.filter(conversation=conversation).latest("pk")
        if way == "second side":
            delete(second, conversation)
        acts: dict[str, Callable[[], Any]] = {
            "picked": partial(
                messages.delete_picked, user=first, conversation_ids=[conversation.public_id, "none"]
            ),
            "message": partial(messages.delete_message, user=first, message_id=last.public_id),
            "account": partial(closing.close, user=first, now=NOW),
        }
        with counted() as statements:
            acts.get(way, partial(delete, first, conversation))()
        found.append((len(statements), len(written(statements))))
        assert Message.objects.filter(conversation=conversation).count() == count
    assert found[0] == found[1]
    assert found[0][1] == (1 if way == "message" else 0)


@pytest.mark.parametrize("do", ["mark_read", "mark_unread"])
def test_read_and_unread_are_counted_right_after_a_deletion(alice: User, do: str, write: Write) -> None:
    for count in (2, 200):
        other = make_user(f"other{count}")
        conversation = talk(alice, other, count)
        delete(alice, conversation)
        jobs.clear_deleted(NOW)
        write(other, alice, "new")
        write(alice, other, "an answer")
        if do == "mark_unread":
            messages.mark_read(user=alice, conversation_id=conversation.public_id)
        getattr(messages, do)(user=alice, conversation_id=conversation.public_id)
        side = Side.objects.get(conversation=conversation, user=alice)
        assert side.unread == (0 if do == "mark_read" else 1)
        assert (
            selectors.messages(side=side).filter(recipient=alice, pk__gt=side.read_to).count() == side.unread
        )


def test_marking_as_unread_what_is_unread_changes_nothing(alice: User, bob: User) -> None:
    conversation = talk(alice, bob, 8)
    messages.mark_unread(user=alice, conversation_id=conversation.public_id)
    assert Side.objects.get(conversation=conversation, user=alice).unread == 4


def test_a_message_that_the_other_has_deleted_with_all_others_goes_at_once(alice: User, bob: User) -> None:
    conversation = talk(alice, bob, 4)
    delete(bob, conversation)
    middle = Message.objects.filter(conversation=conversation, sender=bob).earliest("pk")
    messages.delete_message(user=alice, message_id=middle.public_id)
    assert not Message.objects.filter(pk=middle.pk).exists()
    side = Side.objects.get(conversation=conversation, user=alice)
    assert (side.unread, side.last) == (1, Message.objects.latest("pk"))
    with pytest.raises(NotFound):
        messages.delete_message(user=alice, message_id=middle.public_id)


def test_of_a_closed_account_the_other_keeps_what_they_had_and_nothing_else_stays(
    window: Open, alice: User, bob: User, charlie: User, write: Write, ignore: Ignore
) -> None:
    kept, gone = talk(alice, bob, 8, "kept"), talk(alice, bob, 8, "gone")
    delete(bob, gone)
    ignore(charlie, alice)
    write(alice, charlie, "never heard")
    closing.close(user=alice, now=NOW)
    for _ in range(2):
        assert selectors.unread_count(user=bob) == 1
        page = window(bob).get(f"/messages/{kept.public_id}/")
        assert "needle 5" in page.text
        assert "closed account" in page.text
        assert not selectors.conversations(user=charlie).exists()
        messages.mark_unread(user=bob, conversation_id=kept.public_id)
        jobs.clear_deleted(NOW)
    assert list(Conversation.objects.all()) == [kept]
    assert not Side.objects.filter(user=alice).exists()
    delete(bob, kept)
    jobs.clear_deleted(NOW)
    assert not Message.objects.exists()
    assert not Conversation.objects.exists()


def test_nothing_stays_of_what_two_closed_accounts_wrote_to_each_other(alice: User, bob: User) -> None:
    talk(alice, bob, 8, "the cup")
    talk(alice, bob, 8)
    for user in (alice, bob):
        closing.close(user=user, now=NOW)
    jobs.clear_deleted(NOW)
    assert not any(rows.objects.exists() for rows in (Message, Side, Conversation))


def test_one_run_clears_so_many_conversations_and_the_next_goes_on(
    alice: User, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clearing, "MOST", 2)
    for number in range(5):
        delete(alice, write(alice, make_user(f"other{number}")).conversation)
    left = []
    for _ in range(4):
        left.append(Side.objects.filter(selectors.TO_CLEAR).count())
        jobs.clear_deleted(NOW)
    assert left == [5, 3, 1, 0]


@pytest.mark.django_db(transaction=True)
def test_several_workers_clear_while_people_write_and_delete(
    alice: User, bob: User, in_a_file: Callable[[], None], write: Write
) -> None:
    long, short = talk(alice, bob, 40, "long"), talk(alice, bob, 20)
    in_a_file()
    for user in (alice, bob):
        delete(user, long)
    delete(bob, short)
    at_once(
        [partial(jobs.clear_deleted, NOW)] * 3
        + [partial(write, bob, alice, "new")] * 3
        + [partial(delete, alice, short), partial(delete, bob, short)]
    )
    jobs.clear_deleted(NOW)
    assert not Conversation.objects.filter(pk=long.pk).exists()
    for user in (alice, bob):
        side = Side.objects.get(conversation=short, user=user)
        seen = selectors.messages(side=side)
        assert side.last == seen.order_by("-pk").first()
        assert side.unread == seen.filter(recipient=user, pk__gt=side.read_to).count()
        assert {row.text for row in seen} <= {"new"}
    hidden = Message.objects.exclude(selectors.visible_to(alice)).exclude(selectors.visible_to(bob))
    assert not hidden.exists()


@pytest.mark.django_db(transaction=True)
def test_a_message_deleted_in_two_windows_at_once_counts_once(
    alice: User, bob: User, in_a_file: Callable[[], None]
) -> None:
    conversation = talk(alice, bob, 8)
    goes = Message.objects.filter(conversation=conversation, recipient=bob).earliest("pk")
    in_a_file()
    act = partial(messages.delete_message, user=bob, message_id=goes.public_id)
    assert at_once([act] * 4) == {type(None): 1, NotFound: 3}
    assert Side.objects.get(conversation=conversation, user=bob).unread == 3
