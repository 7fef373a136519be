"""What a request may do: whether somebody is signed in, and lately, and whether they may write to others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import Any, TypeVar

from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from allauth.core.exceptions import ImmediateHttpResponse, ReauthenticationRequired
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from crownhead.server.accounts import selectors
from crownhead.server.accounts.events import credential_of_session, credential_of_token
from crownhead.server.accounts.models import ApiToken, User
from crownhead.server.accounts.problems import SecondFactorRequired
from crownhead.server.accounts.security.access import owes_factor
from crownhead.server.accounts.validators import impersonates_staff
from crownhead.server.core.monitoring.security import SecurityEvent, record
from crownhead.server.core.problems import Forbidden, NotSignedIn, Unprocessable
from crownhead.server.core.texts import is_as_before

View = TypeVar("View", bound=Callable[..., Any])
Check = Callable[[User, datetime], None]

CHANGED_MEANWHILE = gettext_lazy("Something about this account has changed meanwhile. Sign in again.")

_checks: list[Check] = []


def against(check: Check) -> Check:
    """Register a check that raises ``Forbidden`` for users who may not write to others."""
    if check not in _checks:
        _checks.append(check)
    return check


def check_may_write(*, user: User, now: datetime, text: str | None = None, before: str = "") -> None:
    """Raise ``Forbidden``, with the reason, if the user may not write what others can read.

    The one rule for messages, chat, profiles, and the texts of teams and contests. ``text``: what is to be
    stored; nothing at all, or what stood there ``before``, can always be.
    """
    if text is not None and is_as_before(text, before):
        return
    for check in _checks:
        check(user, now)


def expect_readable(person: User, viewer: User | None) -> None:
    """Raise ``NotSignedIn`` for a guest if the profile is for members only."""
    if selectors.is_secret(person, viewer):
        raise NotSignedIn(
            _("Only members can see this page of %(username)s.") % {"username": person.username}
        )


def recently_authenticated(*, to_look: bool = True) -> Callable[[View], View]:
    """Let a view in only within minutes of the password or second factor; else it is asked for, and kept.

    For what would hand an account over to anyone who finds a browser signed in: the e-mail address, tokens,
    second factors, the copy of one's data, closing. What was posted goes on once the password was right.
    ``to_look``: whether it is needed for GET and HEAD, too.
    """

    def is_needed(request: HttpRequest) -> bool:
        return to_look or request.method not in {"GET", "HEAD"}

    return lambda view: _protected(view, is_needed)


def by_all_factors(view: View) -> View:
    """Let a session in only once it has shown the second factor of its account, if there is one.

    For a view that asks for the password itself.
    """
    return _protected(view, lambda request: owes_factor(request.session, signed_in(request)))


def _protected(view: View, is_needed: Callable[[HttpRequest], bool]) -> View:
    protected: View = login_required(confirmation_noted(reauthentication_required(view, enabled=is_needed)))
    return protected


def confirmation_noted(view: View) -> View:
    """Note in the security log when a view has the password or second factor asked for again."""

    @wraps(view)
    def noted(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        try:
            return view(request, *args, **kwargs)
        except ReauthenticationRequired:
            record(SecurityEvent.CONFIRMATION_ASKED, user_id=request.user.pk, request=request)
            raise

    return noted  # type: ignore[return-value]


def was_recently_authenticated(request: HttpRequest) -> bool:
    """Whether the session's user gave their password or second factor within the last minutes.

    The password is not enough where the account has a second factor that the session has never shown.
    """
    recently = bool(did_recently_reauthenticate(request))
    return recently and not owes_factor(request.session, signed_in(request))


def expect_recently_authenticated(request: HttpRequest) -> None:
    """Have the password or second factor asked for, as `recently_authenticated` does, in the midst of a view.

    For views that know only then that they are needed; what was posted goes on likewise.
    """
    if not was_recently_authenticated(request):
        record(SecurityEvent.CONFIRMATION_ASKED, user_id=request.user.pk, request=request)
        raise ReauthenticationRequired


def signed_in(request: HttpRequest) -> User:
    """Return the user who is signed in to the page; raises ``NotSignedIn``."""
    if not isinstance(request.user, User):
        raise NotSignedIn
    return request.user


def member(request: HttpRequest) -> User | None:
    """Return the user who is signed in to the page; None for everybody else."""
    return request.user if isinstance(request.user, User) else None


def player_named(name: str) -> User:
    """Return the player with this name; raises ``Unprocessable``."""
    player = selectors.player(name)
    if player is None:
        raise _no_player(name)
    return player


def players_named(names: Iterable[str]) -> list[User]:
    """Return the players with these names, each once, in one query; raises ``Unprocessable``.

    However many they are: it is the caller's to bound them.
    """
    players: dict[int, User] = {}
    for name, player in selectors.players_by_names(names).items():
        if player is None:
            raise _no_player(name)
        players.setdefault(player.pk, player)
    return list(players.values())


def hold_user(user_id: int) -> None:
    """Lock a user's row until the transaction ends, so that what they have is counted by one at a time.

    New rows may still refer to them. A database that can't lock rows has one transaction write at a time.
    """
    _expect_transaction()
    if connection.features.has_select_for_update:
        User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)


@dataclass(frozen=True, slots=True)
class Credential:
    """The token, or else the session, by which somebody acts; its name opens nothing."""

    session_key: str = ""
    token_id: int | None = None

    @property
    def name(self) -> str:
        """What it is called in events, and in the rows of what ends with it."""
        if self.token_id is not None:
            return credential_of_token(self.token_id)
        return credential_of_session(self.session_key)


def session_of(request: HttpRequest) -> Credential:
    """The session of a page."""
    return Credential(request.session.session_key or "")


def hold_member(user: User, *, by: Credential | None = None) -> None:
    """Lock the row of somebody who acts, like ``hold_user``; raises ``NotSignedIn`` where they may no more.

    The request may have been under way while the account was closed or suspended, or its password changed; or
    a guest closed, who is never active, as is the computer. ``by``: what must not have ended either, for what
    outlasts the request and opens the account, or ends with that; it is locked, too.
    """
    _expect_transaction()
    rows = User.objects.only("pk", "is_active", "password", "closed_at")
    if connection.features.has_select_for_update:
        rows = rows.select_for_update(no_key=True)
    held = rows.get(pk=user.pk)
    if (held.is_active, held.password, held.closed_at) != (user.is_active, user.password, user.closed_at):
        raise NotSignedIn
    if by is not None and not _stands(by):
        raise NotSignedIn


def _stands(credential: Credential) -> bool:
    rows: QuerySet[ApiToken] | QuerySet[Session] = (
        Session.objects.filter(session_key=credential.session_key)
        if credential.token_id is None
        else ApiToken.objects.filter(pk=credential.token_id)
    )
    if connection.features.has_select_for_update:
        rows = rows.select_for_update(no_key=True)
    return bool(rows.values_list("pk")[:1])


def store_password(user: User, *, before: User, by: Credential | None = None) -> None:
    """Store the password that was set, and nothing else; ``before``: a copy of the user without it.

    Raises ``NotSignedIn`` as above: of two who change it at once, the second knows one that opens nothing.
    """
    with transaction.atomic():
        hold_member(before, by=by)
        user.save(update_fields=["password"])


@contextmanager
def leading_to_sign_in(request: HttpRequest) -> Iterator[None]:
    """Have somebody whose access has ended meanwhile sign in again, in pages that know no ``NotSignedIn``."""
    try:
        yield
    except NotSignedIn as problem:
        messages.error(request, CHANGED_MEANWHILE)
        raise ImmediateHttpResponse(redirect("account_login")) from problem


def _expect_transaction() -> None:
    """Of every database, so that tests on one that locks no rows fail as well."""
    if not connection.in_atomic_block:
        raise RuntimeError("expected a transaction, in which a row can be held")


def expect_may_call(*, user: User, name: str, before: str = "") -> None:
    """Raise ``Unprocessable`` for a name of a team or tournament that speaks for the staff, but to the staff.

    What it was called ``before``, it may be called on.
    """
    if name != before and not user.acts_as_staff and impersonates_staff(name):
        raise Unprocessable(_("This name could be taken for the staff's. Choose another."), field="name")


def expect_staff(user: User) -> None:
    """Raise ``Forbidden`` unless the user is staff, ``SecondFactorRequired`` if that alone is missing."""
    if user.acts_as_staff:
        return
    if user.is_active and user.is_staff:
        raise SecondFactorRequired(
            _("Turn on a second factor under Security first. If you already have one, sign in with it again.")
        )
    raise Forbidden(_("Only the staff can do this."))


def _no_player(name: str) -> Unprocessable:
    given = repr(name.strip()[:60])
    return Unprocessable(_("There is no player %(given)s.") % {"given": given}, field="username")
