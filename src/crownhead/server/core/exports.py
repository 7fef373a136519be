"""The parts of the archive of a member's own data; each app registers its parts here.

    @part("messages.json")
    def messages(user):          # any JSON value; a generator for a long list
        return [{"sent_at": row.sent_at, "text": row.text} for row in rows_of(user)]

A part whose name ends in another suffix (`games.pdn`) returns or yields text or bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from typing import Any

Content = Callable[[Any], Any]

_parts: dict[str, Content] = {}


def part(name: str) -> Callable[[Content], Content]:
    """Register a function of a user as a file of the archive: JSON unless the name has a suffix."""

    def register(content: Content) -> Content:
        _parts[name if "." in name else f"{name}.json"] = content
        return content

    return register


def parts() -> tuple[str, ...]:
    """The names of all files, sorted."""
    return tuple(sorted(_parts))


def pieces(name: str, user: Any) -> Iterator[bytes]:
    """One file of a user's archive, piece by piece."""
    content = _parts[name](user)
    if name.endswith(".json"):
        yield from _json(content)
    elif isinstance(content, str | bytes):
        yield _to_bytes(content)
    else:
        yield from map(_to_bytes, content)


def _json(content: Any) -> Iterator[bytes]:
    """Write a list entry by entry, so that a long one never sits in memory as a whole."""
    if not isinstance(content, Iterable) or isinstance(content, str | bytes | dict):
        yield _dumps(content).encode()
        return
    lead = "[\n"
    for entry in content:
        yield (lead + _dumps(entry)).encode()
        lead = ",\n"
    yield b"[]\n" if lead == "[\n" else b"\n]\n"


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, default=_json_default)


def _json_default(value: object) -> object:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Iterable):
        return list(value)
    raise TypeError(f"expected a JSON value, got {value!r}")


def _to_bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content
