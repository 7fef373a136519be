"""The bodies of the tournaments' API: what comes in, strictly, and what goes out."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from django.utils.translation import gettext as _
from ninja import Schema
from pydantic import Field, StrictBool, StrictInt, StrictStr

from crownhead.contest import Pairing as PairingValue
from crownhead.contest import Table
from crownhead.contest.tie_breaks import TIE_BREAKS
from crownhead.server.accounts.selectors import User
from crownhead.server.competitions import selectors
from crownhead.server.competitions.models import (
    DirectorAction,
    Entrant,
    Entry,
    Invitation,
    Start,
    Status,
    Tournament,
    Withdrawal,
)
from crownhead.server.competitions.selectors.acts import text_of
from crownhead.server.competitions.selectors.entries import offer
from crownhead.server.competitions.selectors.standings import Sheet, Standing
from crownhead.server.competitions.selectors.starts import cancel_reason
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core import clock
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.schemas import Body, PlayerOut
from crownhead.server.play.selectors import Viewer
from crownhead.server.teams.api.matches import ContestTerms

Name = Annotated[StrictStr, Field(max_length=80)]
Word = Annotated[StrictStr, Field(max_length=32)]
Reason = Annotated[StrictStr, Field(max_length=500)]
Number = Annotated[StrictInt, Field(ge=0, le=100_000)]


class NewTournament(ContestTerms):
    """A tournament to announce. ``options`` are those of the format; see ``GET /tournament-formats``."""

    rated: bool = Field(False, description="Whether games change ratings; in many clubs only the staff may.")
    name: Name
    about: Annotated[StrictStr, Field(max_length=5000)] = ""
    format: Word = Field(description="The key of a format.")
    options: dict[Annotated[str, Field(max_length=32)], StrictBool | StrictInt | StrictStr] = Field(
        default_factory=dict, max_length=32
    )
    entry: Entry = Entry.OPEN
    team: Word = Field("", description="The id of a team that you lead, for a tournament of its members.")
    min_players: Number = 3
    max_players: Number
    min_rating: Number | None = None
    max_rating: Number | None = None
    late_rounds: Number = Field(0, description="Players may enter until this many rounds have been paired.")
    withdrawal: Withdrawal = Field(
        Withdrawal.FORFEIT, description="What happens to the open games of players who withdraw."
    )
    start: Start = Field(Start.FULL, description="When it begins.")
    starts_at: datetime | None = Field(
        None, description="With `date`: when it begins, with its offset from UTC."
    )
    held_rounds: StrictBool = Field(False, description="A director releases each round.")
    pause_minutes: Number = Field(0, description="Between two live rounds.")
    no_show_minutes: Number | None = Field(
        None, description="In live rounds: a player who hasn't come by then loses."
    )
    appointment_days: Number | None = Field(
        None, description="In live rounds: how long players may agree on a time."
    )
    minutes: Number | None = Field(None, description="How long an arena lasts.")
    prizes: Annotated[list[Annotated[StrictStr, Field(max_length=60)]], Field(max_length=10)] = Field(
        default_factory=list, description="Trophies, by place."
    )

    def announcement(self) -> Announcement:
        """The announcement in the form that the services take; raises ``Unprocessable``."""
        own = set(NewTournament.model_fields) - set(ContestTerms.model_fields)
        plain: dict[str, Any] = self.model_dump(include=own)
        plain["starts_at"] = None if self.starts_at is None else in_utc("starts_at", self.starts_at)
        plain["prizes"] = tuple(self.prizes)
        for name in ("entry", "withdrawal", "start"):
            plain[name] = plain[name].value
        return Announcement(game=self.terms_of_games(), **plain)


class ReasonBody(Body):
    """Why a director does something."""

    reason: Reason


class UsernamesBody(Body):
    """Players by username."""

    usernames: Annotated[list[Name], Field(max_length=500)]


class SubstituteBody(ReasonBody):
    """Who takes over the place."""

    substitute: Name


class UntilBody(ReasonBody):
    """A time in the future, with its offset from UTC."""

    until: datetime


class AdjournBody(ReasonBody):
    """Until when the pairing is adjourned; null resumes it."""

    until: datetime | None


class ForfeitBody(ReasonBody):
    """Who loses the remaining games of a pairing: one of its players, or ``both``."""

    loser: Name


class ResultBody(ReasonBody):
    """The username of the winner, or ``draw``."""

    result: Name


class AnnulBody(ReasonBody):
    """``again``: whether the game is to be played again."""

    again: StrictBool = True


class PairsBody(ReasonBody):
    """Pairs of usernames; who moves first is named first. A player left out has a bye."""

    pairs: Annotated[list[Annotated[list[Name], Field(min_length=2, max_length=2)]], Field(max_length=500)]


class PresenceBody(Body):
    """In an arena: whether you want to be paired."""

    here: StrictBool


class RoundBody(Body):
    """A round to come."""

    round: Number


class AppointmentBody(Body):
    """A time to play, with its offset from UTC."""

    at: datetime


class AgreedBody(Body):
    """Whether you agree."""

    agreed: StrictBool


class AnswerBody(AgreedBody):
    """Whether you agree to the time that your opponent proposes."""

    at: datetime | None = Field(
        None, description="That time, with its offset from UTC; required if you agree."
    )


class FormatOption(Schema):
    """An option of a format."""

    key: str
    text: str
    default: bool | int | str
    least: int = Field(description="The least number.")
    most: int = Field(description="The greatest number.")
    choices: list[str] = Field(description="The values to choose from; empty for a number or a switch.")


class TournamentFormat(Schema):
    """A tournament format."""

    key: str
    name: str
    summary: str
    live: bool = Field(description="Its games are played live.")
    late: bool = Field(description="Players may enter after it has begun.")
    options: list[FormatOption]


class TournamentOut(Schema):
    """A tournament."""

    id: str
    name: str
    about: str
    host: PlayerOut
    status: Status
    variant: str
    terms: dict[str, Any] = Field(description="The terms of its games.")
    format: str
    options: dict[str, bool | int | str]
    entry: Entry
    team: str = Field(description="The id of the team whose members may enter; empty for none.")
    players: int = Field(description="The number of players.")
    min_players: int
    max_players: int
    min_rating: int | None
    max_rating: int | None
    late_rounds: int = Field(description="Players may enter until this many rounds have been paired.")
    withdrawal: Withdrawal
    start: Start
    starts_at: datetime | None
    held_rounds: bool
    pause_minutes: int
    no_show_minutes: int | None
    appointment_days: int | None
    minutes: int | None = Field(description="How long an arena lasts.")
    prizes: list[str]
    rounds_made: int = Field(description="The number of rounds paired so far.")
    rounds_planned: int | None = Field(description="Null if it isn't fixed.")
    waiting_for: str = Field(description="What the tournament is waiting for.")
    cancel_reason: str = Field(description="Why the tournament was cancelled; empty if it wasn't.")
    started_at: datetime | None
    ends_at: datetime | None
    ended_at: datetime | None


class TournamentDetails(TournamentOut):
    """A tournament, and what you would accept by entering it."""

    offer: str = Field(
        description="Differs once its terms or your invitation do; send it along when you enter it."
    )


class TournamentsPage(Schema):
    """A page of tournaments; ``next`` is the cursor of the next page, null on the last."""

    items: list[TournamentOut]
    next: str | None


class EntrantOut(Schema):
    """A player in a tournament; ``left``: after which round they left."""

    username: str
    rating: int
    seed: int = Field(description="0 if they aren't seeded.")
    entered: int = Field(description="Since which round they play.")
    left: int | None
    expelled: bool
    here: bool = Field(description="In an arena: whether they want to be paired.")
    place: int | None = Field(description="Null until the tournament is over.")
    points: float | None = Field(description="Null until the tournament is over.")


class TournamentInvitation(Schema):
    """A player whom a director has invited."""

    username: str
    answer: str = Field(description="`open`, `accepted` or `declined`.")
    invited_by: str | None
    invited_at: datetime
    answered_at: datetime | None
    substitute_for: str | None = Field(description="Whose place the player is to take over.")


class EntrantsPage(Schema):
    """A page of players; ``next`` is the cursor of the next page, null on the last."""

    items: list[EntrantOut]
    next: str | None


class TournamentTableRow(Schema):
    """A row of a table; ``values`` are those of its tie-breaks, in points."""

    place: int
    username: str
    points: float
    played: int
    wins: int
    draws: int
    losses: int
    values: list[float]
    out: bool = Field(description="Eliminated.")
    withdrawn: bool = Field(description="Withdrawn or expelled.")


class TournamentTable(Schema):
    """Overall standings (``section`` 0) or those of a section; ``tie_breaks`` by key and name."""

    round: int
    section: int
    tie_breaks: list[dict[str, str]]
    rows: list[TournamentTableRow]


class PairingGameOut(Schema):
    """A game of a pairing: who moves first, and the points of the first and the second side."""

    id: str | None = Field(description="Null until the game has begun.")
    first: str
    second: str
    points: list[float] | None
    how: str = Field(description="How the points came about.")


class PairingOut(Schema):
    """Two players who meet, or one with a bye."""

    table: int
    section: int
    stage: str
    first: str
    second: str | None
    bye: str | None = Field(description="The kind of bye; null if two players meet.")
    over: bool
    adjourned: bool
    games: list[PairingGameOut]


class RoundOut(Schema):
    """A round of a tournament with a page of its pairings; ``next`` is the cursor of the next page."""

    number: int
    pairings: list[PairingOut]
    next: str | None


class DirectorActionOut(Schema):
    """What a director did, and why."""

    by: str = Field(description="The director's username.")
    verb: str = Field(description="The kind of action.")
    text: str = Field(description="The action as a sentence.")
    reason: str
    done_at: datetime


class DirectorActionsPage(Schema):
    """A page of actions, the latest first; ``next`` is the cursor of the next page."""

    items: list[DirectorActionOut]
    next: str | None


class TrophyOut(Schema):
    """A trophy that a player has won."""

    name: str
    place: int
    tournament: str
    variant: str
    link: str = Field(description="The path of the tournament's page.")
    won_at: datetime


def in_utc(name: str, moment: datetime) -> datetime:
    """A moment that was sent with its offset; raises ``Unprocessable`` without one."""
    if moment.tzinfo is None:
        raise Unprocessable(_("Give the offset from UTC too, as in 2026-05-01T12:00:00Z."), field=name)
    return clock.in_utc(moment)


def tournament_out(row: Tournament) -> TournamentOut:
    """A tournament as anybody sees it."""
    same = set(TournamentOut.model_fields) - {"id", "host", "players", "cancel_reason"}
    plain = {name: getattr(row, name) for name in same}
    host = PlayerOut(username=row.host.username)
    reason = cancel_reason(row)
    return TournamentOut(id=row.public_id, host=host, players=row.size, cancel_reason=reason, **plain)


def tournament_details(row: Tournament, viewer: Viewer) -> TournamentDetails:
    """A tournament as this viewer sees it."""
    invitation = selectors.open_invitation(row, viewer) if isinstance(viewer, User) else None
    return TournamentDetails(**dict(tournament_out(row)), offer=offer(row, invitation))


def entrant_out(row: Entrant) -> EntrantOut:
    """A player as anybody sees them."""
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


def invitation_out(row: Invitation) -> TournamentInvitation:
    """An invitation as directors see it."""
    return TournamentInvitation(
        username=row.user.username,
        answer=row.answer,
        invited_by=row.by.username if row.by else None,
        invited_at=row.made_at,
        answered_at=row.answered_at,
        substitute_for=row.place.user.username if row.place else None,
    )


def tables_out(standing: Standing, *, offset: int, limit: int) -> list[TournamentTable]:
    """The tables with so many rows of all of them together, without those before."""
    found, first = [], 0
    for table in standing.tables:
        begin, end = max(offset - first, 0), offset + limit - first
        if end > 0 and table.rows[begin:end]:
            found.append(_table_out(standing, replace(table, rows=table.rows[begin:end])))
        first += len(table.rows)
    return found


def _table_out(standing: Standing, table: Table) -> TournamentTable:
    """A table in points."""
    units = [TIE_BREAKS[key].unit for key in table.columns]
    rows = [
        TournamentTableRow(
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
    return TournamentTable(round=table.round, section=table.section, tie_breaks=columns, rows=rows)


def pairing_out(sheet: Sheet, number: int, pairing: PairingValue) -> PairingOut:
    """A pairing with its games."""
    names = sheet.names
    games = [
        PairingGameOut(
            id=sheet.games.get((number, pairing.table, at)),
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


def director_action_out(row: DirectorAction) -> DirectorActionOut:
    """An entry of the directors' log."""
    return DirectorActionOut(
        by=row.by.username, verb=row.verb, text=text_of(row), reason=row.reason, done_at=row.done_at
    )
