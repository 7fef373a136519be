"""The contract of the API: what the OpenAPI document declares, held against what was answered."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from django.http import HttpResponseBase
from django.urls import Resolver404, resolve

from crownhead.server.config.api import api
from crownhead.server.config.unknown import unknown


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document as programs read it."""
    read: dict[str, Any] = json.loads(json.dumps(api.get_openapi_schema()))
    return read


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    """Method, path and description of every operation."""
    return [
        (method.upper(), path, operation)
        for path, methods in document()["paths"].items()
        for method, operation in methods.items()
    ]


def resolved(part: dict[str, Any]) -> dict[str, Any]:
    """A part of the document, or the component that it refers to."""
    found = part
    while "$ref" in found:
        found = document()
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
    return found


def expect_declared(answer: HttpResponseBase, *, method: str, path: str) -> None:
    """Fail unless the operation declares an answer of this status and media type."""
    operation = _operation(method, path)
    if operation is None:
        return
    place, responses = f"{method} {path}", operation["responses"]
    if answer.status_code >= 500:
        declared = responses["default"]
    else:
        assert str(answer.status_code) in responses, f"{place} does not declare {answer.status_code}"
        declared = responses[str(answer.status_code)]
    content = resolved(declared).get("content")
    if content is not None:
        assert media_type(answer) in content, f"{place} does not declare {media_type(answer)}"


def media_type(answer: HttpResponseBase) -> str:
    """What an answer says that it is, without its character set."""
    return answer.headers.get("Content-Type", "").partition(";")[0]


def _operation(method: str, path: str) -> dict[str, Any] | None:
    """What is declared for a request; None where no operation answers it."""
    try:
        match = resolve(path)
    except Resolver404:
        return None
    if match.func is unknown:
        return None
    template = "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", match.route)
    found: dict[str, Any] | None = document()["paths"].get(template, {}).get(method.lower())
    return found
