"""Exceptions for failed requests: problem documents (RFC 9457) in the API, text on pages."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import InterfaceError, OperationalError
from django.http import JsonResponse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from crownhead import CrownheadError, TooManyCaptures

RETRY_AFTER = 5  # seconds, while the database is away
CONTENT_TYPE = "application/problem+json"
# Of PostgreSQL: a server that became a standby or may not be written to; a transaction that was given up.
_AWAY = frozenset({"25006", "25P03"})


class Problem(Exception):
    """A request cannot be served; `text` says why, and `field` which of its values is to blame, if one is.

    `status` is the HTTP status, `slug` the stable name that programs compare, `title` the same for every
    problem of the class, `sentence` what pages show instead of the text; `facts` are further members
    of the document.
    """

    status: ClassVar[int] = 500
    slug: ClassVar[str] = "internal-error"
    title: ClassVar[str | Promise] = gettext_lazy("Server error")
    sentence: ClassVar[str | Promise] = ""

    def __init__(
        self, text: str = "", *, field: str = "", headers: Mapping[str, str] | None = None, **facts: Any
    ) -> None:
        self.text = text or str(self.title)
        self.field = field
        super().__init__(self.detail)
        self.headers = dict(headers or {})
        self.facts = facts

    @property
    def detail(self) -> str:
        """What programs are told: the text, after the name of the field."""
        return f"{self.field}: {self.text}" if self.field else self.text

    @property
    def message(self) -> str:
        """What a page shows: the sentence of the class, or else the text."""
        return str(self.sentence) or self.text

    def document(self) -> dict[str, Any]:
        """The members of the problem document."""
        return {
            **self.facts,
            **({"field": self.field} if self.field else {}),
            "type": f"urn:crownhead:problem:{self.slug}",
            "title": str(self.title),
            "status": self.status,
            "detail": self.detail,
            **({"message": self.message} if self.message != self.text else {}),
        }


class BadRequest(Problem):
    status, slug, title = 400, "bad-request", gettext_lazy("Bad request")


class NotSignedIn(Problem):
    status, slug, title = 401, "not-signed-in", gettext_lazy("Sign in first")
    sentence = gettext_lazy("Sign in first.")

    def __init__(self, text: str = "", *, headers: Mapping[str, str] | None = None, **facts: Any) -> None:
        super().__init__(text, headers={"WWW-Authenticate": "Bearer", **(headers or {})}, **facts)


class Forbidden(Problem):
    status, slug, title = 403, "forbidden", gettext_lazy("You don't have permission to do this")


def without_https() -> Forbidden:
    """The problem of a request to the API without HTTPS, where pages are sent by HTTPS alone."""
    return Forbidden(gettext("Use HTTPS. Revoke the token if you sent one."))


class NotFound(Problem):
    status, slug, title = 404, "not-found", gettext_lazy("Not found")


class WrongMethod(Problem):
    status, slug, title = 405, "wrong-method", gettext_lazy("Method not allowed")


class Conflict(Problem):
    status, slug, title = 409, "conflict", gettext_lazy("Conflict")


class OutOfDate(Conflict):
    slug, title = "out-of-date", gettext_lazy("The page is out of date")
    sentence = gettext_lazy("The game has moved on since this page was loaded. This is the current position.")


class TooLarge(Problem):
    status, slug, title = 413, "too-large", gettext_lazy("The request is too large")


class UnsupportedMedia(Problem):
    status, slug, title = 415, "unsupported-media", gettext_lazy("Unsupported media type")


class Unprocessable(Problem):
    status, slug, title = 422, "unprocessable", gettext_lazy("Invalid request")


class LibraryRefusal(Unprocessable):
    """What the rules or the notation refuse: `text` says why to programs, `message` to people."""

    def __init__(self, text: str, message: str) -> None:
        super().__init__(text)
        self._message = message

    @property
    def message(self) -> str:
        """The sentence for people."""
        return self._message


class TooMany(Problem):
    """`seconds` is how long to wait before the next try."""

    status, slug, title = 429, "too-many", gettext_lazy("Too many requests")

    def __init__(self, text: str = "", *, seconds: int, **facts: Any) -> None:
        super().__init__(text, headers={"Retry-After": str(seconds)}, **facts)


# Of a position that a page shows: more than boards have on which nothing can be taken, 217 in Dameo and
# 139 in Canadian draughts.
MAX_MOVES = 300


class TooManyMoves(Unprocessable):
    """A crafted position, for no game comes near the limits."""

    slug, title = "too-many-moves", gettext_lazy("The position has too many possible moves")
    sentence = gettext_lazy("This position has too many possible moves. Try one with fewer pieces.")


class Failure(Problem):
    """An error on our side."""


class Unavailable(Problem):
    """The database is away, or cannot be written to. Whether a change was made before that is not known."""

    status, slug, title = 503, "unavailable", gettext_lazy("The club can't be reached at the moment")
    sentence = gettext_lazy(
        "The club can't be reached at the moment. "
        "Check whether your last change was saved before you repeat it."
    )

    def __init__(self, text: str = "") -> None:
        text = text or "look whether the change was made before you repeat it"
        super().__init__(text, headers={"Retry-After": str(RETRY_AFTER)})


def is_away(error: BaseException | None) -> bool:
    """Whether the database cannot be reached or written to, by what it raised."""
    if isinstance(error, OperationalError | InterfaceError):
        return True
    return getattr(getattr(error, "__cause__", None), "sqlstate", None) in _AWAY


def of_status(status: int, detail: str = "") -> Problem:
    """The general problem of an HTTP status; 400 or 500 for a status without one of its own."""
    return _BY_STATUS.get(status, BadRequest if status < 500 else Failure)(detail)


def refusal(error: CrownheadError) -> Unprocessable:
    """The problem of what the rules or the notation refuse, in the words of the library, for programs."""
    return TooManyMoves() if isinstance(error, TooManyCaptures) else Unprocessable(str(error))


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
        Unavailable,
    )
}
