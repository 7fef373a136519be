"""Services of messages: send, read, delete, each on one's own side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Greatest
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import against, check_may_write
from crownhead.server.accounts.selectors import User, has_blocked, player
from crownhead.server.core.events import emit
from crownhead.server.core.moments import moment_text
from crownhead.server.core.problems import Conflict, Forbidden, NotFound, Unprocessable
from crownhead.server.core.texts import without_controls
from crownhead.server.live import services as live
from crownhead.server.social import selectors
from crownhead.server.social.events import ConversationsDeleted, MessagesDeleted, MessageSent
from crownhead.server.social.models import (
    LONGEST_SUBJECT,
    LONGEST_TEXT,
    Conversation,
    Message,
    Side,
)
from crownhead.server.social.selectors import excerpt


def write(*, user: User, to: str, subject: str, text: str, now: datetime) -> Message:
    """Send a message to a player; a subject starts a new conversation, otherwise theirs continues.

    Raises ``NotFound`` for an unknown name, ``Unprocessable`` for yourself and for texts of the wrong length,
    ``Conflict`` for a blocked player, ``Forbidden`` while the user is muted. To the sender, a message to
    somebody who has blocked them looks like any other.
    """
    other = player(to)
    if other is None:
        raise NotFound(_("There is no player %(given)s.") % {"given": repr(to[:60])}, field="to")
    about = " ".join(subject.split())
    if len(about) > LONGEST_SUBJECT:
        raise Unprocessable(
            _("Use at most %(longest_subject)s characters, not %(count)s.")
            % {"longest_subject": LONGEST_SUBJECT, "count": len(about)},
            field="subject",
        )
    checked = _checked(user=user, other=other, text=text, now=now)
    with transaction.atomic():
        return _send(_conversation(user, other, about, now), user, other, checked, now)


def reply(*, user: User, conversation_id: str, text: str, now: datetime) -> Message:
    """Reply in a conversation of the user; raises what ``write`` does."""
    side = selectors.access_conversation(user=user, public_id=conversation_id)
    if not side.other.is_active:
        raise Conflict(_("The account of %(username)s is closed.") % {"username": side.other.username})
    checked = _checked(user=user, other=side.other, text=text, now=now)
    with transaction.atomic():
        held = Conversation.objects.select_for_update().filter(pk=side.conversation_id).first()
        if held is None:  # both have deleted all of it in this moment
            held = _conversation(user, side.other, side.conversation.subject, now)
        return _send(held, user, side.other, checked, now)


def mark_read(*, user: User, conversation_id: str, up_to: Message | None = None) -> None:
    """Mark a conversation as read, to its end or up to a message."""
    with transaction.atomic():
        side = _held_side(user, conversation_id)
        last = up_to.pk if up_to else side.last_id or 0
        _read_to(side, max(side.read_to, last))


def mark_unread(*, user: User, conversation_id: str) -> None:
    """Mark the last received message as unread; raises ``Conflict`` if there is none."""
    known = selectors.access_conversation(user=user, public_id=conversation_id)
    last = _received(known).order_by("-pk").first()  # may be far back: nobody who writes waits for it
    if last is None:
        raise Conflict(_("There is nothing in this conversation to mark as unread."))
    with transaction.atomic():
        side = _held_side(user, conversation_id)
        if side.read_to >= last.pk:
            _read_to(side, last.pk - 1)


def delete_conversation(*, user: User, conversation_id: str) -> None:
    """Delete a conversation for the user; the other player keeps it."""
    with transaction.atomic():
        _delete(user, [_held_side(user, conversation_id)])


def mark_picked_read(*, user: User, conversation_ids: Collection[str]) -> None:
    """Mark conversations as read to their ends; those that the user does not have are passed over."""
    with transaction.atomic():
        sides = _held_sides(user, conversation_ids)
        rows = Side.objects.filter(pk__in=[side.pk for side in sides], last__isnull=False)
        rows.update(read_to=Greatest("read_to", "last_id"), unread=0)
        _publish_changes(user.pk, [side.conversation for side in sides])


def delete_picked(*, user: User, conversation_ids: Collection[str]) -> int:
    """Delete conversations for the user, as far as they have them; returns how many."""
    with transaction.atomic():
        sides = _held_sides(user, conversation_ids)
        _delete(user, sides)
    return len(sides)


def delete_message(*, user: User, message_id: str) -> None:
    """Delete a message for the user."""
    known = selectors.access_message(user=user, public_id=message_id)
    with transaction.atomic():
        side = _held_side(user, known.conversation.public_id)
        message = selectors.access_message(user=user, public_id=message_id)  # not deleted in this moment
        is_mine = message.sender_id == user.pk
        rows = Message.objects.filter(pk=message.pk)
        rows.update(**{"deleted_by_sender" if is_mine else "deleted_by_recipient": True})
        _settle(side, message)
        rows.exclude(selectors.visible_to(side.other)).delete()
        delete_if_empty(side.conversation)
        emit(MessagesDeleted(message_ids=(message_id,), user_id=user.pk))


def _checked(*, user: User, other: User, text: str, now: datetime) -> str:
    """Return the text as it is stored, if the user may send it to the other."""
    if other.pk == user.pk:
        raise Unprocessable(_("You can't choose yourself."), field="to")
    stripped = without_controls(text)
    if not 1 <= len(stripped) <= LONGEST_TEXT:
        raise Unprocessable(
            _("Use 1 to %(longest_text)s characters, not %(count)s.")
            % {"longest_text": LONGEST_TEXT, "count": len(stripped)},
            field="text",
        )
    check_may_write(user=user, now=now, text=stripped)
    if has_blocked(user.pk, other.pk):
        raise Conflict(
            _("You have blocked %(username)s and would not see their reply. Unblock them first.")
            % {"username": other.username}
        )
    return stripped


@against
def refuse_the_muted(user: User, now: datetime) -> None:
    """Raise ``Forbidden`` with the reason if the user is muted."""
    mute = selectors.mute_of(user, now)
    if mute is None:
        return
    sentence = (
        _("The staff have muted you until %(until)s: %(reason)s")
        if mute.until
        else _("The staff have muted you: %(reason)s")
    )
    until = moment_text(mute.until) if mute.until else ""
    raise Forbidden(sentence % {"until": until, "reason": mute.reason})


def _conversation(user: User, other: User, subject: str, now: datetime) -> Conversation:
    """Return the conversation of a new message, locked."""
    first, second = selectors.between(user.pk, other.pk)
    facts = {"first_id": first, "second_id": second, "subject": subject}
    if subject:
        return Conversation.objects.create(**facts, begun_at=now)
    made, is_new = Conversation.objects.get_or_create(**facts, defaults={"begun_at": now})
    held = made if is_new else Conversation.objects.select_for_update().filter(pk=made.pk).first()
    return held or Conversation.objects.create(**facts, begun_at=now)  # deleted by both in this moment


def _send(conversation: Conversation, sender: User, recipient: User, text: str, now: datetime) -> Message:
    delivered = not has_blocked(recipient.pk, sender.pk)
    message = Message.objects.create(
        conversation=conversation,
        sender=sender,
        recipient=recipient,
        text=text,
        sent_at=now,
        delivered=delivered,
    )
    _note(message, sender, recipient, unread=0)
    if delivered:
        _note(message, recipient, sender, unread=1)
        emit(
            MessageSent(
                message_id=message.public_id,
                conversation_id=conversation.public_id,
                sender_id=sender.pk,
                recipient_id=recipient.pk,
                subject=conversation.subject,
                excerpt=excerpt(text),
                sent_at=now,
            )
        )
    else:
        live.publish_unheard()  # a page shows the position of the latest event, also to the sender
    return message


def _note(message: Message, user: User, other: User, *, unread: int) -> None:
    """Make the message the last one of a side."""
    side, _is_new = Side.objects.get_or_create(
        conversation=message.conversation, user=user, defaults={"other": other}
    )
    Side.objects.filter(pk=side.pk).update(last=message, last_at=message.sent_at, unread=F("unread") + unread)
    _publish_change(user.pk, message.conversation)


def _held_side(user: User, conversation_id: str) -> Side:
    """Return the user's side of a conversation, locked."""
    side = selectors.access_conversation(user=user, public_id=conversation_id)
    if Conversation.objects.select_for_update().filter(pk=side.conversation_id).first() is None:
        raise NotFound(_("You have no such conversation."))  # both have deleted it in this moment
    side.refresh_from_db(fields=["last", "last_at", "unread", "read_to", "deleted_to"])
    return side


