"""Who makes an API request: the bearer of a token, or the session of a signed-in page.

What a token must allow for an operation is decided in one place, `state_scope`, for all operations;
`Bearer` holds every request to it.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja.operation import Operation
from ninja.security import APIKeyCookie, HttpBearer
from ninja.utils import check_csrf

from crownhead.server.accounts.access import Credential, session_of, was_recently_authenticated
from crownhead.server.accounts.choices import Scope
from crownhead.server.accounts.guests.access import guest_of
from crownhead.server.accounts.models import ApiToken, User
from crownhead.server.accounts.problems import AuthenticationTooOld, throttled_for_programs
from crownhead.server.accounts.security.access import owes_factor
from crownhead.server.accounts.security.second_factor import expect_second_factor
from crownhead.server.accounts.tokens.access import access_token, expect_scope
from crownhead.server.accounts.tokens.services import note_use
from crownhead.server.core import clock
from crownhead.server.core.problems import Forbidden, NotSignedIn
from crownhead.server.core.texts import is_as_before

View = TypeVar("View", bound=Callable[..., Any])

_SCOPE, _SHOWS, _RECENTLY = "token_scope", "answer_shows", "recently_authenticated"
_TOKEN = "api_token"  # what a request by a token carries


class Bearer(HttpBearer):
    """`Authorization: Bearer <token>`; a token that is not in use is refused, not passed over.

    ``scope``: what the token must allow; None for nothing in particular. ``shows``: it must allow to
    read as well.
    """

    def __init__(self, scope: Scope | None = Scope.MANAGE, *, shows: bool = False) -> None:
        super().__init__()
        self.scope, self.shows = scope, shows

    @property
    def scopes(self) -> list[Scope]:
        """All that the token must allow."""
        return [scope for scope in (self.scope, Scope.READ if self.shows else None) if scope is not None]

    def authenticate(self, request: HttpRequest, token: str) -> User:
        """The user whose token it is."""
        now = clock.now()
        row = access_token(token, needed=self.scope, now=now)
        if self.shows:
            expect_scope(row, Scope.READ)
        note_use(token=row, now=now)
        setattr(request, _TOKEN, row)
        return row.user


class Session(APIKeyCookie):
    """The session cookie; requests that change something must carry the CSRF token.

    ``recently``: whether the password or second factor must have been given a moment ago.
    """

    param_name = settings.SESSION_COOKIE_NAME

    def __init__(self, *, recently: bool = False) -> None:
        super().__init__()
        self.recently = recently

    def __call__(self, request: HttpRequest) -> User | None:
        """The user who is signed in, if any."""
        if not isinstance(request.user, User):
            return None
        if check_csrf(request):
            raise Forbidden("expected the page's CSRF token in the header X-CSRFToken")
        if self.recently and not was_recently_authenticated(request):
            raise _too_old()
        return request.user

    def authenticate(self, request: HttpRequest, _key: str | None) -> User | None:
        """Not a question of the cookie alone: see `__call__`."""
        return self(request)


class Guest:
    """Everybody else."""

    def __call__(self, _request: HttpRequest) -> AnonymousUser:
        """Nobody in particular."""
        return AnonymousUser()


class PlayingGuest:
    """The guest who plays in the browser; as for `Session`, the request must carry the CSRF token."""

    def __call__(self, request: HttpRequest) -> User | None:
        """The guest, if there is one."""
        guest = guest_of(request)
        if guest is not None and check_csrf(request):
            raise Forbidden("expected the page's CSRF token in the header X-CSRFToken")
        return guest


SIGNED_IN: list[Any] = [Bearer(), Session()]
ANYONE: list[Any] = [Bearer(), Session(), Guest()]
PLAYERS: list[Any] = [Bearer(), Session(), PlayingGuest()]
"""Those of `SIGNED_IN`, and guests: for what the pages of a game ask of the API, the moves of a live game."""


def needs(scope: Scope | None, *, shows: bool = False, recently: bool = False) -> Callable[[View], View]:
    """Say what a token must allow for an operation, where it is not what its tag says.

    ``shows``: the answer to a change, even to one of nothing, has what else takes the scope to read, which
    the token must have as well. ``recently``: a session must have been authenticated a moment ago.
    """

    def decorator(view: View) -> View:
        setattr(view, _SCOPE, scope)
        setattr(view, _SHOWS, shows)
        setattr(view, _RECENTLY, recently)
        return view

    return decorator


def state_scope(operation: Operation, *, usual: Scope, inherited: list[Any]) -> None:
    """Bind an operation to what a token must allow: to read for GET, else what `needs` says, or the usual.

    ``inherited``: who may use it where the operation itself doesn't say.
    """
    reads = operation.methods == ["GET"]
    scope: Scope | None = getattr(operation.view_func, _SCOPE, Scope.READ if reads else usual)
    shows, recently = (getattr(operation.view_func, name, False) for name in (_SHOWS, _RECENTLY))
    own = operation.auth_param
    given: Any = own if isinstance(own, list) or own is None else inherited
    bound: list[Any] = [_bound(callback, scope, shows=shows, recently=recently) for callback in given or ()]
    operation.auth_param, operation.auth_callbacks = bound or None, bound


def scopes_of(operation: Operation) -> list[Scope]:
    """What a token must allow for an operation."""
    return next((one.scopes for one in operation.auth_callbacks if isinstance(one, Bearer)), [])


def viewer(request: HttpRequest) -> User | None:
    """The user who makes the request; None for a guest."""
    user = getattr(request, "auth", None)
    return user if isinstance(user, User) else None


def player(request: HttpRequest) -> User | None:
    """Whose running games count: the user who makes the request, or the guest who plays in the browser."""
    return viewer(request) or guest_of(request)


def signed_in(request: HttpRequest) -> User:
    """The user who makes the request, behind `SIGNED_IN`."""
    user = viewer(request)
    if user is None:
        raise NotSignedIn
    return user


def credential(request: HttpRequest) -> Credential:
    """The token or session by which a request behind `SIGNED_IN` is made."""
    token: ApiToken | None = getattr(request, _TOKEN, None)
    return session_of(request) if token is None else Credential(token_id=token.pk)


def expect_confirmed(request: HttpRequest, *, password: str, code: str) -> None:
    """Have somebody confirm a request behind `SIGNED_IN` by their password, before what can't be undone.

    It counts as where somebody signs in: raises ``Forbidden`` for a wrong one, and ``TooMany``. It is not
    enough where the account has a second factor: raises ``AuthenticationTooOld`` for a session that has not
    shown it, ``SecondFactorNeeded`` for a token made without it that does not come with its ``code``.
    """
    user, token = signed_in(request), getattr(request, _TOKEN, None)
    if token is None and owes_factor(request.session, user):
        raise _too_old()
    with throttled_for_programs():
        is_right = get_adapter().is_own_password(user, password)
    if not is_right:
        raise Forbidden(_("Wrong password."), field="password")
    if token is not None and not token.with_factor:
        expect_second_factor(user=user, code=code)


def checked_message(request: HttpRequest, text: str, *, before: str = "") -> str:
    """A text for others that comes along with something else: with a move, or as the name of a team.

    Raises ``OutOfScope`` where it comes by a token that does not allow to write as its user, unless it says
    nothing, or what stood there ``before``.
    """
    token: ApiToken | None = getattr(request, _TOKEN, None)
    if token is not None and not is_as_before(text, before):
        expect_scope(token, Scope.TALK)
    return text


def _too_old() -> AuthenticationTooOld:
    return AuthenticationTooOld(
        _("Enter your password or second factor again on the club's pages, then try again.")
    )


def _bound(callback: Any, scope: Scope | None, *, shows: bool, recently: bool) -> Any:
    match callback:
        case Bearer():
            return Bearer(scope, shows=shows)
        case Session():
            return Session(recently=recently)
        case _:
            return callback
