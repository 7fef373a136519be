"""Queries about accounts, preferences and contacts."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.db.models import Case, Q, QuerySet, Value, When
from django.http import HttpRequest

from crownhead.server.accounts.choices import Invitations, Visibility
from crownhead.server.accounts.events import credential_of_session
from crownhead.server.accounts.models import (
    Buddy,
    Budget,
    FormerName,
    Ignored,
    Preferences,
    Profile,
    User,
)
from crownhead.server.accounts.security.access import act_as_proven, is_of_member
from crownhead.server.accounts.validators import (
    COMPUTER,
    LONGEST,
    computer_level,
    folded,
    is_reserved,
    player_likeness,
)
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.core.rates import parse_rate
from crownhead.server.live.access import Grant

_MAX_LEVELS = 100  # their names have two digits
_NAMES = [f"{COMPUTER}{level}" for level in range(_MAX_LEVELS)]
_COMPUTERS = Prepared(lambda: User.objects.filter(username__in=_NAMES, is_active=False))

__all__ = [
    "AWAY_AFTER",
    "Buddy",
    "Ignored",
    "Preferences",
    "Profile",
    "User",
    "blocked_by",
    "blocked_ids",
    "blocker_ids",
    "blocks_among",
    "buddies_here",
    "buddies_here_first",
    "buddies_of",
    "computer_levels",
    "computers",
    "contact_of",
    "country_of",
    "email_is_confirmed",
    "former_player",
    "has_blocked",
    "has_members",
    "is_away",
    "is_secret",
    "is_spent",
    "keys_by_prefix",
    "language_of",
    "name_is_taken",
    "person",
    "player",
    "players",
    "players_by_prefix",
    "players_containing",
    "players_online",
    "players_seen",
    "preferences_of",
    "profile_of",
    "recipients",
    "refuse_guests",
    "refuse_invitations",
    "session_grant",
    "shows_presence",
    "user",
    "user_of_session",
    "words_of",
    "zone_of",
]

CLOSED_LATELY = timedelta(days=90)
AWAY_AFTER = timedelta(minutes=5)  # without a request
SEARCHED = 5000  # players whose names are looked through for a text in the middle
SOUGHT = 50  # people of whom the staff look for what they have, by how their names begin
_BEYOND = "\x7f"  # sorts after every letter, digit and sign of a name


def user_of_session(key: str) -> User | None:
    """Return the user of a session; None if it has ended or the password was changed since."""
    session = SessionStore(key)
    user = _signed_in(session)
    return None if user is None else act_as_proven(user, session)


def session_grant(key: str) -> Grant | None:
    """Return what the streams of a session are bound to; None if it has ended."""
    session = SessionStore(key)
    user = _signed_in(session)
    if user is None:
        return None
    return Grant(user.pk, credential_of_session(key), as_member=is_of_member(session, user))


def _signed_in(session: SessionStore) -> User | None:
    request = HttpRequest()
    request.session = session
    user = get_user(request)
    return user if isinstance(user, User) and user.is_active else None


def user(key: int) -> User | None:
    """Return the active user with a primary key."""
    return User.objects.filter(pk=key, is_active=True).first()


def player(name: str) -> User | None:
    """Return the active user with a name, ignoring case."""
    return User.objects.filter(folded=folded(name.strip()), is_active=True).first()


def players_by_names(names: Iterable[str]) -> dict[str, User | None]:
    """Return the active user with each of some names, ignoring case, in one query."""
    wanted = {name: folded(name.strip()) for name in names}
    found = {row.folded: row for row in User.objects.filter(folded__in=set(wanted.values()), is_active=True)}
    return {name: found.get(alike) for name, alike in wanted.items()}


_PEOPLE = User.objects.select_related("preferences", "profile").filter(is_guest=False)
_PERSON = Prepared(lambda name: _PEOPLE.filter(folded=name)[:1], name=str)


def person(name: str) -> User | None:
    """Return the member with a name, active or not, with their profile and preferences."""
    return _PERSON.first(name=folded(name.strip()))


def players(keys: Iterable[int]) -> dict[int, User]:
    """Return the users of some primary keys, active or not."""
    return User.objects.in_bulk(set(keys))


def closed_lately(now: datetime) -> QuerySet[User]:
    """Members who have closed their accounts in the last months, for jobs that delete what they left."""
    rows = User.objects.filter(is_guest=False, closed_at__isnull=False, closed_at__gt=now - CLOSED_LATELY)
    return rows.order_by("closed_at")


def recipients(keys: Iterable[int]) -> list[User]:
    """Return the active users of some primary keys, with their preferences, in one query."""
    return list(User.objects.filter(pk__in=set(keys), is_active=True).select_related("preferences"))


def former_player(name: str, now: datetime) -> User | None:
    """Return who had a name until recently; not if somebody else has it or the account is closed."""
    rows = FormerName.objects.select_related("user").filter(folded=folded(name.strip()), kept_until__gt=now)
    held = rows.filter(user__is_active=True).order_by("-pk").first()
    return held.user if held else None


def name_is_taken(name: str, now: datetime, *, by_other_than: User | None = None) -> bool:
    """Return whether a name is taken or reserved; a former name stays free for its owner."""
    alike = player_likeness(name)
    users, former = User.objects.filter(likeness=alike), FormerName.objects.filter(likeness=alike)
    if by_other_than is not None:
        users, former = users.exclude(pk=by_other_than.pk), former.exclude(user=by_other_than)
    return is_reserved(name) or users.exists() or former.filter(kept_until__gt=now).exists()


def players_by_prefix(prefix: str) -> QuerySet[User]:
    """Return the players whose names start with a prefix, ignoring case, by name."""
    text = folded(prefix.strip())[:LONGEST]
    rows = User.objects.filter(is_active=True, folded__gte=text, folded__lt=text + _BEYOND)
    return rows.order_by("folded")


def profiles_of_country(code: str) -> QuerySet[Profile]:
    """Return the profiles of players from a country, who joined last first, those who have left too.

    That it isn't empty is told because the index holds only these, and SQLite does not work it out.
    """
    return Profile.objects.filter(country=code).exclude(country="").order_by("-user_id")


def keys_by_prefix(prefix: str) -> list[int]:
    """Return the keys of the first people whose names start with a prefix, active or not, for a search."""
    text = folded(prefix.strip())[:LONGEST]
    rows = User.objects.filter(folded__gte=text, folded__lt=text + _BEYOND).order_by("folded")
    return list(rows.values_list("pk", flat=True)[:SOUGHT])


def words_of(text: str) -> list[str]:
    """Return the words of a text as they may stand in a name, ignoring case."""
    return folded(text)[:LONGEST].split()


def players_containing(text: str) -> QuerySet[User]:
    """Return players whose names contain all words of a text but do not start with it, by name.

    They are looked for among those who were here last, as many as cost little however large the club is.
    """
    latest = User.objects.filter(is_active=True, last_seen_at__isnull=False).order_by("-last_seen_at", "-pk")
    rows = User.objects.filter(pk__in=latest.values("pk")[:SEARCHED])
    for word in words_of(text):
        rows = rows.filter(folded__contains=word)
    return rows.exclude(folded__startswith=folded(text.strip())[:LONGEST]).order_by("folded")


def players_online(now: datetime) -> QuerySet[User]:
    """Return who made a request in the last five minutes and shows it, the latest first."""
    return players_seen().filter(last_seen_at__gt=now - AWAY_AFTER)


def players_seen() -> QuerySet[User]:
    """Return who was ever here and shows it, the latest first."""
    rows = User.objects.filter(last_seen_at__isnull=False, is_active=True)
    return rows.exclude(preferences__show_here=False).order_by("-last_seen_at", "-pk")


def has_members() -> bool:
    """Return whether anybody has an account; guests and computers have none that is active."""
    return User.objects.filter(folded__gt="", is_active=True).exists()  # by the index of names


def is_away(user: User, now: datetime) -> bool:
    """Return whether the user has made no request for five minutes."""
    return user.last_seen_at is None or now - user.last_seen_at >= AWAY_AFTER


def preferences_of(user: User) -> Preferences:
    """Return the user's preferences, or the defaults. Costs no query once loaded."""
    return _chosen_preferences(user) or Preferences(user=user)


