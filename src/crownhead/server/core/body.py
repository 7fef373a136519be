"""Parses the body of an API request: only JSON, within limits of size and depth."""

import json
from typing import Any, NoReturn

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from django.http.request import UnreadablePostError
from ninja.parser import Parser

from crownhead.server.core.problems import BadRequest, TooLarge, UnsupportedMedia
from crownhead.server.core.texts import is_storable

_JSON = {"", "application/json"}
_MAX_DEPTH = 20


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
    _check(value, depth=0)
    return value


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _check(value: object, *, depth: int) -> None:
    if depth > _MAX_DEPTH:
        raise BadRequest("the body is nested too deeply")
    if isinstance(value, str):
        if not is_storable(value):
            raise BadRequest("the body contains a NUL or an unpaired surrogate")
    elif isinstance(value, list):
        for entry in value:
            _check(entry, depth=depth + 1)
    elif isinstance(value, dict):
        for name, entry in value.items():
            _check(name, depth=depth + 1)
            _check(entry, depth=depth + 1)
