"""A person in a list: name, picture, presence, country."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from html import escape

from django.db.models import prefetch_related_objects
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from crownhead.server.accounts.choices.countries import country_name
from crownhead.server.accounts.selectors import User, country_of, is_away, is_secret, shows_presence
from crownhead.server.accounts.validators import display_name
from crownhead.server.play.selectors import Viewer


@dataclass(frozen=True, slots=True)
class PersonSummary:
    """A person in a list."""

    name: str
    closed: bool
    here: bool
    seen_at: datetime | None
    country: str
    joined_at: datetime

    @property
    def display_name(self) -> str:
        """The name to display; a closed account has none."""
        return display_name(self.name)

    @property
    def joined(self) -> str:
        """In which month they joined, as a sentence."""
        local = timezone.localtime(self.joined_at)
        return _joined(local.year, local.month, get_language() or "")

    @property
    def markup(self) -> SafeString:
        """Them with their picture, as HTML; a closed account is a word without a link."""
        return _person(self.name, get_language() or "", closed=self.closed, here=self.here)


def summary(person: User, *, now: datetime, viewer: Viewer = None) -> PersonSummary:
    """Present one person. If they hide their presence, they are never shown as online or seen.

    Their country is part of the profile, which guests may not see where it is for members only.
    """
    closed, seen = person.closed_at is not None, shows_presence(person)
    return PersonSummary(
        name=person.username,
        closed=closed,
        here=not closed and seen and not is_away(person, now),
        seen_at=person.last_seen_at if seen and not closed else None,
        country="" if is_secret(person, viewer) else country_name(country_of(person)),
        joined_at=person.date_joined,
    )


def summaries(people: Iterable[User], *, now: datetime, viewer: Viewer = None) -> list[PersonSummary]:
    """Present several people, with two queries."""
    rows = list(people)
    prefetch_related_objects(rows, "preferences", "profile")
    return [summary(person, now=now, viewer=viewer) for person in rows]


@lru_cache(maxsize=1024)
def _joined(year: int, month: int, _language: str) -> str:
    return _("joined %(date)s") % {"date": date_format(date(year, month, 1), "F Y")}


@lru_cache(maxsize=4096)
def _person(name: str, _language: str, *, closed: bool, here: bool) -> SafeString:
    """In Python, for lists have dozens of them; the picture is that of `avatar.html`."""
    drawn = (
        f'<span class="avatar" aria-hidden="true"{" data-here" if here and not closed else ""}>'
        f'<img src="{escape(reverse("people:avatar", args=[name]))}" width="32" height="32" alt=""'
        f' loading="lazy"></span> <span>{escape(display_name(name) if closed else name)}</span>'
    )
    address = "" if closed else escape(reverse("people:player", args=[name]))
    whole = f'<span class="person muted">{drawn}</span>'
    if address:
        whole = f'<a class="person" href="{address}">{drawn}</a>'
    return mark_safe(whole)  # nosec B308 B703 # every text in it is escaped
