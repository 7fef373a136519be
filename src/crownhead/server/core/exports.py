"""What the apps know of one person, for the archive of his own data: each names its parts here.

    @part("messages.json")
    def messages(user):          # anything that JSON can hold, or generators of it for long lists
        return [{"sent_at": row.sent_at, "text": row.text} for row in rows_of(user)]

A part whose name ends in another suffix (`games.pdn`) returns text or bytes, or gives out pieces of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from typing import Any

Content = Callable[[Any], Any]

_parts: dict[str, Content] = {}


def part(name: str) -> Callable[[Content], Content]:
    """Have a function of a user tell what stands in a file of the archive: JSON, where no suffix is named."""

    def register(content: Content) -> Content:
        _parts[name if "." in name else f"{name}.json"] = content
        return content

    return register


def parts() -> tuple[str, ...]:
    """The names of all files, in order."""
    return tuple(sorted(_parts))


def pieces(name: str, user: Any) -> Iterator[bytes]:
    """One file of a user's archive, piece by piece."""
    content = _parts[name](user)
    if name.endswith(".json"):
        yield from _json(content)
    elif isinstance(content, str | bytes):
        yield _encoded(content)
    else:
        yield from map(_encoded, content)


def _json(content: Any) -> Iterator[bytes]:
    """A list is written entry by entry, so that a long one need not be held whole."""
    if not isinstance(content, Iterable) or isinstance(content, str | bytes | dict):
        yield _written(content).encode()
        return
    lead = "[\n"
    for entry in content:
        yield (lead + _written(entry)).encode()
        lead = ",\n"
    yield b"[]\n" if lead == "[\n" else b"\n]\n"


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, default=_plain)


def _plain(value: object) -> object:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Iterable):
        return list(value)
    raise TypeError(f"expected what JSON can hold, got {value!r}")


def _encoded(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content
