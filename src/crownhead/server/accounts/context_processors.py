"""The preferences that every page knows: attributes for the styles and the board's script."""

from __future__ import annotations

from functools import lru_cache

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from crownhead.server.accounts.choices import Appearance
from crownhead.server.accounts.models import Preferences, User
from crownhead.server.accounts.selectors import preferences_of

SHOWN = ("theme", "numbers", "names", "motion", "sound", "turned", "entry")
"""The choices that are attributes of the page, each as `data-` and its name."""

_DARK = "(prefers-color-scheme: dark)"
_SCHEMES = {
    Appearance.AUTO.value: ("light dark", _DARK),
    Appearance.LIGHT.value: ("light", "not all"),
    Appearance.DARK.value: ("dark", "all"),
}


def chosen(request: HttpRequest) -> dict[str, str | SafeString]:
    """For base.html; a guest's pages have none, so that the browser's own settings apply.

    `page_attributes`: of the root element; `data-preferences` is where the board's panel keeps a choice.
    `color_scheme`: what form fields and scroll bars go by. `dark_media`: when the dark colours hold.
    """
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        scheme, media = _SCHEMES[Appearance.AUTO.value]
        return {"page_attributes": "", "color_scheme": scheme, "dark_media": media}
    preferences = preferences_of(user)
    scheme, media = _SCHEMES[preferences.appearance]
    return {"page_attributes": _attributes(preferences), "color_scheme": scheme, "dark_media": media}


def _attributes(preferences: Preferences) -> SafeString:
    choices = [(name, str(getattr(preferences, name))) for name in SHOWN]
    if preferences.time_zone:
        choices.append(("time-zone", preferences.time_zone))
    return _written(tuple(choices))


@lru_cache(maxsize=1024)
def _written(choices: tuple[tuple[str, str], ...]) -> SafeString:
    address = reverse("api:change_preferences")
    return format_html_join("", ' data-{}="{}"', [("preferences", address), *choices])
