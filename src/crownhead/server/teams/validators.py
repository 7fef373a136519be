"""What a team may be called, and which names look alike."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _

from crownhead.server.accounts.validators import likeness as likeness_of_letters
from crownhead.server.core.problems import Unprocessable
from crownhead.server.teams.models import LONGEST_NAME

SHORTEST = 3

_NAME = re.compile(r"[^\W_](?:[\w .,'&()+-]*[\w.)!+])?")


def checked_name(name: str) -> str:
    """The name with single spaces; raises ``Unprocessable`` unless a team may have it."""
    kept = " ".join(name.split())
    if not SHORTEST <= len(kept) <= LONGEST_NAME or not _NAME.fullmatch(kept):
        raise Unprocessable(
            "name: "
            + _(
                "expected %(shortest)s to %(longest_name)s letters, digits and spaces that begin "
                "with a letter or digit, got %(given)s"
            )
            % {"shortest": SHORTEST, "longest_name": LONGEST_NAME, "given": repr(kept[:60])}
        )
    return kept


def likeness(name: str) -> str:
    """The same text for all names that a hurried reader takes for one another."""
    return likeness_of_letters(re.sub(r"[^\w]", "", name)) or name.casefold()
