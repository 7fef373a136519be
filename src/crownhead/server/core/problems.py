"""What can be wrong with a request, as exceptions that a door renders (RFC 9457), or a page."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.http import JsonResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

CONTENT_TYPE = "application/problem+json"


class Problem(Exception):
    """A request cannot be served; `detail` says why, in a sentence for the person who made it.

    `status` is the HTTP status, `slug` the stable name that programs compare, `title` the same for every
    problem of the class; `facts` are further members of the document.
    """

    status: ClassVar[int] = 500
    slug: ClassVar[str] = "internal-error"
    title: ClassVar[str | Promise] = gettext_lazy("The server failed")

    def __init__(self, detail: str = "", *, headers: Mapping[str, str] | None = None, **facts: Any) -> None:
        self.detail = detail or str(self.title)
        super().__init__(self.detail)
        self.headers = dict(headers or {})
        self.facts = facts

    def document(self) -> dict[str, Any]:
        """The members of the problem document."""
        return {
            **self.facts,
            "type": f"urn:crownhead:problem:{self.slug}",
            "title": str(self.title),
            "status": self.status,
            "detail": self.detail,
        }


class BadRequest(Problem):
    status, slug, title = 400, "bad-request", gettext_lazy("The request cannot be read")


class NotSignedIn(Problem):
    status, slug, title = 401, "not-signed-in", gettext_lazy("Sign in first")

    def __init__(self, detail: str = "", *, headers: Mapping[str, str] | None = None, **facts: Any) -> None:
        super().__init__(detail, headers={"WWW-Authenticate": "Bearer", **(headers or {})}, **facts)


class Forbidden(Problem):
    status, slug, title = 403, "forbidden", gettext_lazy("That is not yours to do")


class NotFound(Problem):
    status, slug, title = 404, "not-found", gettext_lazy("There is nothing here")


class WrongMethod(Problem):
    status, slug, title = 405, "wrong-method", gettext_lazy("That cannot be done with this address")


class Conflict(Problem):
    status, slug, title = 409, "conflict", gettext_lazy("That does not go with what is already there")


class OutOfDate(Conflict):
    slug, title = "out-of-date", gettext_lazy("The page is out of date")


class TooLarge(Problem):
    status, slug, title = 413, "too-large", gettext_lazy("The request is too large")


class UnsupportedMedia(Problem):
    status, slug, title = 415, "unsupported-media", gettext_lazy("The body is of no kind that is read here")


class Unprocessable(Problem):
    status, slug, title = 422, "unprocessable", gettext_lazy("The request makes no sense here")


class TooMany(Problem):
    """`seconds` is how long to wait before the next try."""

    status, slug, title = 429, "too-many", gettext_lazy("Too many requests")

    def __init__(self, detail: str = "", *, seconds: int, **facts: Any) -> None:
        super().__init__(detail, headers={"Retry-After": str(seconds)}, **facts)


class Failure(Problem):
    """Something went wrong here that is not the caller's fault."""


def of_status(status: int, detail: str = "") -> Problem:
    """The plain problem of an HTTP status; one of 400 or 500 where the status has none of its own."""
    return _BY_STATUS.get(status, BadRequest if status < 500 else Failure)(detail)


def response(problem: Problem) -> JsonResponse:
    """The problem as an HTTP answer."""
    return JsonResponse(
        problem.document(), status=problem.status, content_type=CONTENT_TYPE, headers=problem.headers
    )


_BY_STATUS: dict[int, type[Problem]] = {
    kind.status: kind
    for kind in (
        BadRequest,
        NotSignedIn,
        Forbidden,
        NotFound,
        WrongMethod,
        Conflict,
        TooLarge,
        UnsupportedMedia,
        Unprocessable,
    )
}
