"""A browser window without JavaScript: pages as a reader sees them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from django.test import Client

_BLIND = re.compile(r"<(script|style)\b.*?</\1>|<!--.*?-->", re.DOTALL)
_TAG = re.compile(r"<[^>]+>")
_BUTTON = re.compile(r"<button class=\"square-button\"(?P<attributes>[^>]*)>")
_ATTRIBUTE = re.compile(r"([\w-]+)=\"([^\"]*)\"")


@dataclass(frozen=True, slots=True)
class View:
    """A response: its status, where it redirects to, the page and the text on it.

    In ``html`` the attributes of a tag stand on one line.
    """

    status: int
    location: str
    html: str
    headers: dict[str, str]

    @property
    def text(self) -> str:
        """The text of the page with single spaces."""
        return " ".join(unescape(_TAG.sub(" ", _BLIND.sub(" ", self.html))).split())

    def square(self, number: int) -> dict[str, str]:
        """The attributes of a square's button."""
        for match in _BUTTON.finditer(self.html):
            attributes = dict(_ATTRIBUTE.findall(match["attributes"]))
            if attributes["data-square"] == str(number):
                return {name: unescape(value) for name, value in attributes.items()}
        raise AssertionError(f"expected a board with square {number}")


@dataclass(slots=True)
class Window:
    """Gets and posts like a browser, following redirects if asked to."""

    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))

    def get(self, path: str, *, fragment: bool = False) -> View:
        """Open an address; ``fragment``: as htmx does, only the content."""
        return _view(self.client.get(path, headers=_headers(fragment=fragment)))

    def post(
        self,
        path: str,
        form: Mapping[str, str] | None = None,
        *,
        follow: bool = False,
        fragment: bool = False,
    ) -> View:
        """Send a form; ``follow``: follow the redirect."""
        answer = self.client.post(path, dict(form or {}), follow=follow, headers=_headers(fragment=fragment))
        return _view(answer)


def _headers(*, fragment: bool) -> dict[str, str]:
    return {"HX-Request": "true"} if fragment else {}


def _view(answer: Any) -> View:
    headers = dict(answer.headers.items())
    html = answer.getvalue().decode()
    if headers.get("Content-Type", "").startswith("text/html"):
        html = _TAG.sub(lambda tag: " ".join(tag[0].split()), html)
    return View(answer.status_code, headers.get("Location", ""), html, headers)
