"""Queries about messages, always on behalf of one user."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, When
from django.db.models.functions import Length
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User, blocked_by, blocked_ids
from crownhead.server.core.markup.markdown import plain_text
from crownhead.server.core.pagination import Page, cursor_of, merged, shortened
from crownhead.server.core.problems import NotFound
from crownhead.server.social.models import Conversation, Message, Mute, Side

EXCERPT = 140

TO_CLEAR = Q(deleted_to__gt=F("cleared_to"))  # sides whose deleted messages are not marked yet
CONVERSATIONS_BY = ("-last_at", "-id")
MESSAGES_BY = ("-id",)
LONGEST_SEARCH, LONGEST_WORD, MAX_WORDS = 80, 30, 5
MAX_SEARCHED, MAX_CHARACTERS = 500, 300_000  # that one page of a search looks through


def visible_to(user: User) -> Q:
    """Match the messages that a user sees: sent or received, and not deleted."""
    return _not_deleted_by(user) & _is_left_to(user)


def _not_deleted_by(user: User) -> Q:
    """Match the messages that a user sees, and some of whole conversations that they have deleted."""
    return Q(sender=user, deleted_by_sender=False) | Q(
        recipient=user, delivered=True, deleted_by_recipient=False
    )


def _is_left_to(user: User) -> Q:
    """Match the messages that are in no whole conversation that a user has deleted, as far as noted."""
    noted = Side.objects.filter(TO_CLEAR, user=user, conversation=OuterRef("conversation"))
    return ~Q(Exists(noted.filter(deleted_to__gte=OuterRef("pk"))))


def conversations(*, user: User, only_unread: bool = False) -> QuerySet[Side]:
    """Return the user's conversations for a list, without those with blocked players."""
    rows = Side.objects.filter(user=user, last_at__isnull=False)
    if only_unread:
        rows = rows.filter(unread__gt=0)
    return rows.exclude(other_id__in=blocked_ids(user.pk)).select_related(
        "conversation", "user", "other", "last"
    )


def access_conversation(*, user: User, public_id: str) -> Side:
    """Return the user's side of a conversation; raises ``NotFound``, also where they have deleted all of it.

    What the other side still has would tell whether a message was delivered to them.
    """
    rows = Side.objects.select_related("conversation", "other", "user", "last")
    side = rows.filter(user=user, conversation__public_id=public_id, last__isnull=False).first()
    if side is None:
        raise NotFound(_("You have no such conversation."))
    return side


def access_message(*, user: User, public_id: str) -> Message:
    """Return a message that the user sees; raises ``NotFound``."""
    rows = Message.objects.select_related("conversation", "sender", "recipient")
    message = rows.filter(visible_to(user), public_id=public_id).first()
    if message is None:
        raise NotFound(_("You have no such message."))
    return message


def messages(*, side: Side) -> QuerySet[Message]:
    """Return what a side sees of its conversation."""
    rows = Message.objects.filter(_not_deleted_by(side.user), conversation=side.conversation_id)
    return rows.filter(pk__gt=side.deleted_to).select_related("sender", "conversation")


def messages_left(*, user: User, conversation: Conversation) -> bool:
    """Return whether the user sees anything of a conversation."""
    return Message.objects.filter(visible_to(user), conversation=conversation.pk).exists()


def received(*, user: User) -> QuerySet[Message]:
    """Return what the user received, without messages of blocked players."""
    rows = Message.objects.filter(
        _is_left_to(user), recipient=user, delivered=True, deleted_by_recipient=False
    )
    rows = rows.exclude(sender_id__in=blocked_ids(user.pk))
    return rows.select_related("conversation", "sender", "recipient")


def sent(*, user: User) -> QuerySet[Message]:
    """Return what the user sent."""
    rows = Message.objects.filter(_is_left_to(user), sender=user, deleted_by_sender=False)
    return rows.select_related("conversation", "sender", "recipient")


def all_messages(*, user: User) -> QuerySet[Message]:
    """Return everything the user sees, blocked players included, for their archive."""
    return Message.objects.filter(visible_to(user)).select_related("conversation", "sender", "recipient")


def search(*, user: User, words: str, cursor: str | None = None, limit: int = 25) -> Page[Message]:
    """Return the messages that contain every word in text, subject or name, the latest first.

    One page looks through some hundred messages: it may find few or none and have a next one. Of many or long
    words the first count, and their beginnings.
    """
    wanted = [word.casefold() for word in words[:LONGEST_SEARCH].split()]
    wanted = [word[:LONGEST_WORD] for word in dict.fromkeys(wanted[:MAX_WORDS])]
    looked = _looked_through(user, cursor)
    found = _having(wanted, keys=[row.pk for row in looked.items], user=user)
    rows = Message.objects.select_related("conversation", "sender", "recipient")
    items = list(rows.filter(pk__in=found[:limit]).order_by(*MESSAGES_BY))
    more = cursor_of(items[-1], MESSAGES_BY) if len(found) > limit else looked.next
    return Page(items, more, MESSAGES_BY)


def _looked_through(user: User, cursor: str | None) -> Page[Message]:
    """The messages that one search reads, by their keys: so many, and of so many characters together."""
    known = sent(user=user).exclude(recipient_id__in=blocked_ids(user.pk))
    arms = [
        rows.select_related(None).only("pk").annotate(size=Length("text"))
        for rows in (known, received(user=user))
    ]
    rows_page: Page[Any] = merged(arms, order=MESSAGES_BY, cursor=cursor, limit=MAX_SEARCHED)
    return shortened(rows_page, lambda row: vars(row)["size"], most=MAX_CHARACTERS)


def _having(words: Sequence[str], *, keys: Sequence[int], user: User) -> list[int]:
    """The keys of those messages that contain every word, the latest first."""
    rows = Message.objects.filter(pk__in=keys).order_by(*MESSAGES_BY)
    name = Case(When(sender=user, then="recipient__username"), default="sender__username")
    found = []
    for key, *parts in rows.values_list("pk", "text", "conversation__subject", name):
        text = "\n".join(parts).casefold()
        if all(word in text for word in words):
            found.append(key)
    return found


def unread_count(*, user: User) -> int:
    """Count the conversations with unread messages."""
    return unread(user=user).count()


def unread(*, user: User) -> QuerySet[Side]:
    """Return the conversations with unread messages, but for those with blocked players."""
    waiting = Side.objects.filter(user=user, unread__gt=0)
    return waiting.exclude(other__in=blocked_by(user).order_by().values("ignored"))


def between(first_id: int, second_id: int) -> tuple[int, int]:
    """Return two people in the order in which a conversation stores them."""
    return (first_id, second_id) if first_id < second_id else (second_id, first_id)


def has_heard_from(*, user: User, other: User) -> bool:
    """Return whether the other has ever written to the user."""
    shared = Side.objects.filter(user=user, other=other).values("conversation")
    return Message.objects.filter(conversation__in=shared, sender=other, delivered=True).exists()


def mute_of(user: User, now: datetime) -> Mute | None:
    """Return the mute that keeps the user from writing now."""
    rows = Mute.objects.filter(user=user)
    return rows.filter(Q(until=None) | Q(until__gt=now)).first()


def excerpt(text: str) -> str:
    """Return the beginning of a text, on one line and without Markdown."""
    line = plain_text(text[: 4 * EXCERPT])
    return line if len(line) <= EXCERPT else f"{line[: EXCERPT - 1].rstrip()}…"
