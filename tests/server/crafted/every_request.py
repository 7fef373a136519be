"""Every request of the site with a position or moves in all fields that may take some."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from crownhead import CrownheadError, Position
from tests.server.contract import operations, resolved
from tests.server.security import requests
from tests.server.security.requests import Ask

# The fields of pages and forms that hold a position, moves, or lines of moves.
POSITIONS = frozenset({"fen", "start"})
MOVES = frozenset({"moves", "move", "line", "lines", "text", "plies", "wrong", "first_move"})
# Fields of bodies whose names only sound like it.
OTHERS = {"starts_at", "days_per_move"}
# What else a form needs so that its position is looked at.
FORMS = {
    "POST /new/": {"colour": "first", "terms": "1", "days_per_move": "3", "opponent": "{second}"},
}
_WORDS = ("fen", "pdn", "move", "moves", "line", "lines", "start", "position", "plies", "first_move")


def asks(facts: Mapping[str, str], *, variant: str, fen: str) -> Iterator[Ask]:
    """Every page, form and operation with these words; most several times, in different fields."""
    moves = _moves(variant, fen)
    fields = dict.fromkeys(POSITIONS, fen) | dict.fromkeys(MOVES, moves) | {"variant": variant}
    for ask in requests.pages(facts):
        if ask.method == "GET":
            for query in _queries(fields, moves):
                joint = "&" if "?" in ask.address else "?"
                yield replace(ask, address=f"{ask.address}{joint}{urlencode(query)}")
        else:
            form = {name: text.format_map(facts) for name, text in FORMS.get(ask.row, {}).items()}
            yield replace(ask, body={**form, **dict.fromkeys(POSITIONS, fen), "variant": variant})
            yield replace(ask, body={**fields, **(ask.body or {})})
            yield replace(ask, body={**(ask.body or {}), **fields})
    for ask in requests.calls(facts):
        body = ask.body if isinstance(ask.body, dict) else {}
        properties = _properties(ask)
        position = {name: fen for name in properties if name in POSITIONS}
        moved = {name: _typed(properties[name], moves) for name in properties if name in MOVES - {"text"}}
        moved = {name: value for name, value in moved.items() if value is not None}
        if position or moved:
            variants = {"variant": variant} if "variant" in properties else {}
            opponent = {"opponent": facts["second"]} if "opponent" in properties else {}
            yield replace(ask, body=body | variants | opponent | position)
            yield replace(ask, body=body | variants | opponent | position | moved)


def unknown_fields() -> list[str]:
    """Fields of bodies whose names speak of positions or moves, and that no request fills in."""
    known = {*POSITIONS, *MOVES, *OTHERS}
    return sorted(
        f"{operation['operationId']}.{name}"
        for _method, _path, operation in operations()
        for name in _fields_of(operation)
        if any(word in name.split("_") for word in _WORDS) and name not in known
    )


def _queries(fields: dict[str, str], moves: str) -> Iterator[dict[str, str]]:
    position = {"variant": fields["variant"], "fen": fields["fen"]}
    yield position
    yield position | {"setup": "1"}
    yield position | {"moves": moves, "at": moves.replace("x", "-")}
    yield fields


def _moves(variant: str, fen: str) -> str:
    """A move of the position by its longest way; where there are too many, a move of another one."""
    try:
        position = Position.from_fen(fen, variant)
        move = max(position.legal_moves(), key=lambda one: len(one.path), default=None)
        return position.notation(move)[:80] if move is not None else "11-15"
    except CrownheadError:
        return "11-15"


def _typed(schema: dict[str, Any], text: str) -> Any:
    """The text in as many lists as the schema has; None where it takes no text."""
    for choice in (schema, *map(resolved, schema.get("anyOf", ()))):
        if choice.get("type") == "string":
            return text
        if choice.get("type") == "array":
            inner = _typed(resolved(choice["items"]), text)
            return None if inner is None else [inner]
    return None


def _properties(ask: Ask) -> dict[str, Any]:
    """The fields of the body of an operation, with their schemas."""
    for method, path, operation in operations():
        if ask.row.removesuffix(" (hidden)") == f"{method} {path}":
            return _fields_of(operation)
    return {}


def _fields_of(operation: dict[str, Any]) -> dict[str, Any]:
    declared = operation.get("requestBody")
    if declared is None:
        return {}
    schema = resolved(declared["content"]["application/json"]["schema"])
    return {name: resolved(one) for name, one in schema.get("properties", {}).items()}
