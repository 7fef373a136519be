"""Whose an e-mail address is, what its change waits for, and whether its owner wants no invitations.

An address is of who confirmed it, or else of those who gave it first.
"""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.encoding import punycode
from django.utils.translation import gettext as _

from crownhead.server.accounts.models import EmailChange, InvitationOptOut, User
from crownhead.server.core.http import site_address
from crownhead.server.core.problems import NotFound

LINK_LASTS = timedelta(days=3)
"""How long a change may wait for the old address."""
_SALT = "crownhead.email-change"
_ESCAPED = re.compile(r"\\(.)")  # a character between quotation marks
_GOOGLE = {"gmail.com", "googlemail.com"}


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


def has_confirmed(user: User, address: str) -> bool:
    """Return whether the user has confirmed this address, whatever other one they have."""
    rows = EmailAddress.objects.filter(user=user, email=address.strip().lower(), verified=True)
    return bool(rows.exists())


def confirmed_owner(address: str) -> User | None:
    """Return who has confirmed an address; None if nobody has."""
    row = _rows(address).filter(verified=True).select_related("user").first()
    user: User | None = row and row.user
    return user


def first_holder(address: str) -> User | None:
    """Return who has confirmed an address, or else gave it first; None if there is nobody."""
    row = _rows(address).select_related("user").first()
    user: User | None = row and row.user
    return user


def latest_claimant(address: str) -> User | None:
    """Return who gave an address last, without having confirmed it; None if there is nobody."""
    row = _rows(address).filter(verified=False).select_related("user").order_by("-pk").first()
    user: User | None = row and row.user
    return user


def _rows(address: str) -> QuerySet[EmailAddress]:
    """All rows of an address that count, in the order in which they have a right to it.

    One that waits to be confirmed by somebody who has another address is nobody's yet.
    """
    claimed = Q(user__is_active=True) & ~Exists(_proven(OuterRef("user")))
    counting = EmailAddress.objects.filter(Q(verified=True) | claimed)
    rows: QuerySet[EmailAddress] = counting.filter(email=address.strip().lower())
    return rows.order_by("-verified", "pk")


def _proven(user: Any) -> QuerySet[EmailAddress]:
    rows: QuerySet[EmailAddress] = EmailAddress.objects.filter(user=user, verified=True)
    return rows


def who_only_waits_for(address: str) -> set[int]:
    """Return who wants to change to an address that they have not confirmed."""
    rows = EmailAddress.objects.filter(Exists(_proven(OuterRef("user"))), verified=False)
    return set(rows.filter(email=address.strip().lower()).values_list("user_id", flat=True))


def pending(user: User, now: datetime) -> EmailChange | None:
    """Return the change that waits for the old address; None if there is none."""
    waiting = EmailChange.objects.filter(user=user, done_at=None, agreed_at=None).exclude(old="")
    return waiting.filter(asked_at__gt=now - LINK_LASTS).first()


def by_link(*, token: str, now: datetime) -> EmailChange:
    """Return the change of the link in a mail to the old address; raises ``NotFound``.

    Until it is done it can be agreed to and stopped, for days; afterwards undone, as long as the club says.
    """
    try:
        key = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        key = None
    change = EmailChange.objects.select_related("user").filter(pk=key, user__is_active=True).first()
    if change is not None:
        begun, lasts = (
            (change.done_at, timedelta(days=settings.EMAIL_UNDO_DAYS))
            if change.done_at
            else (change.asked_at, LINK_LASTS)
        )
        if begun > now - lasts:
            return change
    raise NotFound(_("This link has expired or is incomplete."))


def last_done(user: User) -> EmailChange | None:
    """Return the last change that is done; None if there is none that can be undone still."""
    return EmailChange.objects.filter(user=user, done_at__isnull=False).order_by("-pk").first()


def decision_link(request: HttpRequest, change: EmailChange) -> str:
    """The link in a mail to the old address, by which its owner decides."""
    return site_address(request) + reverse("account_email_change", args=[token_of(change)])


def token_of(change: EmailChange) -> str:
    """The token of the link in the mail to the old address."""
    return signing.dumps(change.pk, salt=_SALT)


def mailbox(address: str) -> str:
    """Whose mail an address is, however it is spelled.

    Many services deliver what follows a plus sign to the same box, and Google leaves out dots; a host with
    other letters than ASCII has a second name. Between quotation marks, a name has many spellings, of which
    a letter carries one. No such address is taken any more, but some are stored.
    """
    name, at, host = _without_tag(address).rpartition("@")
    with suppress(UnicodeError):  # no host can have such a name
        host = punycode(host).lower()
    if at and host in _GOOGLE:
        name, host = name.replace(".", "") or name, "gmail.com"
    return f"{name}{at}{host}"


def _without_tag(address: str) -> str:
    name, at, host = address.strip().lower().rpartition("@")
    if name != '"' and name.startswith('"') and name.endswith('"'):
        name = _ESCAPED.sub(r"\1", name[1:-1])
    return f"{name.partition('+')[0] or name}{at}{host}"


def blocks(address: str, sender: User) -> bool:
    """Whether the owner of an address, or of another one of the same mailbox, has blocked the sender."""
    rows = EmailAddress.objects.filter(verified=True, user__ignored__ignored=sender)
    return mailbox(address) in map(mailbox, rows.values_list("email", flat=True))


def owners(address: str) -> list[int]:
    """The keys of the members who have confirmed an address, or that which it is another spelling of."""
    box = mailbox(address)
    spellings = {address.strip().lower(), _without_tag(address), box}
    if box.endswith("@gmail.com"):
        spellings |= {f"{box.partition('@')[0]}@{host}" for host in _GOOGLE}
    rows = EmailAddress.objects.filter(email__in=spellings, verified=True)
    return list(rows.values_list("user_id", flat=True))


def has_opted_out(address: str) -> bool:
    """Whether the owner of an address wants no invitations, nor notifications unless they confirm it.

    Of who opted out long ago, the hash is of the address as it was typed, or of that without its tag.
    """
    digests = {digest(address), _hash(_without_tag(address)), _hash(address.strip().lower())}
    return InvitationOptOut.objects.filter(digest__in=digests).exists()


def digest(address: str) -> str:
    """The hash of an address, or of another one of the same mailbox."""
    return _hash(mailbox(address))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