def _chosen_preferences(user: User) -> Preferences | None:
    try:
        return user.preferences
    except Preferences.DoesNotExist:
        return None


def is_secret(person: User, viewer: User | AnonymousUser | None) -> bool:
    """Return whether only members may see the person, and the viewer is a guest."""
    return preferences_of(person).visibility == Visibility.MEMBERS and not isinstance(viewer, User)


def language_of(user: User) -> str:
    """Return the language that a user has chosen, or the club's."""
    chosen = _chosen_preferences(user)
    return (chosen.language if chosen else "") or settings.LANGUAGE_CODE


def zone_of(user: User) -> ZoneInfo | None:
    """Return the time zone that a user has chosen; None for none, or one that no longer exists."""
    chosen = _chosen_preferences(user)
    name = chosen.time_zone if chosen else ""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError):
        return None


def profile_of(user: User) -> Profile:
    """Return the user's profile, or an empty one."""
    try:
        return user.profile
    except Profile.DoesNotExist:
        return Profile(user=user)


def shows_presence(user: User) -> bool:
    """Return whether others see when the user is here, as `preferences_of` says: for lists of many."""
    chosen: Preferences | None = getattr(user, "preferences", None)
    return (chosen or _nothing_chosen()).show_here


@cache
def _nothing_chosen() -> Preferences:
    return Preferences()


