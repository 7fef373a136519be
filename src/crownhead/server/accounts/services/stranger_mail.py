"""Mail to people without an account: confirmed senders only, a short plain note, and only so many.

The rest of such a mail is the club's own text, with a link by which its reader never gets another one.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime
from textwrap import shorten

from django.utils.translation import gettext as _

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.addresses import selectors as addresses
from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import budgets
from crownhead.server.core.problems import Forbidden, TooMany, Unprocessable

LONGEST_NOTE = 200
LONGEST_BEGINNING = 100

_TRY_AGAIN = 3600  # seconds, once the club has sent all it may today
# What mail programs make a link of: a scheme, an @, or letters right after a dot within a word.
_LINK = re.compile(r"\w:/|[@\\]|\bwww\b|[\w)-][.\u3002]\w*[^\W\d_]{2}")


def expect_may_send(*, user: User, now: datetime) -> None:
    """Raise ``Forbidden`` for an unconfirmed sender, ``TooMany`` once they or the club sent enough."""
    if not accounts.email_is_confirmed(user):
        raise Forbidden(_("Confirm your own e-mail address first."))
    if accounts.is_spent(scope="member_invitations", who=f"user:{user.pk}", now=now):
        raise TooMany(_("You've reached today's limit for invitations by e-mail."), seconds=_TRY_AGAIN)
    if accounts.is_spent(scope="club_invitations", who="club", now=now):
        raise TooMany(
            _("The club has sent too many invitations by e-mail. Try again later."), seconds=_TRY_AGAIN
        )


def check_note(text: str) -> str:
    """Return a note as one plain line; raises ``Unprocessable`` for a link, or for too much."""
    note = _one_line(text)
    if len(note) > LONGEST_NOTE:
        raise Unprocessable(
            _("A message sent by e-mail can have at most %(most)s characters, not %(count)s.")
            % {"most": LONGEST_NOTE, "count": len(note)},
            field="message",
        )
    if _has_link(note):
        raise Unprocessable(_("A message sent by e-mail can't contain links or addresses."), field="message")
    return note


def beginning(text: str) -> str:
    """How a text begins, as one plain line, so that who wrote it knows it again; empty if there is a link."""
    line = shorten(_one_line(text), LONGEST_BEGINNING, placeholder="…")
    return "" if _has_link(line) else line


def may_get(*, address: str, sender: User, now: datetime) -> bool:
    """Count a mail to a stranger; whether they may get it. The sender is not told.

    A stranger may turn out to be a member: one who takes no invitations of the sender gets nothing. That
    counts for the sender like one that is sent, or what is left would tell who has blocked them.
    """
    return (
        budgets.spend(scope="member_invitations", who=f"user:{sender.pk}", now=now)
        and not addresses.has_opted_out(address)
        and not addresses.blocks(address, sender)
        and not accounts.refuse_invitations(addresses.owners(address), sender)
        and budgets.spend(scope="stranger_invitations", who=addresses.mailbox(address), now=now)
        and budgets.spend(scope="club_invitations", who="club", now=now)
    )


def _one_line(text: str) -> str:
    return " ".join("".join(" " if _is_control(character) else character for character in text).split())


def _has_link(line: str) -> bool:
    return bool(_LINK.search(unicodedata.normalize("NFKC", line)))


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cf", "Zl", "Zp"}
