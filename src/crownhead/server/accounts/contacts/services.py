"""Whom somebody keeps near, with a note, and of whom he wants to hear nothing."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.models import Buddy, Ignored, User
from crownhead.server.core.problems import Conflict, NotFound, Unprocessable

MOST = 500  # of each kind
LONGEST_NOTE = 500


def add_buddy(*, user: User, other: User, now: datetime, note: str | None = None) -> Buddy:
    """Keep somebody near, or the note on him if one is given; nobody is told.

    Raises ``Unprocessable`` for oneself, a long note or a full list, ``Conflict`` for one who is ignored.
    """
    _expect_another(user, other)
    text = None if note is None else _checked_note(note)
    with transaction.atomic():
        _hold(user)
        if Ignored.objects.filter(user=user, ignored=other).exists():
            raise Conflict(
                _("You have blocked %(username)s. Unblock them first.") % {"username": other.username}
            )
        found = Buddy.objects.filter(user=user, buddy=other).first()
        if found is None:
            _expect_room(Buddy.objects.filter(user=user).count(), "buddies")
            return Buddy.objects.create(user=user, buddy=other, note=text or "", created_at=now)
        if text is not None and text != found.note:
            found.note = text
            found.save(update_fields=["note"])
    return found


def write_note(*, user: User, other: User, note: str) -> Buddy:
    """Put down what one wants to remember of a buddy; raises ``NotFound`` for anybody else."""
    text = _checked_note(note)
    if not Buddy.objects.filter(user=user, buddy=other).update(note=text):
        raise NotFound(_("%(username)s is not one of your buddies.") % {"username": other.username})
    return Buddy.objects.select_related("buddy").get(user=user, buddy=other)


def remove_buddy(*, user: User, other: User) -> None:
    """Keep somebody near no longer; nothing happens if he is no buddy."""
    Buddy.objects.filter(user=user, buddy=other).delete()


def ignore(*, user: User, other: User, now: datetime) -> Ignored:
    """Hear nothing of somebody any more: he is a buddy no longer, and nobody is told.

    Raises ``Unprocessable`` for oneself and for a full list.
    """
    _expect_another(user, other)
    with transaction.atomic():
        _hold(user)
        Buddy.objects.filter(user=user, buddy=other).delete()
        found = Ignored.objects.filter(user=user, ignored=other).first()
        if found is not None:
            return found
        _expect_room(Ignored.objects.filter(user=user).count(), "people to ignore")
        return Ignored.objects.create(user=user, ignored=other, created_at=now)


def stop_ignoring(*, user: User, other: User) -> None:
    """Hear of somebody again; nothing happens if he is not ignored."""
    Ignored.objects.filter(user=user, ignored=other).delete()


def _hold(user: User) -> None:
    """One change of a person's lists at a time."""
    User.objects.select_for_update().only("pk").get(pk=user.pk)


def _expect_another(user: User, other: User) -> None:
    if user.pk == other.pk:
        raise Unprocessable(_("Choose somebody other than yourself."))


def _expect_room(count: int, what: str) -> None:
    if count >= MOST:
        raise Unprocessable(
            _("You can have at most %(most)s %(what)s. Remove somebody from your list first.")
            % {"most": MOST, "what": what}
        )


def _checked_note(note: str) -> str:
    text = note.strip()
    if len(text) > LONGEST_NOTE:
        raise Unprocessable(
            "note: "
            + _("Use at most %(longest_note)s characters, not %(count)s.")
            % {"longest_note": LONGEST_NOTE, "count": len(text)}
        )
    return text
