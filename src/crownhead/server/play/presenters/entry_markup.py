"""Parts of a line in a list of games as HTML: pages have dozens of such lines."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from html import escape

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _


@lru_cache(maxsize=4096)
def game_link(game_id: str) -> str:
    """The path of the page of a game."""
    return reverse("pages:game", args=[game_id])


def facts_markup(*texts: str) -> SafeString:
    """What is to be known of a game, in a row; empty texts are left out."""
    return mark_safe("".join(f"<span>{escape(text)}</span>" for text in texts if text))  # nosec B308 B703 # escaped


def time_left_markup(*, until: datetime, text: str, short: bool) -> SafeString:
    """How much time is left."""
    return mark_safe(  # nosec B308 B703 # every text in it is escaped
        f'<span class="left"{" data-short" if short else ""}>'
        f'<time datetime="{timezone.localtime(until).isoformat()}">{escape(text)}</time></span>'
        f'<span class="muted">{escape(_("left"))}</span>'
    )


def ended_markup(at: datetime) -> SafeString:
    """On which day a game ended."""
    local = timezone.localtime(at)
    day = escape(date_format(local, "SHORT_DATE_FORMAT"))
    return mark_safe(  # nosec B308 B703 # escaped
        f'<time class="muted" datetime="{local.isoformat()}">{day}</time>'
    )
