"""Questions about what people write to each other; each is asked on behalf of one of them."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User, ignored_ids
from crownhead.server.core.problems import NotFound
from crownhead.server.social.models import Conversation, Message, Mute, Side

CONVERSATIONS_BY = ("-last_at", "-id")
MESSAGES_BY = ("-id",)
LONGEST_SEARCH = 80


def visible_to(user: User) -> Q:
    """The messages that somebody sees: his own, and what reached him, but for those that he deleted."""
    return Q(sender=user, deleted_by_sender=False) | Q(
        recipient=user, delivered=True, deleted_by_recipient=False
    )


def conversations(*, user: User, only_unread: bool = False) -> QuerySet[Side]:
    """The user's conversations, those with people whom he ignores left out, loaded for a list."""
    rows = Side.objects.filter(user=user, last_at__isnull=False)
    if only_unread:
        rows = rows.filter(unread__gt=0)
    return rows.exclude(other_id__in=ignored_ids(user.pk)).select_related(
        "conversation", "user", "other", "last"
    )


def access_conversation(*, user: User, public_id: str) -> Side:
    """A conversation as the user has it; raises ``NotFound`` where he has none of this name."""
    rows = Side.objects.select_related("conversation", "other", "user", "last")
    found = rows.filter(user=user, conversation__public_id=public_id).first()
    if found is None:
        raise NotFound(_("You have no such conversation."))
    return found


def access_message(*, user: User, public_id: str) -> Message:
    """A message that the user sees; raises ``NotFound``."""
    rows = Message.objects.select_related("conversation", "sender", "recipient")
    found = rows.filter(visible_to(user), public_id=public_id).first()
    if found is None:
        raise NotFound(_("You have no such message."))
    return found


def messages(*, side: Side) -> QuerySet[Message]:
    """What somebody sees of a conversation."""
    rows = Message.objects.filter(visible_to(side.user), conversation=side.conversation_id)
    return rows.select_related("sender", "conversation")


def messages_left(*, user: User, conversation: Conversation) -> bool:
    """Whether the user sees anything of a conversation."""
    return Message.objects.filter(visible_to(user), conversation=conversation.pk).exists()


def received(*, user: User) -> QuerySet[Message]:
    """What reached the user, those whom he ignores now left out."""
    rows = Message.objects.filter(recipient=user, delivered=True, deleted_by_recipient=False)
    rows = rows.exclude(sender_id__in=ignored_ids(user.pk))
    return rows.select_related("conversation", "sender", "recipient")


def sent(*, user: User) -> QuerySet[Message]:
    """What the user wrote."""
    rows = Message.objects.filter(sender=user, deleted_by_sender=False)
    return rows.select_related("conversation", "sender", "recipient")


def all_messages(*, user: User) -> QuerySet[Message]:
    """Everything that the user sees, those with people whom he ignores too: for his archive."""
    return Message.objects.filter(visible_to(user)).select_related("conversation", "sender", "recipient")


def search(*, user: User, words: str) -> QuerySet[Message]:
    """The messages that hold every word in their text, their subject or the name of the other one."""
    ignored = ignored_ids(user.pk)
    rows = Message.objects.filter(visible_to(user)).exclude(sender_id__in=ignored)
    rows = rows.exclude(recipient_id__in=ignored)
    for word in words[:LONGEST_SEARCH].split():
        rows = rows.filter(
            Q(text__icontains=word)
            | Q(conversation__subject__icontains=word)
            | Q(sender__username__icontains=word) & ~Q(sender=user)
            | Q(recipient__username__icontains=word) & ~Q(recipient=user)
        )
    return rows.select_related("conversation", "sender", "recipient")


def unread_count(*, user: User) -> int:
    """How many conversations hold something that the user has not read."""
    waiting = Side.objects.filter(user=user, unread__gt=0).values_list("other_id", flat=True)
    others = list(waiting)
    ignored = ignored_ids(user.pk) if others else frozenset()
    return sum(other not in ignored for other in others)


def between(first_id: int, second_id: int) -> tuple[int, int]:
    """Two people in the order in which a conversation keeps them."""
    return (first_id, second_id) if first_id < second_id else (second_id, first_id)


def have_talked(*, user: User, other: User) -> bool:
    """Whether there is a conversation of the two that the user knows of."""
    return Side.objects.filter(user=user, other=other).exists()


def mute_of(user: User, now: datetime) -> Mute | None:
    """What keeps the user from writing to others at this moment."""
    rows = Mute.objects.filter(user=user)
    return rows.filter(Q(until=None) | Q(until__gt=now)).first()