def country_of(user: User) -> str:
    """Return the code of the user's country, as `profile_of` says; empty for none. For lists of many."""
    profile: Profile | None = getattr(user, "profile", None)
    return "" if profile is None else profile.country


def has_blocked(user_id: int, other_id: int) -> bool:
    """Return whether the user has blocked the other."""
    return Ignored.objects.filter(user_id=user_id, ignored_id=other_id).exists()


def blocks_among(user_ids: Collection[int]) -> set[frozenset[int]]:
    """Return the pairs of these users of whom one has blocked the other."""
    rows = Ignored.objects.filter(user__in=user_ids, ignored__in=user_ids)
    return {frozenset(pair) for pair in rows.values_list("user_id", "ignored_id")}


def refuse_invitations(keys: Collection[int], by: User) -> frozenset[int]:
    """Return the keys of those of these users whom the other may not invite, in a few queries for all."""
    chosen = {row.user_id: row for row in Preferences.objects.filter(user__in=keys)}
    blockers = blocker_ids(by.pk, keys)
    buddies = Invitations.BUDDIES
    choosy = [key for key, row in chosen.items() if row.invitations == buddies and key not in blockers]
    rows = Buddy.objects.filter(user__in=choosy, buddy=by).values_list("user_id", flat=True)
    friends = frozenset(rows if choosy else ())

    def refuses(key: int) -> bool:
        row = chosen.get(key) or Preferences()
        if key in blockers or (by.is_guest and not row.guests):
            return True
        return row.invitations != Invitations.EVERYBODY and key not in friends

    return frozenset(key for key in keys if key != by.pk and refuses(key))


def refuse_guests(keys: Iterable[int]) -> frozenset[int]:
    """Return the keys of those of these users who play with members only."""
    rows = Preferences.objects.filter(user__in=set(keys), guests=False)
    return frozenset(rows.values_list("user_id", flat=True))


