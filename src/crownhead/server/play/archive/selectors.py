"""Looking for games among many, and their records in one file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils.translation import gettext as _

from crownhead import VARIANTS, TooManyCaptures
from crownhead.rules.budget import capture_budget
from crownhead.server.accounts.selectors import User, is_secret, person
from crownhead.server.core import clock
from crownhead.server.core.batches import batched
from crownhead.server.core.pagination import Page, Part, beside, cursor_of, merged, sifted
from crownhead.server.core.problems import BadRequest, NotFound
from crownhead.server.play.games.selectors.replay import write_pdn, write_pdn_unreplayed
from crownhead.server.play.models import Game, Games, Seat, Status
from crownhead.server.play.selectors import LAST_ENDED_FIRST, NEWEST_FIRST, Viewer

BEGUN = (Status.PLAYING, Status.FINISHED)
OWN = (Status.WAITING, *BEGUN)  # that a player's own games may have
PLIES_OF_A_PAGE = 100  # of a record that take as long to write as a page, some 10 ms
PLIES_OF_A_LIST = 10_000  # of all games on one page of a list, whose last positions it shows
PLIES_OF_A_GAME = 10  # that its record takes to write besides its moves
MAX_PLIES = 500 * PLIES_OF_A_PAGE  # of one file: some thousand games as most are
MAX_GAMES = 2000  # of one file, whose dates are read before the first of them is written
_READ_AT_ONCE = 50
_LATEST_KEY_FIRST = ("-id",)  # newest first, as the indexes of a player's games have them


class MyResult(StrEnum):
    """How a finished game ended for the player who asks."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"
    ANNULLED = "annulled"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveFilter:
    """What to keep to; ``since`` and ``until`` are days (UTC) on which games ended, both included."""

    variant: str | None = None
    opponent: str | None = None
    result: str | None = None
    event: str | None = None
    since: date | None = None
    until: date | None = None

    @classmethod
    def of(cls, query: Mapping[str, str]) -> ArchiveFilter:
        """What the fields of a form say; what makes no sense counts as not asked."""
        variant, result = query.get("variant", ""), query.get("result", "")
        return cls(
            variant=variant if variant in VARIANTS else None,
            opponent=query.get("opponent", "").strip()[:20] or None,
            result=result if result in list(MyResult) else None,
            event=query.get("event", "").strip()[:120] or None,
            since=_day(query.get("since", "")),
            until=_day(query.get("until", "")),
        )


def filtered(rows: Games, wanted: ArchiveFilter, *, user: User | None) -> Games:
    """The rows that are wanted; ``user``: whose opponent and result is meant."""
    if wanted.variant:
        rows = rows.filter(variant=wanted.variant)
    if wanted.opponent:
        rows = rows.filter(_played_with(wanted.opponent, user))
    if wanted.result:
        rows = rows.filter(_ended(MyResult(wanted.result), user), status=Status.FINISHED)
    if wanted.event:
        rows = _of_event(rows, wanted.event, user)
    if wanted.since:
        if user is None and _midnight(wanted.since) > clock.now():
            return rows.none()  # without a look at all of them
        rows = rows.filter(ended_at__gte=_midnight(wanted.since))
    if wanted.until and wanted.until < date.max:
        night = _midnight(wanted.until) + timedelta(days=1)
        rows = rows.filter(ended_at__lt=night, created_at__lt=night)  # the one has no index, the other has
    return rows


def begun_games(
    *,
    viewer: Viewer,
    player: User | None = None,
    statuses: Sequence[str] = BEGUN,
    wanted: ArchiveFilter = ArchiveFilter(),
    cursor: str | None,
    limit: int,
) -> Page[Game]:
    """The games in these states that the viewer may see, newest first; ``player``: only theirs.

    Where an index has all rows and not the wanted ones, so many are looked at as ``sifted`` says. Raises
    ``BadRequest`` for a wrong cursor, and ``NotFound`` where a guest asks for those of a member for members.
    """
    if wanted.opponent:
        player = person(wanted.opponent)
        if player is None:
            return Page([], None)
    if player is not None and is_secret(player, viewer):
        raise NotFound(_("Only members can see this player's games."))
    statuses = _possible(statuses, wanted)
    order: Sequence[str] = _LATEST_KEY_FIRST
    if player is not None:
        parts = [seat for status in statuses for seat in _by_seat(player, status)]
    elif wanted.event:
        parts = [Game.objects.of_contest(wanted.event)]
    else:
        parts, order = _by_date(viewer, wanted, statuses), NEWEST_FIRST
    sought = [Part(rows, _wanted_of(rows, wanted, statuses).begun_seen_by(viewer)) for rows in parts]
    return sifted(sought, Game.objects.with_players(), order=order, cursor=cursor, limit=limit)


def parts_of(rows: Sequence[Games], wanted: ArchiveFilter, *, user: User) -> list[Part[Game]]:
    """Games of a user in parts that indexes have, and those of them that are wanted; see ``filtered``."""
    all_are = wanted == ArchiveFilter()
    return [Part(part, None if all_are else filtered(part, wanted, user=user)) for part in rows]


def own_games(
    *,
    user: User,
    statuses: Sequence[str] = OWN,
    turn: bool | None = None,
    wanted: ArchiveFilter,
    cursor: str | None,
    limit: int,
) -> Page[Game]:
    """The user's games in these states, newest first; ``turn``: those running in which it is (not) theirs.

    Looks at no more rows than ``begun_games``. Raises ``BadRequest`` for a wrong cursor.
    """
    parts: list[Games] = []
    for status in _possible(statuses, wanted):
        if status == Status.WAITING:
            parts += [Game.objects.filter(creator=user, status=status)] if turn is None else []
            continue
        for rows, mine, theirs in zip(_by_seat(user, status), Seat, reversed(Seat), strict=True):
            parts.append(rows if turn is None else rows.filter(turn=mine if turn else theirs))
    sought = parts_of(parts, wanted, user=user)
    return sifted(sought, Game.objects.with_players(), order=_LATEST_KEY_FIRST, cursor=cursor, limit=limit)


