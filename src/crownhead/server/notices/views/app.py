"""The installable app: its manifest, service worker and offline page."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, get_language_bidi
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from crownhead.server.core.http.constant_answers import cached_once

_STYLE, _DARK = "crownhead/css/site.css", "crownhead/css/dark.css"
_SCRIPT, _CROWN = "crownhead/js/offline.js", "crownhead/img/crown.svg"
_WORKER = Path(__file__).parents[1] / "worker.js"
_PAGE_COLOUR = "#f3f1ec"  # as in tokens.css; the manifest knows one alone


@require_safe
@cache_control(public=True, max_age=3600)
@cached_once
def manifest(_request: HttpRequest) -> HttpResponse:
    """Return the web app manifest."""
    facts = {
        "id": "/",
        "name": settings.CLUB_NAME,
        "short_name": settings.CLUB_NAME[:12].strip(),
        "description": _("A checkers club: play draughts and checkers in many variants."),
        "lang": get_language(),
        "dir": "rtl" if get_language_bidi() else "ltr",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": _PAGE_COLOUR,
        "theme_color": _PAGE_COLOUR,
        "categories": ["games"],
        "icons": [
            _icon("icon-192.png", "192x192"),
            _icon("icon-512.png", "512x512"),
            _icon("maskable-512.png", "512x512", purpose="maskable"),
        ],
        "shortcuts": [
            _shortcut(_("My games"), "/"),
            _shortcut(_("New game"), reverse("lobby:new_game")),
            _shortcut(_("Waiting room"), reverse("lobby:waiting_room")),
        ],
    }
    return HttpResponse(json.dumps(facts, ensure_ascii=False), content_type="application/manifest+json")


@require_safe
@cache_control(no_cache=True)
@cached_once
def worker(_request: HttpRequest) -> HttpResponse:
    """Return the service worker, with the files of the offline page."""
    page = render_to_string("notices/offline.html", _offline_facts())
    facts = {
        "version": hashlib.sha256(page.encode()).hexdigest()[:16],
        "offline": reverse("notices:offline"),
        "files": [static(name) for name in (_STYLE, _DARK, _SCRIPT, _CROWN)],
        "icon": static("crownhead/img/icon-192.png"),
        "badge": static("crownhead/img/badge-96.png"),
    }
    code = f"self.CLUB = {json.dumps(facts)};\n{_WORKER.read_text('utf-8')}"
    return HttpResponse(code, content_type="text/javascript; charset=utf-8")


@require_safe
@cache_control(public=True, no_cache=True)
@cached_once
def offline(request: HttpRequest) -> HttpResponse:
    """Show the offline page, the same for everybody."""
    return render(request, "notices/offline.html", _offline_facts())


def _offline_facts() -> dict[str, object]:
    return {
        "style": _STYLE,
        "dark": _DARK,
        "script": _SCRIPT,
        "crown": _CROWN,
        "club_name": settings.CLUB_NAME,
    }


def _icon(name: str, sizes: str, *, purpose: str = "any") -> dict[str, str]:
    return {
        "src": static(f"crownhead/img/{name}"),
        "sizes": sizes,
        "type": "image/png",
        "purpose": purpose,
    }


def _shortcut(name: str, address: str) -> dict[str, object]:
    return {"name": name, "url": address, "icons": [_icon("icon-192.png", "192x192")]}
