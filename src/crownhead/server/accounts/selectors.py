"""Questions about accounts, what people chose, and whom they keep near or away."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.contrib.auth import get_user
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from django.db.models import QuerySet
from django.http import HttpRequest

from crownhead.server.accounts.models import (
    ApiToken,
    Buddy,
    FormerName,
    Ignored,
    Preferences,
    Profile,
)
from crownhead.server.accounts.models import User as User  # for the apps above, which see no rows
from crownhead.server.accounts.services import digest
from crownhead.server.accounts.validators import LONGEST, folded, is_reserved, likeness

__all__ = [
    "AWAY_AFTER",
    "Buddy",
    "Ignored",
    "Preferences",
    "Profile",
    "User",
    "buddies_of",
    "email_is_confirmed",
    "former_player",
    "ignored_by",
    "ignored_ids",
    "ignores",
    "is_away",
    "name_is_taken",
    "names_beginning",
    "people_here",
    "person",
    "player",
    "players",
    "preferences_of",
    "profile_of",
    "tie",
    "token_in_use",
    "user",
    "user_of_session",
]

AWAY_AFTER = timedelta(minutes=5)  # without a request
_BEYOND = "\x7f"  # sorts after every letter, digit and sign of a name


def token_in_use(token: str) -> ApiToken | None:
    """The token with its user, if it is one and the user may still act."""
    rows = ApiToken.objects.select_related("user__preferences")
    return rows.filter(digest=digest(token), user__is_active=True).first()


def user_of_session(key: str) -> User | None:
    """Who is signed in to a session; None when it has ended or the password was changed since."""
    request = HttpRequest()
    request.session = SessionStore(key)
    found = get_user(request)
    return found if isinstance(found, User) and found.is_active else None


def user(key: int) -> User | None:
    """The user of a primary key, if he may act."""
    return User.objects.filter(pk=key, is_active=True).first()


def player(name: str) -> User | None:
    """The player of that name, in whatever case, if he may act."""
    return User.objects.filter(folded=folded(name.strip()), is_active=True).first()


def person(name: str) -> User | None:
    """Who has that name, in whatever case, whether he may act or not, with his profile and preferences."""
    rows = User.objects.select_related("preferences", "profile")
    return rows.filter(folded=folded(name.strip())).first()


def players(keys: Iterable[int]) -> dict[int, User]:
    """The users of some primary keys, those who may act no more too."""
    return User.objects.in_bulk(set(keys))


def former_player(name: str, now: datetime) -> User | None:
    """Who had that name until lately, while nobody else has it; not those whose accounts are closed."""
    rows = FormerName.objects.select_related("user").filter(folded=folded(name.strip()), kept_until__gt=now)
    held = rows.filter(user__is_active=True).order_by("-pk").first()
    return held.user if held else None


def name_is_taken(name: str, now: datetime, *, by_other_than: User | None = None) -> bool:
    """Whether nobody may take this name, or only the one who gave it up."""
    alike = likeness(name)
    users, former = User.objects.filter(likeness=alike), FormerName.objects.filter(likeness=alike)
    if by_other_than is not None:
        users, former = users.exclude(pk=by_other_than.pk), former.exclude(user=by_other_than)
    return is_reserved(name) or users.exists() or former.filter(kept_until__gt=now).exists()


def names_beginning(prefix: str) -> QuerySet[User]:
    """The players whose names begin so, in whatever case, in the order of names."""
    text = folded(prefix.strip())[:LONGEST]
    rows = User.objects.filter(is_active=True).order_by("folded")
    if connection.vendor == "sqlite":  # which compares bytes and uses an index for that, but none for LIKE
        return rows.filter(folded__gte=text, folded__lt=text + _BEYOND)
    return rows.filter(folded__startswith=text)


def people_here(now: datetime) -> QuerySet[User]:
    """Who made a request in the last five minutes and lets it be seen, the latest first."""
    rows = User.objects.filter(last_seen_at__gt=now - AWAY_AFTER, is_active=True)
    return rows.exclude(preferences__show_here=False).order_by("-last_seen_at", "-pk")


def is_away(user: User, now: datetime) -> bool:
    """Whether the user has made no request for five minutes."""
    return user.last_seen_at is None or now - user.last_seen_at >= AWAY_AFTER


def preferences_of(user: User) -> Preferences:
    """What the user chose; the first choice of each where he never did. Costs no query once loaded."""
    try:
        return user.preferences
    except Preferences.DoesNotExist:
        return Preferences(user=user)


def profile_of(user: User) -> Profile:
    """What the user tells of himself."""
    try:
        return user.profile
    except Profile.DoesNotExist:
        return Profile(user=user)


def ignores(user_id: int, other_id: int) -> bool:
    """Whether the user wants to hear nothing of the other."""
    return Ignored.objects.filter(user_id=user_id, ignored_id=other_id).exists()


def ignored_ids(user_id: int) -> frozenset[int]:
    """Whom the user ignores."""
    return frozenset(Ignored.objects.filter(user_id=user_id).values_list("ignored_id", flat=True))


def ignored_by(user: User) -> QuerySet[Ignored]:
    """The rows of those whom the user ignores, loaded with them, in the order of names."""
    return Ignored.objects.filter(user=user).select_related("ignored").order_by("ignored__folded")


def ignoring(user: User) -> QuerySet[Ignored]:
    """The rows by which others ignore the user."""
    return Ignored.objects.filter(ignored=user)


def buddies_of(user: User) -> QuerySet[Buddy]:
    """The rows of the user's buddies, loaded with them and what they chose, in the order of names."""
    return Buddy.objects.filter(user=user).select_related("buddy__preferences").order_by("buddy__folded")


def tie(user: User, other: User) -> Buddy | Ignored | None:
    """The row by which the user keeps the other near or away."""
    return (
        Buddy.objects.filter(user=user, buddy=other).first()
        or Ignored.objects.filter(user=user, ignored=other).first()
    )


def email_is_confirmed(user: User) -> bool:
    """Whether the user has shown that the address is his."""
    return bool(EmailAddress.objects.filter(user=user, email=user.email, verified=True).exists())