def _by_seat(player: User, status: str) -> tuple[Games, Games]:
    """A player's games by their seats; those that are over by their keys, for the index has no turns then."""
    rows = Game.objects.filter(status=status)
    if status == Status.FINISHED:
        rows = rows.filter(turn__isnull=True, deadline_at__isnull=True)
    return rows.by_seat(player)


def _by_date(viewer: Viewer, wanted: ArchiveFilter, statuses: Sequence[str]) -> list[Games]:
    """Games of the whole club in the parts that indexes have, by the days on which they were made."""
    rows = Game.objects.all()
    if wanted.until and wanted.until < date.max:
        rows = rows.filter(created_at__lt=_midnight(wanted.until) + timedelta(days=1))
    if wanted.result == MyResult.ANNULLED:
        return [rows.filter(annulled=True)]
    if wanted.variant:
        return [rows.filter(variant=wanted.variant)]
    parts = [rows.filter(status=Status.FINISHED)] if Status.FINISHED in statuses else []
    if Status.PLAYING in statuses:
        running = rows.filter(status=Status.PLAYING)
        parts.append(running.filter(hidden=False))
        if viewer is not None and viewer.pk is not None:
            parts.append(running.filter(hidden=True))
    return parts


def _wanted_of(rows: Games, wanted: ArchiveFilter, statuses: Sequence[str]) -> Games:
    """The rows that are wanted, without what would tempt the database from their index."""
    rest = replace(wanted, opponent=None, variant=None)
    if wanted.result == MyResult.ANNULLED:
        rest, rows = replace(rest, result=None), rows.filter(annulled=True)
    if wanted.variant:
        rows = rows.alias(key=beside("variant")).filter(key=wanted.variant)
    rows = rows.alias(state=beside("status")).filter(state__in=statuses)
    return filtered(rows, rest, user=None)


def _possible(statuses: Sequence[str], wanted: ArchiveFilter) -> Sequence[str]:
    """The rows in which a wanted game can be."""
    over = wanted.result or wanted.since or wanted.until
    return [status for status in statuses if status == Status.FINISHED or not over]


@dataclass(frozen=True, slots=True)
class Portion:
    """The finished games of one file, the latest to end first.

    ``plies``: what their moves, those taken back included, and they themselves count as; ``next``: the cursor
    of those that are left for another file, if there are any.
    """

    keys: list[int]
    plies: int
    next: str | None

    def records(self) -> Iterator[str]:
        """The PDN of each, one after another.

        They may be asked for after the request, by several threads: each part is a query of its own, and no
        budget outlasts a record.
        """
        for some in batched(self.keys, _READ_AT_ONCE):
            found = Game.objects.with_players().in_bulk(some)
            yield from records(found[key] for key in some if key in found)


def portion(arms: Sequence[Games], *, cursor: str | None = None) -> Portion:
    """The finished games that one file holds, those after the cursor if there is one.

    Several ``arms`` hold the parts of one list. Raises ``BadRequest`` for a wrong cursor.
    """
    short: list[Any] = [
        arm.select_related(None).values_list("id", "version", "ended_at", named=True) for arm in arms
    ]
    found: Page[Any] = merged(short, order=LAST_ENDED_FIRST, cursor=cursor, limit=MAX_GAMES)
    plies = 0
    for number, game in enumerate(found.items):
        more = game.version + PLIES_OF_A_GAME
        if number and plies + more > MAX_PLIES:
            last = found.items[number - 1]
            keys = [row.id for row in found.items[:number]]
            return Portion(keys, plies, cursor_of(last, LAST_ENDED_FIRST))
        plies += more
    return Portion([row.id for row in found.items], plies, found.next)


def records(games: Iterable[Game]) -> Iterator[str]:
    """The PDN of each game, one after another."""
    for game in games:
        try:
            with capture_budget(settings.CAPTURES_PER_REQUEST):  # for each: there may be thousands of games
                text = write_pdn(game)
        except TooManyCaptures:
            with capture_budget(settings.CAPTURES_PER_REQUEST):
                text = write_pdn_unreplayed(game)
        yield f"{text.rstrip()}\n\n"


def _played_with(name: str, user: User | None) -> Q:
    player = person(name)
    if player is None:
        return Q(pk__in=[])
    first, second = Q(first_player=player), Q(second_player=player)
    if user is None:
        return first | second
    return (first & Q(second_player=user)) | (second & Q(first_player=user))


def _of_event(rows: Games, event: str, user: User | None) -> Games:
    """Games of a contest by its key; for the user's own games also by its name."""
    if user is None:
        return rows.of_contest(event)
    by_key = Q(contest_event=event) | Q(contest_event=event.partition(":")[0], contest_key=event)
    return rows.filter(by_key | Q(contest_name__icontains=event))


def _ended(result: MyResult, user: User | None) -> Q:
    if result is MyResult.ANNULLED:
        return Q(annulled=True)
    if result is MyResult.DRAWN:
        return Q(winner=None)
    if user is None:
        raise BadRequest(_("You can only look for wins and losses among your own games."), field="result")
    mine, theirs = (Seat.FIRST, Seat.SECOND) if result is MyResult.WON else (Seat.SECOND, Seat.FIRST)
    return Q(first_player=user, winner=mine) | Q(second_player=user, winner=theirs)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