def blocked_ids(user_id: int) -> frozenset[int]:
    """Return the keys of the players whom the user has blocked."""
    return frozenset(Ignored.objects.filter(user_id=user_id).values_list("ignored_id", flat=True))


def blocked_by(user: User) -> QuerySet[Ignored]:
    """Return the rows of the players whom the user has blocked, by name."""
    return Ignored.objects.filter(user=user).select_related("ignored").order_by("ignored__folded")


def blockers_of(user: User) -> QuerySet[Ignored]:
    """Return the rows by which others have blocked the user."""
    return Ignored.objects.filter(ignored=user)


def blocker_ids(user_id: int, among: Collection[int] | None = None) -> frozenset[int]:
    """Return the keys of the players who have blocked the user; ``among``: only of these."""
    rows = Ignored.objects.filter(ignored_id=user_id)
    if among is not None:
        rows = rows.filter(user__in=among)
    return frozenset(rows.values_list("user_id", flat=True))


def buddies_of(user: User) -> QuerySet[Buddy]:
    """Return the rows of the user's buddies with their preferences, by name."""
    return Buddy.objects.filter(user=user).select_related("buddy__preferences").order_by("buddy__folded")


def buddies_here_first(user: User, now: datetime) -> QuerySet[Buddy]:
    """Return the same rows, those first who are seen to be here."""
    is_away = Case(When(_buddy_is_here(now), then=Value(0)), default=Value(1))
    return buddies_of(user).order_by(is_away, "buddy__folded")


def buddies_here(user: User, now: datetime) -> QuerySet[Buddy]:
    """Return the rows of those who are seen to be here."""
    return buddies_of(user).filter(_buddy_is_here(now))


def _buddy_is_here(now: datetime) -> Q:
    shows = Q(buddy__preferences=None) | Q(buddy__preferences__show_here=True)
    return shows & Q(buddy__closed_at=None, buddy__last_seen_at__gt=now - AWAY_AFTER)


_BUDDY = Prepared(lambda user, other: Buddy.objects.filter(user=user, buddy=other)[:1], user=int, other=int)
_IGNORED = Prepared(
    lambda user, other: Ignored.objects.filter(user=user, ignored=other)[:1], user=int, other=int
)


def contact_of(user: User, other: User) -> Buddy | Ignored | None:
    """Return the row that makes the other a buddy or blocked player of the user."""
    found = _BUDDY.first(user=user.pk, other=other.pk)
    return found or _IGNORED.first(user=user.pk, other=other.pk)


def email_is_confirmed(user: User) -> bool:
    """Return whether the user has confirmed their e-mail address."""
    return bool(EmailAddress.objects.filter(user=user, email=user.email, verified=True).exists())


def computer_levels(keys: list[int]) -> dict[int, int]:
    """Return which of these users are computers, with their levels."""
    names = User.objects.filter(pk__in=keys, username__startswith=COMPUTER, is_active=False)
    levels = ((key, computer_level(name)) for key, name in names.values_list("pk", "username"))
    return {key: level for key, level in levels if level is not None}


def computers() -> list[User]:
    """All that there are by now."""
    return _COMPUTERS.rows()


def is_spent(*, scope: str, who: str, now: datetime) -> bool:
    """Return whether the rate of a scope is used up."""
    return bool(who_has_spent(scope=scope, all_of=[who], now=now))


def who_has_spent(*, scope: str, all_of: Iterable[str], now: datetime) -> set[str]:
    """Return for which of these the rate of a scope is used up; one query."""
    rate = parse_rate(settings.LIMITS[scope])
    hashes = {Budget.hash_of(who): who for who in all_of}
    if rate is None or not hashes:
        return set()
    if rate.times == 0:
        return set(hashes.values())
    rows = Budget.objects.filter(scope=scope, who__in=hashes, begun=rate.span(now)[0])
    return {hashes[key] for key in rows.filter(spent__gte=rate.times).values_list("who", flat=True)}
