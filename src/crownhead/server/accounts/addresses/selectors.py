"""Whose an e-mail address is: of who confirmed it, or else of those who gave it first."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db.models import Q, QuerySet

from crownhead.server.accounts.models import User


def holders(address: str) -> list[int]:
    """Return the primary keys of the accounts that have the use of an address, for mail and a new password.

    Who confirmed it is alone; else as many as the club allows, in the order in which they gave it.
    """
    rows = list(_rows(address).values_list("user_id", "verified")[: settings.ACCOUNTS_PER_ADDRESS])
    return [user for user, _ in rows[:1]] if rows and rows[0][1] else [user for user, _ in rows]


def has_use_of(user: User, address: str) -> bool:
    """Return whether an address is the user's, or theirs as well; one without any row is."""
    found = holders(address)
    return not found or user.pk in found


def latest_claimant(address: str) -> User | None:
    """Return who gave an address last, without having confirmed it; None if there is nobody."""
    row = _rows(address).filter(verified=False).select_related("user").order_by("-pk").first()
    user: User | None = row and row.user
    return user


def _rows(address: str) -> QuerySet[EmailAddress]:
    """All rows of an address that count, in the order in which they have a right to it."""
    counting = EmailAddress.objects.filter(Q(verified=True) | Q(user__is_active=True))
    rows: QuerySet[EmailAddress] = counting.filter(email=address.strip().lower())
    return rows.order_by("-verified", "pk")
