"""Wrong passwords: stopped where they come from, so that they never lock the owner of a name out.

After "Device cookies" of OWASP: a browser in which somebody has signed in before has a count of its own,
which nobody else can use up. All others count by their address, and together by name; an address at which the
owner is signed in is excepted from the latter. An unlock link by e-mail makes a browser known.

An address may mean two members, and nobody shall find out which. Tries are refused by counts of what was
typed here, not of who is meant. Counts of the members who are meant, by name and by address together, refuse
nothing: once they are used up, the password is not checked, and the answer is that it is wrong. That holds
for the count by name, too: a refusal from all addresses but one would tell where a member is signed in.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from crownhead.server.accounts.addresses.selectors import (
    confirmed_owner,
    first_holder,
    has_confirmed,
    latest_claimant,
)
from crownhead.server.accounts.models import User
from crownhead.server.accounts.security.sessions import plain_address
from crownhead.server.accounts.services import budgets
from crownhead.server.accounts.validators import folded
from crownhead.server.core import limits
from crownhead.server.core.http import client_address, set_private_cookie

DEVICE_LASTS = timedelta(days=365)
LINK_LASTS = timedelta(hours=1)

_MAX_USERS = 5  # of one browser
_NONCE_BYTES = 12
_DEVICE, _UNLOCK = "crownhead.device", "crownhead.unlock"
_ATTEMPT, _KNOWN = "_password_attempt", "_known_by_link"  # of a request


Count = tuple[str, str]
"""A scope, and who it counts for."""


@dataclass(frozen=True, slots=True)
class _Slot:
    """One of the passwords that an attempt checks: that of ``user``, or of nobody."""

    user: User | None
    told: tuple[Count, ...]
    untold: tuple[Count, ...] = ()


@dataclass(slots=True)
class Attempt:
    """A password for a name or address, counted before it is checked: others may come at the same moment."""

    login: str
    now: datetime
    slots: list[_Slot] = field(default_factory=list)
    open: list[_Slot] = field(default_factory=list)
    _spent: dict[Count, bool] = field(default_factory=dict)

    def may(self, counts: Iterable[Count]) -> bool:
        """Count it, once for each; False where one is used up, and nothing more is counted."""
        for scope, who in counts:
            if (scope, who) not in self._spent:
                self._spent[scope, who] = budgets.spend(scope=scope, who=who, now=self.now)
            if not self._spent[scope, who]:
                return False
        return True

    def give_back(self, counts: Iterable[Count]) -> None:
        """Count less."""
        for scope, who in counts:
            if self._spent.pop((scope, who), False):
                budgets.give_back(scope=scope, who=who, now=self.now)


def begin(*, request: HttpRequest, login: str, now: datetime) -> bool:
    """Count an attempt for a name or address, and return whether it is not refused."""
    attempt = Attempt(login, now, _slots(request, login))
    told = [slot for slot in attempt.slots if attempt.may(slot.told)]
    attempt.open = [slot for slot in told if attempt.may(slot.untold)]
    setattr(request, _ATTEMPT, attempt)
    return bool(told)


def users_to_try(*, request: HttpRequest | None, login: str, now: datetime) -> list[User]:
    """Return those of ``users_of`` whose passwords an attempt may check; without a request all."""
    if request is None:
        return users_of(login)
    if not (isinstance(attempt := getattr(request, _ATTEMPT, None), Attempt) and attempt.login == login):
        begin(request=request, login=login, now=now)
    return [slot.user for slot in getattr(request, _ATTEMPT).open if slot.user is not None]


def note_success(*, request: HttpRequest, user: User) -> None:
    """Count an attempt no more, for it was right.

    An address may be claimed by anybody, with any password, and belong to another: for who has not confirmed
    it, it was also a try of the other's password.
    """
    attempt: Attempt = getattr(request, _ATTEMPT)
    delattr(request, _ATTEMPT)
    is_theirs = "@" not in attempt.login or has_confirmed(user, attempt.login)
    others = {count for slot in attempt.slots if slot.user != user for count in slot.told + slot.untold}
    for slot in attempt.slots:
        counts = slot.told + slot.untold
        attempt.give_back(count for count in counts if is_theirs or count not in others)


def user_of(login: str) -> User | None:
    """Return whom a name or address means.

    An address belongs to who confirmed it, or else to who gave it first; not to who only waits for it.
    """
    if "@" not in login:
        return User.objects.filter(folded=folded(login.strip())).first()
    named = User.objects.filter(email=login.strip().lower()).order_by("-is_active", "date_joined", "pk")
    return first_holder(login) or named.first()


def users_of(login: str) -> list[User]:
    """Return those whose passwords are tried: for an address who confirmed it, then who gave it last.

    Not who gave it first: whether somebody was there before would show by the passwords of two accounts that
    claim it. They sign in by their name, or confirm it.
    """
    if "@" not in login:
        users = [user_of(login)]
    else:
        # Who has no row of theirs was made without the pages.
        rowless = User.objects.filter(email=login.strip().lower(), emailaddress=None).order_by("pk")
        users = [confirmed_owner(login) or rowless.first(), latest_claimant(login)]
    return list({user.pk: user for user in users if user is not None}.values())


def passwords_for(login: str) -> int:
    """Return how many passwords an attempt checks, whether there is somebody or not."""
    return 2 if "@" in login else 1


def members_of_browser(request: HttpRequest) -> set[int]:
    """The primary keys of the members who have signed in with this browser."""
    return set(map(int, _devices(request)))


def will_remember(*, request: HttpRequest, user: User) -> None:
    """Note that the browser is to be remembered, by who makes the answer: ``remember_if_noted``."""
    setattr(request, _KNOWN, user)


def remember_if_noted(*, request: HttpRequest, response: HttpResponseBase) -> None:
    """Remember the browser if that was noted."""
    user = getattr(request, _KNOWN, None)
    if user is not None:
        remember_device(request=request, response=response, user=user)


def remember_device(*, request: HttpRequest, response: HttpResponseBase, user: User) -> None:
    """Let the browser show next time that the user has signed in with it."""
    known = {key: nonce for key, nonce in _devices(request).items() if key != str(user.pk)}
    kept = dict(list(known.items())[-(_MAX_USERS - 1) :])
    kept[str(user.pk)] = _devices(request).get(str(user.pk)) or secrets.token_urlsafe(_NONCE_BYTES)
    set_private_cookie(
        response,
        settings.DEVICE_COOKIE_NAME,
        signing.dumps(kept, salt=_DEVICE),
        max_age=DEVICE_LASTS,
    )


def unlock_token(user: User) -> str:
    """The token of the link that makes a browser known; it ends with the password."""
    return signing.dumps([user.pk, user.get_session_auth_hash()[:20]], salt=_UNLOCK)


def user_of_unlock(token: str) -> User | None:
    """Return the user of such a link; None if it has expired or was not made here."""
    try:
        key, password = signing.loads(token, salt=_UNLOCK, max_age=LINK_LASTS)
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=key, is_active=True).first()
    return user if user and user.get_session_auth_hash()[:20] == password else None


def _slots(request: HttpRequest, login: str) -> list[_Slot]:
    """The passwords of one attempt with their counts: as many for an address of nobody as for somebody's."""
    devices, place, typed = _devices(request), limits.address(request), login.strip().lower()
    meant: list[User | None] = [*users_of(login)]
    meant += [None] * (passwords_for(login) - len(meant))
    slots = []
    for number, user in enumerate(meant):
        if user is not None and str(user.pk) in devices:
            slots.append(_Slot(user, (("sign_in", f"device {user.pk} {devices[str(user.pk)]}"),)))
            continue
        member = f"nobody {typed} {number}" if user is None else str(user.pk)
        told = (("sign_in", f"{place} typed {typed} {number}"), ("sign_in_address", place))
        untold = [("sign_in", f"{place} {member}")]
        if user is None or not _is_at_home(request, user):
            untold.append(("sign_in_name", member))
        slots.append(_Slot(user, told, tuple(untold)))
    return slots


def _is_at_home(request: HttpRequest, user: User) -> bool:
    """Whether the user is signed in at the address of the request."""
    address = plain_address(client_address(request))
    return bool(UserSession.objects.filter(user=user, ip=address).exists())


def _devices(request: HttpRequest) -> dict[str, str]:
    """The users who have signed in with this browser, by primary key, each with a nonce."""
    cookie = request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
    try:
        known = signing.loads(cookie, salt=_DEVICE, max_age=DEVICE_LASTS)
    except signing.BadSignature:
        return {}
    return known if isinstance(known, dict) else {}
