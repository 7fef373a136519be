"""Which games may be rated: so many of the same two a day, and none of players who keep leaving theirs early.

Ratings are farmed by many quick games against a few accounts, or against many fresh ones that give up. The
limits make that slow; they do not touch people who play their games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from datetime import datetime, timedelta
from zlib import crc32

from django.conf import settings
from django.db import connection
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crownhead import Termination
from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.play import problems
from crownhead.server.play.choices import ABANDONED, Unrated
from crownhead.server.play.games.selectors.places import has_room
from crownhead.server.play.games.selectors.replay import lacks_moves, own_plies
from crownhead.server.play.models import Game, Seat, Status

WINDOW, MONTH = timedelta(days=1), timedelta(days=30)
EARLY = 10  # plies of both sides beyond the opening: a game given up before them was left early
LONGEST_OPENING = 20  # plies, more than any deck has
_TOLD_BY = ("moves", "opening", "variant")  # columns that tell whether a game ended early
# Nobody has to sit by an offer to one player, or by a link: others would choose when its maker is too late.
# Who resigns is there, and has chosen it.
_OFFERED_BY_LOSER = Q(creator=F("first_player"), winner=Seat.SECOND) | Q(
    creator=F("second_player"), winner=Seat.FIRST
)
_ABSENT = (Termination.TIME.value, ABANDONED)
GIVEN_UP = (Termination.RESIGNATION.value, *_ABSENT)
"""How a game ends that one player does not go on with."""


def expect_may_rate(user: User, opponent: User | None, now: datetime) -> None:
    """Raise ``RatedLimit`` if the user may not start a rated game now; ``opponent``: if known."""
    if leaves_early(user, now):
        raise problems.RatedLimit(
            _("You have left several rated games early. For a day you can play unrated games only.")
        )
    if opponent is not None and leaves_early(opponent, now):
        raise problems.RatedLimit(
            _("%(username)s can play unrated games only today.") % {"username": opponent.username}
        )
    if opponent is not None:
        first, second = sorted((user.pk, opponent.pk))
        _hold(f"rated {first} {second}")
    if opponent is not None and rated_games_left(user, opponent, now) < 1:
        limit = _per_pair()
        text = ngettext(
            "The two of you can play %(count)s rated game a day. Play an unrated one.",
            "The two of you can play %(count)s rated games a day. Play an unrated one.",
            limit,
        )
        raise problems.RatedLimit(text % {"count": limit})


def rated_games_left(one: User, other: User, now: datetime) -> int:
    """How many more rated games these two may start within the day."""
    return _per_pair() - _between(one, [other.pk], since=now - WINDOW).count()


def _per_pair() -> int:
    return int(settings.RATED_GAMES_PER_PAIR)


def _started_before(game: Game, one: User, other: User) -> int:
    """How many rated games of two players started within a day before a game, or with it and are older."""
    began = game.started_at
    assert began is not None
    before = Q(started_at__lt=began) | Q(started_at=began, pk__lt=game.pk)
    return _between(one, [other.pk], before, since=began - WINDOW).count()


def _between(
    one: User, others: Collection[int], *more: Q, since: datetime
) -> QuerySet[Game, tuple[int, int]]:
    """The players of each rated game of one with others that started later than that.

    By seats, each of which has the index: SQLite takes none of rated games for both together.
    """
    started = Game.objects.filter(*more, rated=True, started_at__gt=since)
    rows = started.values_list("first_player", "second_player")
    as_first = rows.filter(first_player=one, second_player__in=others)
    return as_first.union(rows.filter(second_player=one, first_player__in=others), all=True)


def leaves_early(user: User, now: datetime) -> bool:
    """Whether the user has left so many rated games early that they may start none for a day."""
    return bool(who_leaves_early([user.pk], now))


def who_leaves_early(user_ids: Collection[int], now: datetime) -> set[int]:
    """Which of some players may start no rated game for a day; two queries for all of them."""
    if not user_ids:
        return set()
    lost = Q(first_player__in=user_ids, winner=Seat.SECOND) | Q(second_player__in=user_ids, winner=Seat.FIRST)
    counts = Q(rated=True) | Q(unrated_because=Unrated.WON)
    left = _left(lost, counts, since=now - WINDOW).exclude(annulled=True, contest_kind__gt="")
    early = Counter(
        game.second_player_id if game.winner == Seat.FIRST else game.first_player_id
        for game in left.only("first_player", "second_player", "winner", *_TOLD_BY)
        if is_early(game)
    )
    names = {str(key): key for key in user_ids}
    aborted = {names[who] for who in accounts.who_has_spent(scope="aborts", all_of=names, now=now)}
    return {key for key in user_ids if early[key] >= int(settings.EARLY_LEAVES_PER_DAY)} | aborted


def never_rated_with(user: User, others: Collection[int], now: datetime) -> set[int]:
    """With which of others the user may start no rated game now: too many together, or those leave theirs.

    A few queries for all. That the user leaves games early is another question: ``who_leaves_early``.
    """
    if not others:
        return set()
    rows = _between(user, others, since=now - WINDOW)
    games = Counter(second if first == user.pk else first for first, second in rows)
    too_many = {key for key in others if games[key] >= _per_pair()}
    return too_many | who_leaves_early([key for key in others if key not in too_many], now)


def may_be_rated(one: User, other: User, now: datetime) -> bool:
    """Whether a game of these two that starts by itself may be rated: in a contest, or as part of a match.

    Of several that start in the same moment all may; ``why_unrated`` looks again when they end.

    Only games that cost their players something count against them: nobody else could choose, for nothing,
    which games of a contest are rated.
    """
    if rated_games_left(one, other, now) < 1:
        return False
    most = int(settings.EARLY_LEAVES_PER_DAY)
    return all(_count_early(_left_early(player, now)) < most for player in (one, other))


def why_unrated(game: Game, *, winner: Seat | None, termination: str, at: datetime) -> Unrated | None:
    """Why a rated game that ends now is one too many; None if it still is rated.

    That is a game that was not the first to start by itself in a moment, or one more that its loser gives
    this winner early. Games that were given to others, or that cost nothing, are no reason for one that does
    not. So is one more that its winner gets from anybody who gives it up early: nobody can help that others
    leave, so they may play on, and lose no other game for it.
    """
    first, second = game.first_player, game.second_player
    if first is None or second is None:
        return None
    if (game.contest_kind or game.match_id) and _started_before(game, first, second) >= _per_pair():
        return Unrated.PAIR
    if winner is None or termination not in GIVEN_UP or not is_early(game):
        return None
    loser, other = (second, first) if winner is Seat.FIRST else (first, second)
    if not has_room(f"early {loser.pk} {other.pk}", lambda: _to_give(loser, other, at)):
        return Unrated.LEFT
    if lacks_moves(game):
        return None  # it changes no rating
    return None if has_room(f"won {other.pk}", lambda: _to_win(other, at)) else Unrated.WON


def _to_give(user: User, other: User, at: datetime) -> int:
    """How many more rated games of these two the user may give up early now."""
    between = Q(first_player=other) | Q(second_player=other)
    given = _count_early(_left_early(user, at).filter(between))
    return int(settings.EARLY_LEAVES_PER_DAY) - given


def _to_win(user: User, at: datetime) -> int:
    """How many more rated games the user may win now because they are given up early."""
    since = at - MONTH
    won = Q(first_player=user, winner=Seat.FIRST, ended_at__gt=since) | Q(
        second_player=user, winner=Seat.SECOND, ended_at__gt=since
    )
    games = _left(won, Q(rated=True, annulled=False), since=since).only("ended_at", *_TOLD_BY)
    ends = [game.ended_at for game in games if game.ended_at is not None and is_early(game)]
    of_day = sum(end > at - WINDOW for end in ends)
    return min(int(settings.EARLY_WINS_PER_DAY) - of_day, int(settings.EARLY_WINS_PER_MONTH) - len(ends))


def _count_early(games: QuerySet[Game]) -> int:
    return sum(is_early(game) for game in games.only(*_TOLD_BY))


def _left_early(user: User, now: datetime) -> QuerySet[Game]:
    """Rated games that the user has given up, left, or let run out within the day, and some longer ones.

    Only those that changed ratings.
    """
    lost = Q(first_player=user, winner=Seat.SECOND) | Q(second_player=user, winner=Seat.FIRST)
    return _left(lost, Q(rated=True, annulled=False), since=now - WINDOW)


def _left(whose: Q, counts: Q, *, since: datetime) -> QuerySet[Game]:
    too_late = Q(_OFFERED_BY_LOSER, annulled=True, open=False, termination__in=_ABSENT)
    return Game.objects.filter(
        ~too_late,
        whose,
        counts,
        status=Status.FINISHED,
        termination__in=GIVEN_UP,
        ended_at__gt=since,
        version__lt=F("turned_back") + EARLY + LONGEST_OPENING,
    )


def _hold(what: str) -> None:
    """Let no other transaction count the same until this one ends, where several run at once."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [crc32(what.encode())])


def is_early(game: Game) -> bool:
    """Whether a game ended before ten plies were made in it."""
    return own_plies(game) < EARLY
