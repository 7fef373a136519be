"""Reading the body of an API request: JSON and nothing else, of a sane size and shape."""

import json
from typing import Any, NoReturn

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from django.http.request import UnreadablePostError
from ninja.parser import Parser

from crownhead.server.core.problems import BadRequest, TooLarge, UnsupportedMedia
from crownhead.server.core.texts import is_storable

_JSON = {"", "application/json"}
_DEEPEST = 20


class JsonBody(Parser):
    """Refuses what is not JSON, and texts that no database can hold."""

    def parse_body(self, request: HttpRequest) -> Any:
        """The value in the body; raises `BadRequest`, `TooLarge` or `UnsupportedMedia`."""
        try:
            raw = request.body
        except RequestDataTooBig as error:
            raise TooLarge("the body is larger than anything that is read here") from error
        except UnreadablePostError as error:
            raise BadRequest("the connection broke off within the body") from error
        kind = request.content_type or ""
        if raw and kind not in _JSON and not kind.endswith("+json"):
            raise UnsupportedMedia(f"expected Content-Type: application/json, got {kind!r}")
        return read_json(raw)


def read_json(raw: bytes) -> Any:
    """The value of a JSON text; raises `BadRequest` on anything else."""
    if not raw.strip():
        raise BadRequest("expected a JSON body, got nothing")
    try:
        value = json.loads(raw, parse_constant=_no_constant)
    except RecursionError as error:
        raise BadRequest("the body is nested too deeply") from error
    except ValueError as error:
        raise BadRequest(f"the body is not JSON: {error}") from error
    _check(value, depth=0)
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _check(value: object, *, depth: int) -> None:
    if depth > _DEEPEST:
        raise BadRequest("the body is nested too deeply")
    if isinstance(value, str):
        if not is_storable(value):
            raise BadRequest("the body holds a NUL or half a surrogate pair")
    elif isinstance(value, list):
        for entry in value:
            _check(entry, depth=depth + 1)
    elif isinstance(value, dict):
        for name, entry in value.items():
            _check(name, depth=depth + 1)
            _check(entry, depth=depth + 1)