def _delete(user: User, sides: Sequence[Side]) -> None:
    """Delete what is in some conversations for the user, whose sides are locked.

    However many messages that are, this only notes how far; ``services.clearing`` does the rest.
    """
    rows = Side.objects.filter(pk__in=[side.pk for side in sides], last__isnull=False)
    rows.update(deleted_to=F("last_id"), last=None, last_at=None, unread=0)
    _publish_changes(user.pk, [side.conversation for side in sides])
    ids = tuple(side.conversation.public_id for side in sides)
    emit(ConversationsDeleted(conversation_ids=ids, user_id=user.pk))


def _held_sides(user: User, conversation_ids: Collection[str]) -> list[Side]:
    """Return the user's sides of some conversations, locked."""
    known = Side.objects.filter(user=user, conversation__public_id__in=conversation_ids, last__isnull=False)
    held = Conversation.objects.select_for_update().filter(pk__in=known.values("conversation"))
    keys = [conversation.pk for conversation in held.order_by("pk")]
    return list(Side.objects.filter(user=user, conversation__in=keys).select_related("conversation"))


def _settle(side: Side, gone: Message) -> None:
    """Update the last message of a side, and how many are unread, after the deletion of a message."""
    rows = Side.objects.filter(pk=side.pk)
    if side.last_id == gone.pk:
        last = selectors.messages(side=side).filter(pk__lt=gone.pk).order_by("-pk").first()
        rows.update(last=last, last_at=last.sent_at if last else None)
    if gone.recipient_id == side.user_id and gone.pk > side.read_to:
        rows.filter(unread__gt=0).update(unread=F("unread") - 1)
    _publish_change(side.user_id, side.conversation)


