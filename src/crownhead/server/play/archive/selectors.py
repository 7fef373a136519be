"""Looking for games among many, and their records in one file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum

from django.conf import settings
from django.db.models import Q, Sum
from django.utils.translation import gettext as _

from crownhead import VARIANTS
from crownhead.rules.budget import capture_budget
from crownhead.server.accounts.selectors import User, person
from crownhead.server.core import clock
from crownhead.server.core.problems import BadRequest
from crownhead.server.play.games.selectors.replay import write_pdn
from crownhead.server.play.models import Games, Seat, Status

PLIES_OF_A_PAGE = 100  # of a record that take as long to write as a page, some 10 ms
MOST_PAGES = 1000  # that a file of many games counts as, so that nobody has too many games to download them


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


def plies_of(rows: Games) -> int:
    """How many moves of both sides were made in these games together, those taken back included."""
    return rows.order_by().aggregate(plies=Sum("version"))["plies"] or 0


def records(rows: Games) -> Iterator[str]:
    """The PDN of each game, one after another."""
    for game in rows.iterator(chunk_size=100):
        with capture_budget(settings.CAPTURES_PER_REQUEST):  # for each: there may be thousands of games
            text = write_pdn(game)
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
        raise BadRequest("result: " + _("`won` and `lost` need mine=1."))
    mine, theirs = (Seat.FIRST, Seat.SECOND) if result is MyResult.WON else (Seat.SECOND, Seat.FIRST)
    return Q(first_player=user, winner=mine) | Q(second_player=user, winner=theirs)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
