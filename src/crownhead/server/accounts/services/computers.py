"""The accounts of the computer: one for each level, created on first use."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.models import User
from crownhead.server.accounts.validators import COMPUTER
from crownhead.server.core.problems import Conflict


def computer(level: int) -> User:
    """Return the account of a level. Nobody can sign in to it, find it or write to it."""
    name = f"{COMPUTER}{level}"
    user = User.objects.filter(username=name).first()
    if user is None:
        user = _create(name)
    if user.has_usable_password():
        raise Conflict(_("A member already has the name %(name)s. The staff can change it.") % {"name": name})
    return user


def _create(name: str) -> User:
    try:
        with transaction.atomic():
            return User.objects.create_user(name, "", None, is_active=False)
    except IntegrityError:  # another worker made it just now
        return User.objects.get(username=name)