def delete_if_empty(conversation: Conversation, *, without_subject: bool = False) -> None:
    """Delete a locked conversation in which there is no message.

    The one of two people that has no subject is spared: a new id for it would tell who wrote to somebody who
    had blocked them that nothing had arrived. ``without_subject``: that one as well.
    """
    is_spared = not conversation.subject and not without_subject
    if not is_spared and not Message.objects.filter(conversation=conversation).exists():
        Conversation.objects.filter(pk=conversation.pk).delete()


def _read_to(side: Side, key: int) -> None:
    """Mark everything up to a message as read, and count the rest."""
    unread = _received(side).filter(pk__gt=key).count()
    Side.objects.filter(pk=side.pk).update(read_to=key, unread=unread)
    _publish_change(side.user_id, side.conversation)


def _received(side: Side) -> QuerySet[Message]:
    return selectors.messages(side=side).filter(recipient=side.user_id)


def _publish_change(user_id: int, conversation: Conversation) -> None:
    """Have the user's open pages refresh."""
    _publish_changes(user_id, [conversation])


def _publish_changes(user_id: int, conversations: Iterable[Conversation]) -> None:
    topic = f"user:{user_id}"
    live.publish_all(live.Message(topic, "me", {"conversation": row.public_id}) for row in conversations)
