"""Answers as the permission matrix tells them apart, and its tables."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from django.contrib.messages import get_messages

from tests.server.security.visitors import VISITORS

WORDS = {
    "ok": "shown or done",
    "sign-in": "sign in first: a page leads to the sign-in page, the API answers 401",
    "again": "confirm who you are: leads to the page that asks for the password again",
    "no": "403: you may not do this",
    "hidden": "404: for this visitor there is no such thing",
    "refused": "400, 409, 422, or back to the page with the reason: not now, or not like this",
    "-": "405: not an address for this method",
}
TABLES = {"pages": "pages.toml", "calls": "operations.toml"}
_FOLDER = Path(__file__).parent
_BY_STATUS = {
    400: "refused",
    401: "sign-in",
    403: "no",
    404: "hidden",
    405: "-",
    409: "refused",
    422: "refused",
}
_SIGN_IN = ("/accounts/login/", "/staff/login/")
_AGAIN = ("/accounts/reauthenticate/", "/accounts/second-factor/again/")


def word_for(answer: Any) -> str:
    """The word for an answer of the test client; its status where there is none, which no table holds."""
    if any(message.level_tag == "error" for message in get_messages(answer.wsgi_request)):
        return "refused"
    if answer.status_code in {301, 302, 303}:
        place = answer.headers["Location"]
        return "sign-in" if place.startswith(_SIGN_IN) else "again" if place.startswith(_AGAIN) else "ok"
    if 200 <= answer.status_code < 300:
        return "ok"
    return _BY_STATUS.get(answer.status_code, str(answer.status_code))


def table(name: str) -> dict[str, dict[str, str]]:
    """For each request of a table, the word for each kind of visitor."""
    rows: dict[str, dict[str, str]] = {}
    for group in _groups(name):
        usual, *named = group["answers"].items()
        answers = dict.fromkeys(VISITORS, usual[1]) | dict(named)
        answers |= {"playing_guest": answers["guest"]} | dict(named)  # nobody else, where a row says no more
        place = f"{name}, {group['who']}"
        assert usual[0] == "usual", f"{place}: expected `usual` first"
        assert set(answers) == set(VISITORS), f"{place}: expected visitors of {', '.join(VISITORS)}"
        assert set(answers.values()) <= set(WORDS), f"{place}: expected words of {', '.join(WORDS)}"
        for request in group["requests"]:
            assert request not in rows, f"{name}: there are two rows for {request}"
            rows[request] = answers
    return rows


def taking_no_old_session() -> set[str]:
    """The operations for which a session must have given the password or second factor lately."""
    groups = [group for group in _groups(TABLES["calls"]) if group.get("recently", False)]
    return {request for group in groups for request in group["requests"]}


def _groups(name: str) -> list[dict[str, Any]]:
    groups: list[dict[str, Any]] = tomllib.loads((_FOLDER / name).read_text("utf-8"))["rows"]
    return groups
