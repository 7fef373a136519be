"""Deletes messages of conversations that somebody has deleted whole, and of closed accounts, a few at a time.

Who deleted them sees none of them any more; a request that deleted all at once would hold up everybody who
writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.background.throttling import throttled
from crownhead.server.core.events import emit
from crownhead.server.core.jobs import AT_ONCE, sweep
from crownhead.server.social import selectors
from crownhead.server.social.events import MessagesDeleted
from crownhead.server.social.models import Conversation, Message, Side
from crownhead.server.social.services.messages import delete_if_empty

MOST = 1000  # conversations of which one run clears a side; the next run goes on


def clear(*, now: datetime) -> None:
    """Delete what neither side sees any more, and mark the rest as deleted by the one who deleted it.

    Safe to repeat, and in several workers.
    """
    whole = Side.objects.filter(selectors.TO_CLEAR).order_by("user_id", "pk")  # as in its index
    one_by_one(list(whole.values_list("pk", flat=True)[:MOST]), _clear, failing=_FAILING)
    sides = Side.objects.filter(user=OuterRef("pk"))
    closed = accounts.closed_lately(now).filter(Exists(sides))
    left = Side.objects.filter(user__in=list(closed.values_list("pk", flat=True)[:MOST])).order_by("pk")
    one_by_one(list(left.values_list("pk", flat=True)[:MOST]), _clear, failing=_FAILING)


_FAILING = "the side %s of a conversation cannot be cleared"


def _clear(key: int) -> None:
    side = Side.objects.select_related("user", "other", "conversation").filter(pk=key).first()
    if side is None:
        return
    rows = Message.objects.filter(conversation=side.conversation_id)
    if side.user.closed_at is None:
        rows = rows.filter(pk__gt=side.cleared_to, pk__lte=side.deleted_to)
        _tell(rows, side.user)
    while sweep(rows.exclude(selectors.visible_to(side.other))):
        pass
    _mark(rows, side.user)
    _finish(side)


def _tell(rows: QuerySet[Message], user: User) -> None:
    """Tell which of the messages that somebody got are deleted for them."""
    received = rows.filter(recipient=user, delivered=True)
    for keys in throttled(_parts(received)):
        with transaction.atomic():
            ids = Message.objects.filter(pk__in=keys).values_list("public_id", flat=True)
            emit(MessagesDeleted(message_ids=tuple(ids), user_id=user.pk))


def _mark(rows: QuerySet[Message], user: User) -> None:
    """Mark messages as deleted by one of the two."""
    left = Q(sender=user, deleted_by_sender=False) | Q(recipient=user, deleted_by_recipient=False)
    for keys in throttled(_parts(rows.filter(left))):
        with transaction.atomic():
            part = Message.objects.filter(pk__in=keys)
            part.filter(sender=user).update(deleted_by_sender=True)
            part.filter(recipient=user).update(deleted_by_recipient=True)


def _parts(rows: QuerySet[Message]) -> Iterator[list[int]]:
    after = 0
    while keys := list(rows.filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        yield keys
        after = keys[-1]


def _finish(side: Side) -> None:
    """Note how far a side is cleared; one of a closed account goes, and a conversation that is empty."""
    is_closed = side.user.closed_at is not None
    with transaction.atomic():
        held = Conversation.objects.select_for_update().filter(pk=side.conversation_id).first()
        if held is None:
            return
        this = Side.objects.filter(pk=side.pk)
        if is_closed:
            this.delete()
        else:
            this.filter(cleared_to__lt=side.deleted_to).update(cleared_to=side.deleted_to)
        delete_if_empty(held, without_subject=is_closed or side.other.closed_at is not None)
