"""The accounts of the computer: one for each level, created on first use."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.models import User
from crownhead.server.accounts.validators import COMPUTER, computer_level
from crownhead.server.core.problems import Conflict
from crownhead.server.core.queries.prepared import Prepared

_MOST_LEVELS = 100  # their names have two digits


def computer(level: int) -> User:
    """Return the account of a level. Nobody can sign in to it, find it or write to it."""
    name = f"{COMPUTER}{level}"
    user = User.objects.filter(username=name).first()
    if user is None:
        user = _made(name)
    if user.has_usable_password():
        raise Conflict(
            _("A member is called %(name)s. The staff can give them another name.") % {"name": name}
        )
    return user


def computer_levels(keys: list[int]) -> dict[int, int]:
    """Return which of these users are computers, with their levels."""
    names = User.objects.filter(pk__in=keys, username__startswith=COMPUTER, is_active=False)
    levels = ((key, computer_level(name)) for key, name in names.values_list("pk", "username"))
    return {key: level for key, level in levels if level is not None}


def computers() -> list[User]:
    """All that there are by now."""
    return _COMPUTERS.rows()


_NAMES = [f"{COMPUTER}{level}" for level in range(_MOST_LEVELS)]
_COMPUTERS = Prepared(lambda: User.objects.filter(username__in=_NAMES, is_active=False))


def _made(name: str) -> User:
    try:
        with transaction.atomic():
            return User.objects.create_user(name, "", None, is_active=False)
    except IntegrityError:  # another worker made it just now
        return User.objects.get(username=name)
