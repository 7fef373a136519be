"""The frame of a page: its modules, and the menu.

The menu is written once for everybody of a language, with gaps for what is a member's own.
`navigation.html` marks the gaps: ``{% gap "reader" %}``, ``{% gap "username" %}``, ``{% gap "profile" %}``,
``{% gap "csrf" %}``, and ``{% badge_gap "messages" label %}``. ``{% navigation %}`` fills them for the reader
of a page.
``{% module_preloads %}`` says early what the script of every page will import.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape

from django import template
from django.core.signals import setting_changed
from django.template import Context
from django.template.loader import get_template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from crownhead.server.core.assets.static import imported_by_every_page
from crownhead.server.web.templatetags.literals import known_address

register = template.Library()

_EDGE, _BAR = "\ue000", "\ue001"  # for private use: in no text of the menu
_MAX_COUNTED = 99
_Key = tuple[str, str, str, bool, bool]  # language, club, page, signed in, staff


@register.simple_tag
def gap(name: str) -> SafeString:
    """Leave a gap in the menu."""
    return mark_safe(f"{_EDGE}{name}{_EDGE}")  # nosec B308 B703 # a constant of the template


@register.simple_tag
def badge_gap(name: str, label: str) -> SafeString:
    """Leave a gap for how many of something wait; ``label``: for screen readers."""
    return mark_safe(f"{_EDGE}badge{_BAR}{name}{_BAR}{escape(label)}{_EDGE}")  # nosec B308 B703 # escaped


@register.simple_tag(takes_context=True)
def navigation(context: Context) -> SafeString:
    """The menu of a page."""
    user, request = context.get("user"), context.get("request")
    signed_in = bool(user is not None and user.is_authenticated)
    key: _Key = (
        get_language() or "",
        str(context.get("club_name") or ""),
        str(context.get("here") or ""),
        signed_in,
        bool(signed_in and user is not None and user.is_staff),
    )
    parts = _parts(key)
    if len(parts) == 1 or user is None:
        return mark_safe(parts[0])  # nosec B308 B703 # the rendered template
    profile = known_address("people:player", (user.username,))
    current = ' aria-current="page"' if request is not None and request.path == profile else ""
    filled = {
        "reader": str(user.pk),
        "username": escape(user.username),
        "profile": f'href="{profile}"{current}',
        "csrf": escape(str(context.get("csrf_token") or "")),
    }
    counts = context.get("badges") or {}
    text = "".join(
        part if place % 2 == 0 else filled[part] if part in filled else _badge(part, counts)
        for place, part in enumerate(parts)
    )
    return mark_safe(text)  # nosec B308 B703 # the rendered template, and texts that are escaped above


@register.simple_tag
def module_preloads() -> SafeString:
    """Links to the modules that the script of every page imports, so that they come with it."""
    links = (f'<link rel="modulepreload" href="{escape(address)}">' for address in imported_by_every_page())
    return mark_safe("".join(links))  # nosec B308 B703 # escaped


@lru_cache(maxsize=1024)
def _parts(key: _Key) -> tuple[str, ...]:
    """The rendered menu: text and gaps by turns."""
    _language, club, here, signed_in, is_staff = key
    values = {"club_name": club, "here": here, "signed_in": signed_in, "is_staff": is_staff}
    return tuple(get_template("navigation.html").render(values).split(_EDGE))


def _badge(part: str, counts: dict[str, int]) -> str:
    _kind, name, label = part.split(_BAR)
    count = counts.get(name) or 0
    hidden, shown = "" if count else " hidden", f"{_MAX_COUNTED}+" if count > _MAX_COUNTED else str(count)
    return (
        f'<span class="badge" data-badge="{name}"{hidden}>'
        f'<span class="visually-hidden"> {label}</span><b>{shown}</b></span>'
    )


def _forget(**_of_signal: object) -> None:
    _parts.cache_clear()


setting_changed.connect(_forget, dispatch_uid="forget the menu")
