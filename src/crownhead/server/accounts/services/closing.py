"""Renaming players and closing accounts; a row stays for the games that were played."""

from __future__ import annotations

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q

from crownhead.server.accounts.events import AccountClosed, PlayerRenamed
from crownhead.server.accounts.models import (
    Buddy,
    EmailChange,
    FormerName,
    Ignored,
    Preferences,
    Profile,
    User,
)
from crownhead.server.accounts.problems import name_that_may_be_taken
from crownhead.server.accounts.selectors import name_is_taken
from crownhead.server.accounts.validators import CLOSED, NAME_IS_TAKEN, check_name, folded, player_likeness
from crownhead.server.core.events import emit
from crownhead.server.core.jobs import sweep
from crownhead.server.core.problems import Conflict, Unprocessable

NAME_IS_KEPT = timedelta(days=30)
"""How long nobody else can take a name that somebody gave up."""

_DIGITS = "23456789abcdefghjkmnpqstuwxyz"  # no two texts of these look alike


def rename(*, user: User, name: str, now: datetime) -> User:
    """Rename a player; the old name leads to them for a while, and nobody else can take it.

    Raises ``Unprocessable`` for what is no name, ``Conflict`` when it is taken.
    """
    text = name.strip()
    _check(text)
    if text == user.username:
        return user
    if name_is_taken(text, now, by_other_than=user):
        raise Conflict(str(NAME_IS_TAKEN))
    before = user.username
    try:
        with name_that_may_be_taken():
            if folded(before) != folded(text):
                _keep_name(user, now)
            user.username = text
            user.save(update_fields=["username"])
            emit(PlayerRenamed(user_id=user.pk, before=before, name=text, at=now))
    except Conflict:
        user.username = before
        raise
    return user


def close(*, user: User, now: datetime) -> None:
    """End an account for good: nobody can sign in, what was private is gone, the name is free after a while.

    Closing it again changes nothing. Apps above see to games: ``people.services.closing``. The name comes
    last: it is a key, and who changes one keeps others from referring to the row. They may hold games whose
    clocks this waits for.
    """
    with transaction.atomic():
        held = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if held.closed_at is not None:
            return
        _keep_name(held, now)
        _forget(held)
        held.email, held.last_seen_at, held.last_login = "", None, None
        held.is_active = held.is_staff = held.is_superuser = False
        held.closed_at = now
        held.set_unusable_password()
        held.save()
        emit(AccountClosed(user_id=held.pk, name=held.username, at=now))
        _name(held.pk, CLOSED + _numeral(held.pk))


def free_names(*, now: datetime) -> int:
    """Free the names whose time is over; returns how many."""
    return sweep(FormerName.objects.filter(kept_until__lte=now))


def _check(name: str) -> None:
    try:
        check_name(name)
    except ValidationError as error:
        raise Unprocessable(error.messages[0], field="name") from error


def _name(user_id: int, name: str) -> None:
    """Without the signals of a row that is saved, which have been sent."""
    rows = User.objects.filter(pk=user_id)
    rows.update(username=name, folded=folded(name), likeness=player_likeness(name))


def _keep_name(user: User, now: datetime) -> None:
    FormerName.objects.create(
        user=user,
        name=user.username,
        folded=folded(user.username),
        likeness=player_likeness(user.username),
        kept_until=now + NAME_IS_KEPT,
    )


def _forget(user: User) -> None:
    for mine in (Profile, Preferences, EmailAddress, EmailChange):
        mine.objects.filter(user=user).delete()
    Buddy.objects.filter(Q(user=user) | Q(buddy=user)).delete()
    Ignored.objects.filter(Q(user=user) | Q(ignored=user)).delete()
    user.groups.clear()
    user.user_permissions.clear()


def _numeral(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits
