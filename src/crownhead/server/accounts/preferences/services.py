"""Services of preferences and profiles."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.exceptions import FieldDoesNotExist
from django.db import models, transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import check_may_write, hold_member
from crownhead.server.accounts.choices.countries import COUNTRIES
from crownhead.server.accounts.models import Preferences, Profile, User
from crownhead.server.accounts.preferences.selectors import time_zones
from crownhead.server.accounts.selectors import preferences_of, profile_of
from crownhead.server.core.limits import spend_text
from crownhead.server.core.markup.stored import render_ahead
from crownhead.server.core.problems import Unprocessable
from crownhead.server.core.texts import without_controls

LONGEST_TEXT = 10_000

NAMES = tuple(field.name for field in Preferences._meta.concrete_fields if field.name != "user")


def set_preferences(*, user: User, changes: Mapping[str, Any]) -> Preferences:
    """Change the preferences that are named, by column; the rest stays.

    Raises ``Unprocessable`` with all errors.
    """
    faults = [fault for name, value in changes.items() if (fault := _fault(name, value))]
    if faults:
        raise Unprocessable(faults[0]["what"], field=faults[0]["where"], errors=faults)
    chosen, _is_new = Preferences.objects.update_or_create(user=user, defaults=dict(changes))
    user.preferences = chosen
    return chosen


def adopt_time_zone(*, user: User, name: str) -> None:
    """Take the browser's time zone for a member who has chosen none; an unknown name is ignored."""
    if name and not preferences_of(user).time_zone and name in time_zones():
        set_preferences(user=user, changes={"time_zone": name})


def set_profile(*, user: User, now: datetime, text: str | None = None, country: str | None = None) -> Profile:
    """Change the profile; None leaves a field as it is.

    Raises ``Unprocessable``, ``Forbidden`` if muted, ``TooMany`` for too many changes to the text.
    """
    changes: dict[str, str] = {}
    if text is not None:
        text = without_controls(text)
        if len(text) > LONGEST_TEXT:
            raise Unprocessable(
                _("Use at most %(longest_text)s characters, not %(count)s.")
                % {"longest_text": LONGEST_TEXT, "count": len(text)},
                field="text",
            )
        before = profile_of(user).text
        check_may_write(user=user, now=now, text=text, before=before)
        spend_text(user_id=user.pk, text=text, before=before)
        changes["text"] = text
        render_ahead(text)
    if country is not None:
        if country and country not in COUNTRIES:
            raise Unprocessable(
                _("Choose a country code like NL (ISO 3166-1), not %(given)s.")
                % {"given": repr(country[:20])},
                field="country",
            )
        changes["country"] = country
    with transaction.atomic():
        hold_member(user)  # everybody would read what is written beside the closing of an account
        profile, _is_new = Profile.objects.update_or_create(user=user, defaults=changes)
    user.profile = profile
    return profile


def _fault(name: str, value: object) -> dict[str, str] | None:
    """Return what is wrong with a choice, and where; None if nothing is."""
    expected = _expected(name)
    if expected is None:
        return {"where": name, "what": f"expected one of {', '.join(NAMES)}"}
    if value in expected and isinstance(value, type(next(iter(expected)))):
        return None
    few = ", ".join(str(entry) or "an empty text" for entry in expected) if len(expected) < 20 else ""
    return {"where": name, "what": f"expected {few or 'a name of the tz database'}, got {str(value)[:60]!r}"}


def _expected(name: str) -> list[Any] | None:
    """Return the possible values; None for an unknown preference."""
    if name == "time_zone":
        return ["", "UTC", *time_zones()]
    if name == "language":
        return ["", *(code for code, _ in settings.LANGUAGES)]
    try:
        field = Preferences._meta.get_field(name)
    except FieldDoesNotExist:
        return None
    if isinstance(field, models.BooleanField):
        return [True, False]
    choices = getattr(field, "choices", None)
    return [value for value, _ in choices] if choices else None
