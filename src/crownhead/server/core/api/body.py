"""Parses the body of an API request: only JSON, within limits of length, depth and number of values."""

import json
from collections.abc import Iterator
from itertools import chain
from typing import Any, NoReturn

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from django.http.request import UnreadablePostError
from ninja.parser import Parser

from crownhead.server.core.problems import BadRequest, TooLarge, UnsupportedMedia
from crownhead.server.core.texts import is_storable

_JSON = {"", "application/json"}
_MAX_DEPTH = 20
_MAX_BYTES = (
    200_000  # the longest text that is accepted anywhere, with every character escaped, needs 120,000
)
_MAX_VALUES = 4_000  # a round with 500 tables needs 1,500


class JsonBody(Parser):
    """Rejects what is not JSON, and text that a database cannot store."""

    def parse_body(self, request: HttpRequest) -> Any:
        """The value in the body; raises `BadRequest`, `TooLarge` or `UnsupportedMedia`."""
        try:
            raw = request.body
        except RequestDataTooBig as error:
            raise TooLarge("the body is too large") from error
        except UnreadablePostError as error:
            raise BadRequest("the connection was lost while reading the body") from error
        if len(raw) > _MAX_BYTES:
            raise TooLarge(f"expected at most {_MAX_BYTES} bytes, got {len(raw)}")
        kind = request.content_type or ""
        if raw and kind not in _JSON and not kind.endswith("+json"):
            raise UnsupportedMedia(f"expected Content-Type: application/json, got {kind!r}")
        return read_json(raw)


def read_json(raw: bytes) -> Any:
    """The value of a JSON text; raises `BadRequest` on anything else."""
    if not raw.strip():
        raise BadRequest("expected a JSON body, got nothing")
    try:
        value = json.loads(raw, parse_constant=_reject_constant)
    except RecursionError as error:
        raise BadRequest("the body is nested too deeply") from error
    except ValueError as error:
        raise BadRequest(f"the body is not JSON: {error}") from error
    for count, (part, depth) in enumerate(_parts(value)):
        if count == _MAX_VALUES:
            raise BadRequest(f"the body has more than {_MAX_VALUES} values")
        if depth > _MAX_DEPTH:
            raise BadRequest("the body is nested too deeply")
        if isinstance(part, str) and not is_storable(part):
            raise BadRequest("the body contains a NUL or an unpaired surrogate")
    return value


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _parts(value: object, depth: int = 0) -> Iterator[tuple[object, int]]:
    """A value and all within it, names too, each with how deep it is nested."""
    yield value, depth
    within = value if isinstance(value, list) else chain(*value.items()) if isinstance(value, dict) else ()
    for part in within:
        yield from _parts(part, depth + 1)
