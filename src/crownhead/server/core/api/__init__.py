"""What all operations of the API share: errors as problem documents, and rate limits."""

import logging
from collections.abc import Iterable
from itertools import islice
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest as Malformed
from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    TooManyFieldsSent,
)
from django.http import Http404, HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.http.request import RawPostDataException
from django.utils.encoding import escape_uri_path
from ninja import NinjaAPI
from ninja.errors import HttpError, Throttled, ValidationError
from ninja.throttling import BaseThrottle

from crownhead import TooManyCaptures
from crownhead.server.core.limits import caller, seconds_to_wait, too_many
from crownhead.server.core.problems import (
    BadRequest,
    Failure,
    Forbidden,
    NotFound,
    NotSignedIn,
    Problem,
    TooLarge,
    Unavailable,
    Unprocessable,
    UnsupportedMedia,
    is_away,
    of_status,
    refusal,
    response,
)

log = logging.getLogger(__name__)

KIND = "kind:"
"""What the tags of a union begin with whose members are told apart by their fields."""

_MAX_ERRORS = 20  # listed; a body may have thousands


class Limit(BaseThrottle):
    """A throttle for the routers of the API: `Router(throttle=Limit("moves"))`."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        self._wait = 0

    def allow_request(self, request: HttpRequest) -> bool:
        """Count the request; whether it is allowed."""
        request.is_counted = True  # type: ignore[attr-defined] # read by middleware
        self._wait = seconds_to_wait(scope=self.scope, who=caller(request))
        return not self._wait

    def wait(self) -> float | None:
        """Seconds until the caller may try again."""
        return self._wait


def answer_with_problems(api: NinjaAPI) -> None:
    """Install the handlers."""

    @api.exception_handler(Exception)
    def anything(request: HttpRequest, error: Any) -> HttpResponse:
        problem = problem_of(error)
        if problem.status >= 500:
            log.error("%s %s failed", request.method, escape_uri_path(request.path), exc_info=error)
        return response(problem)

    @api.exception_handler(TooManyCaptures)
    def crafted(_request: HttpRequest, error: Any) -> HttpResponse:
        return response(refusal(error))

    @api.exception_handler(RawPostDataException)
    def read_as_form(_request: HttpRequest, _error: Any) -> HttpResponse:
        return response(UnsupportedMedia("expected Content-Type: application/json, got a form"))

    for kind in (Problem, HttpError, ValidationError, Http404):
        api.add_exception_handler(kind, anything)


def problem_of(error: BaseException) -> Problem:
    """The problem for an exception; `Failure` for an unexpected one."""
    match error:
        case Problem():
            return error
        case ValidationError():
            return _invalid(error.errors)
        case Throttled():
            return too_many(max(1, int(error.wait or 1)))
        case HttpError(__cause__=Problem() as problem) | HttpError(__context__=Problem() as problem):
            return problem  # ninja wraps what its parser raises
        case HttpError(status_code=401):
            return NotSignedIn("expected the header Authorization: Bearer <token>, or a signed-in session")
        case HttpError():
            return of_status(error.status_code, error.message)
        case Http404():
            return NotFound()
        case PermissionDenied():
            return Forbidden(str(error))
        case SuspiciousOperation() | Malformed() | MultiPartParserError():
            return _unreadable(error)
        case _:
            return Unavailable() if is_away(error) else Failure("unexpected error; it was logged")


def _unreadable(error: BaseException) -> Problem:
    """The problem of a request that Django refuses to read."""
    if isinstance(error, RequestDataTooBig):
        return TooLarge()
    if isinstance(error, TooManyFieldsSent):
        return BadRequest(f"expected at most {settings.DATA_UPLOAD_MAX_NUMBER_FIELDS} parameters")
    return BadRequest()


def _field_errors(errors: Iterable[dict[str, Any]]) -> list[dict[str, str]]:
    """What is wrong and where, without the input itself, which may be a password."""
    listed = islice(errors, _MAX_ERRORS)
    return [{"where": _location(error["loc"]), "what": str(error["msg"])} for error in listed]


def _location(parts: Iterable[object]) -> str:
    """`body.username`: the source and the field, without the view's parameter, validators and kinds."""
    source, *path = [str(part) for part in parts]
    fields = [part for part in path if not part.startswith(("function-", KIND))]
    return ".".join([source, *(fields[1:] if source in {"body", "form"} else fields)])


def _invalid(errors: list[dict[str, Any]]) -> Unprocessable:
    """The problem of values that don't suit their schema: the first of them, with a list of all."""
    faults = _field_errors(errors)
    first = faults[0] if faults else {"where": "", "what": ""}
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return Unprocessable(f"{first['what']}{more}", field=first["where"], errors=faults)
