"""The bodies of the tournaments' API: what comes in, strictly, and what goes out."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from django.utils.translation import gettext as _
from ninja import Schema
from pydantic import Field, StrictBool, StrictInt, StrictStr

from crownhead.contest import Pairing as PairingValue
from crownhead.contest import Table
from crownhead.contest.tie_breaks import TIE_BREAKS
from crownhead.server.competitions.models import Act, Entrant, Entry, Start, Status, Tournament, Withdrawal
from crownhead.server.competitions.selectors.standings import Standing
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.schemas import Body, PlayerOut
from crownhead.server.teams.api.matches import ContestTerms

Name = Annotated[StrictStr, Field(max_length=80)]
Word = Annotated[StrictStr, Field(max_length=32)]
Reason = Annotated[StrictStr, Field(max_length=500)]
Number = Annotated[StrictInt, Field(ge=0, le=100_000)]


class NewTournament(ContestTerms):
    """A tournament to announce. ``options``: of the format, see ``GET /tournament-formats``."""

    name: Name
    about: Annotated[StrictStr, Field(max_length=5000)] = ""
    format: Word
    options: dict[Annotated[str, Field(max_length=32)], StrictBool | StrictInt | StrictStr] = Field(
        default_factory=dict, max_length=32
    )
    entry: Entry = Entry.OPEN
    team: Word = ""
    min_players: Number = 3
    max_players: Number
    min_rating: Number | None = None
    max_rating: Number | None = None
    late_rounds: Number = 0
    withdrawal: Withdrawal = Withdrawal.FORFEIT
    start: Start = Start.FULL
    starts_at: datetime | None = None
    held_rounds: StrictBool = False
    pause_minutes: Number = 0
    no_show_minutes: Number | None = None
    appointment_days: Number | None = None
    minutes: Number | None = Field(None, description="How long an arena lasts.")
    prizes: Annotated[list[Annotated[StrictStr, Field(max_length=60)]], Field(max_length=10)] = Field(
        default_factory=list, description="Trophies, by place."
    )

    def announcement(self) -> Announcement:
        """As the services take it; raises ``Unprocessable``."""
        own = set(NewTournament.model_fields) - set(ContestTerms.model_fields)
        plain: dict[str, Any] = self.model_dump(include=own)
        plain["starts_at"] = None if self.starts_at is None else in_utc("starts_at", self.starts_at)
        plain["prizes"] = tuple(self.prizes)
        for name in ("entry", "withdrawal", "start"):
            plain[name] = plain[name].value
        return Announcement(game=self.terms_of_games(), **plain)


class Because(Body):
    """Why a director does something."""

    reason: Reason


class NamesBody(Body):
    """Players by name."""

    usernames: Annotated[list[Name], Field(max_length=500)]


class ReplaceBody(Because):
    """Who takes over a place."""

    substitute: Name


class UntilBody(Because):
    """A moment to come, with its offset from UTC."""

    until: datetime


class AdjournBody(Because):
    """Until when a pairing rests; null: it goes on."""

    until: datetime | None


class ForfeitBody(Because):
    """Who loses what is left of a pairing: one of its two players, or ``both``."""

    loser: Name


class ResultBody(Because):
    """The name of the winner, or ``draw``."""

    result: Name


class AnnulBody(Because):
    """``again``: whether the game is played anew."""

    again: StrictBool = True


class PairsBody(Because):
    """Pairs of names; who moves first is named first. Whoever is left out has a bye."""

    pairs: Annotated[list[Annotated[list[Name], Field(min_length=2, max_length=2)]], Field(max_length=500)]


class HereBody(Body):
    """In an arena: whether one is to be paired."""

    here: StrictBool


class RoundBody(Body):
    """A round to come."""

    round: Number


class MomentBody(Body):
    """A time to play, with its offset from UTC."""

    at: datetime


class AgreedBody(Body):
    """Whether one agrees to the time that the opponent proposes."""

    agreed: StrictBool


class OptionOut(Schema):
    """Something to choose for a format."""

    key: str
    text: str
    default: bool | int | str
    least: int
    most: int
    choices: list[str]


class FormatOut(Schema):
    """A way to hold a tournament."""

    key: str
    name: str
    summary: str
    live: bool
    late: bool
    options: list[OptionOut]


class TournamentOut(Schema):
    """A tournament."""

    id: str
    name: str
    about: str
    host: PlayerOut
    status: Status
    variant: str
    terms: dict[str, Any]
    format: str
    options: dict[str, bool | int | str]
    entry: Entry
    team: str
    players: int
    min_players: int
    max_players: int
    min_rating: int | None
    max_rating: int | None
    late_rounds: int
    withdrawal: Withdrawal
    start: Start
    starts_at: datetime | None
    held_rounds: bool
    pause_minutes: int
    no_show_minutes: int | None
    appointment_days: int | None
    minutes: int | None
    prizes: list[str]
    rounds_made: int
    rounds_planned: int | None
    waiting_for: str
    started_at: datetime | None
    ends_at: datetime | None
    ended_at: datetime | None


class TournamentsPage(Schema):
    """Some tournaments, and the cursor of the page that follows; null on the last."""

    items: list[TournamentOut]
    next: str | None


class EntrantOut(Schema):
    """Somebody who takes part; ``left``: after which round he left."""

    username: str
    rating: int
    seed: int
    entered: int
    left: int | None
    expelled: bool
    here: bool
    place: int | None
    points: float | None


class EntrantsPage(Schema):
    """Some players, and the cursor of the page that follows; null on the last."""

    items: list[EntrantOut]
    next: str | None


class RowOut(Schema):
    """A line of a table; ``values`` are those of its tie-breaks, in points."""

    place: int
    username: str
    points: float
    played: int
    wins: int
    draws: int
    losses: int
    values: list[float]
    out: bool
    withdrawn: bool


class TableOut(Schema):
    """Places of the whole (``section`` 0) or of a section of a round; ``tie_breaks`` by key and name."""

    round: int
    section: int
    tie_breaks: list[dict[str, str]]
    rows: list[RowOut]


class PairingGameOut(Schema):
    """A game of a pairing: who moves first, and the points of the first and the second side."""

    id: str | None
    first: str
    second: str
    points: list[float] | None
    how: str


class PairingOut(Schema):
    """Two who meet, or one with a bye."""

    table: int
    section: int
    stage: str
    first: str
    second: str | None
    bye: str | None
    over: bool
    adjourned: bool
    games: list[PairingGameOut]


class RoundOut(Schema):
    """A round."""

    number: int
    pairings: list[PairingOut]


class ActOut(Schema):
    """What a director did, and why."""

    by: str
    verb: str
    text: str
    reason: str
    done_at: datetime


class ActsPage(Schema):
    """Some acts, the latest first, and the cursor of the page that follows."""

    items: list[ActOut]
    next: str | None


class TrophyOut(Schema):
    """What somebody has won."""

    name: str
    place: int
    tournament: str
    variant: str
    link: str
    won_at: datetime


def in_utc(name: str, moment: datetime) -> datetime:
    """A moment that was sent with its offset; raises ``Unprocessable`` without one."""
    if moment.tzinfo is None:
        raise Unprocessable(_("%(name)s: expected a moment with its offset from UTC") % {"name": name})
    return moment.astimezone(UTC)


def tournament_out(row: Tournament) -> TournamentOut:
    """A tournament as anybody sees it."""
    same = set(TournamentOut.model_fields) - {"id", "host", "players"}
    plain = {name: getattr(row, name) for name in same}
    host = PlayerOut(username=row.host.username)
    return TournamentOut(id=row.public_id, host=host, players=row.size, **plain)


def entrant_out(row: Entrant) -> EntrantOut:
    """A player as anybody sees him."""
    return EntrantOut(
        username=row.user.username,
        rating=row.rating,
        seed=row.seed,
        entered=row.entered,
        left=row.left,
        expelled=row.expelled,
        here=row.here,
        place=row.place,
        points=None if row.points is None else row.points / 2,
    )


def table_out(standing: Standing, table: Table) -> TableOut:
    """A table in points."""
    units = [TIE_BREAKS[key].unit for key in table.columns]
    rows = [
        RowOut(
            place=row.place,
            username=standing.names[row.player],
            points=row.points / table.unit,
            played=row.played,
            wins=row.wins,
            draws=row.draws,
            losses=row.losses,
            values=[value / unit for value, unit in zip(row.values, units, strict=False)],
            out=row.out,
            withdrawn=row.withdrawn,
        )
        for row in table.rows
    ]
    columns = [{"key": key, "name": TIE_BREAKS[key].name} for key in table.columns]
    return TableOut(round=table.round, section=table.section, tie_breaks=columns, rows=rows)


def pairing_out(standing: Standing, number: int, pairing: PairingValue) -> PairingOut:
    """A pairing with its games."""
    names = standing.names
    games = [
        PairingGameOut(
            id=standing.games.get((number, pairing.table, at)),
            first=names[game.first],
            second=names[game.second],
            points=None if game.points is None else [worth / 2 for worth in game.points],
            how=game.how.value,
        )
        for at, game in enumerate(pairing.games, start=1)
    ]
    return PairingOut(
        table=pairing.table,
        section=pairing.section,
        stage=pairing.stage,
        first=names[pairing.first],
        second=None if pairing.second is None else names[pairing.second],
        bye=pairing.bye.value if pairing.bye else None,
        over=pairing.over,
        adjourned=pairing.adjourned,
        games=games,
    )


def act_out(row: Act) -> ActOut:
    """An act as everybody reads it."""
    return ActOut(by=row.by.username, verb=row.verb, text=row.text, reason=row.reason, done_at=row.done_at)
