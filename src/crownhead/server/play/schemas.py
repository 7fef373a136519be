"""The bodies of the games' API: what comes in, strictly, and what goes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import date, datetime
from typing import Annotated, Any, Literal

from django.utils.translation import gettext as _
from ninja import Schema
from pydantic import BaseModel, ConfigDict, Discriminator, Field, StrictBool, StrictInt, StrictStr, Tag

from crownhead.rules.schema import Variant
from crownhead.server.core.api import KIND
from crownhead.server.core.api.schemas import Out
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.archive.selectors import ArchiveFilter, MyResult
from crownhead.server.play.clocks.time_control import HOUR, Pace, TimeControl
from crownhead.server.play.clocks.timing import TimeInfo
from crownhead.server.play.games.options import BankClock, Flexibility, GameOptions, LiveClock, TimeRange
from crownhead.server.play.games.selectors.starts import LONGEST_FEN
from crownhead.server.play.presenters.state import GameState, MatchInfo, PlayerInfo

SeatName = Literal["first", "second"]
MoveText = Annotated[StrictStr, Field(min_length=1, max_length=200)]
MOST = 2**31 - 1
MAX_TEXT = 4000


class Body(BaseModel):
    """A body; unknown members are refused rather than ignored."""

    model_config = ConfigDict(extra="forbid")


class LiveClockBody(Body):
    """The Fischer clock of a live game, in seconds."""

    initial: Annotated[StrictInt, Field(ge=0, le=MOST)]
    increment: Annotated[StrictInt, Field(ge=0, le=MOST)] = 0


class BankClockBody(Body):
    """Initial time, bonus for each move and upper limit, in hours."""

    time: Annotated[StrictInt, Field(ge=0, le=MOST)]
    bonus: Annotated[StrictInt, Field(ge=0, le=MOST)]
    limit: Annotated[StrictInt, Field(ge=0, le=MOST)]


def _clock_meant(value: object) -> str:
    """Which clock somebody means, by the fields that they name: only its mistakes are reported."""
    named = value if isinstance(value, Mapping) else vars(value) if isinstance(value, Body) else {}
    is_bank = "initial" not in named and BankClockBody.model_fields.keys() & named.keys()
    return f"{KIND}bank" if is_bank else f"{KIND}live"


ClockBody = Annotated[
    Annotated[LiveClockBody, Tag(f"{KIND}live")] | Annotated[BankClockBody, Tag(f"{KIND}bank")],
    Discriminator(_clock_meant),
]


class Terms(Body):
    """The terms of a game."""

    variant: Annotated[StrictStr, Field(max_length=32)]
    colour: Literal["first", "second", "random"]
    days_per_move: Annotated[StrictInt, Field(ge=1, le=14)] | None = Field(
        None, description="The days for each move."
    )
    clock: ClockBody | None = Field(None, description="Instead of days_per_move: live, or a bank of hours.")
    weekends_off: StrictBool = Field(False, description="Saturdays and Sundays (UTC) stop the clock.")
    vacation: StrictBool = Field(False, description="The players' vacations stop the clock.")
    draw_rules: Literal["official", "itsyourturn", "yourturnmyturn"] = "official"
    rated: StrictBool = False
    hidden: StrictBool = Field(False, description="Only its players and the staff can see it.")
    min_rating: Annotated[StrictInt, Field(ge=0, le=MOST)] | None = None
    max_rating: Annotated[StrictInt, Field(ge=0, le=MOST)] | None = None
    opening: Annotated[StrictInt | StrictStr, Field(union_mode="left_to_right")] | None = Field(
        None, description='The number of a ballot, in an invitation only; otherwise null or "random".'
    )
    games: Annotated[StrictInt, Field(ge=1, le=MOST)] = Field(
        1, description="2: both at once; more: one after another."
    )
    wins: Annotated[StrictInt, Field(ge=1, le=MOST)] | None = Field(
        None, description="Instead of games: the match ends when somebody has won this many."
    )
    first_move: MoveText | None = Field(
        None, description="The creator's first move, if they play the first side."
    )
    start: Annotated[StrictStr, Field(min_length=1, max_length=LONGEST_FEN)] | None = Field(
        None,
        description="The FEN of a position to begin from, in a single unrated game with an opponent.",
    )

    def options(self) -> GameOptions:
        """The terms as the service takes them; raises ``Unprocessable``."""
        return GameOptions(
            variant=self.variant,
            colour=self.colour,
            days_per_move=self.days_per_move,
            clock=_clock(self.clock),
            weekends_off=self.weekends_off,
            vacation=self.vacation,
            draw_rules=self.draw_rules,
            rated=self.rated,
            hidden=self.hidden,
            min_rating=self.min_rating,
            max_rating=self.max_rating,
            opening=_ballot(self.opening),
            games=self.games,
            wins=self.wins,
            first_move=self.first_move,
            start=self.start,
        )


class NewGame(Terms):
    """The terms of a game to offer in the waiting room, or to one opponent."""

    opponent: Annotated[StrictStr, Field(min_length=1, max_length=254)] | None = Field(
        None, description="A player's username, or the e-mail address of somebody who has no account."
    )
    computer: Annotated[StrictInt, Field(ge=1, le=10)] | None = Field(
        None,
        description="Instead of an opponent: the computer at this level, 1 to 10. The game starts at once.",
    )
    message: Annotated[StrictStr, Field(max_length=MAX_TEXT)] = Field("", description="To the opponent.")


class WantedGame(Terms):
    """The terms of a game to look for; those left out are those of the form on the site.

    A game is offered on these terms if there is none to take.
    """

    colour: Literal["first", "second", "random"] = Field("random", description="random: any side.")
    vacation: StrictBool = Field(
        True, description="The players' vacations stop the clock; there are none in live games."
    )
    accepts_time: TimeRange = Field(
        TimeRange.SIMILAR, description="Which other times at the same pace: half to twice as long, or any."
    )
    accepts_rated: StrictBool | None = Field(
        None, description="Rated and unrated games, whatever `rated` says; left out, where that is left out."
    )
    accepts_stops: StrictBool = Field(True, description="Whatever vacations and weekends do to the clock.")

    def options(self) -> GameOptions:
        """The terms as the service takes them; raises ``Unprocessable``."""
        live = isinstance(self.clock, LiveClockBody)
        days = 3 if self.days_per_move is None and self.clock is None else self.days_per_move
        return replace(super().options(), days_per_move=days, vacation=self.vacation and not live)

    def flexibility(self) -> Flexibility:
        """What is taken besides the terms; who says whether it shall be rated means it."""
        rated = "rated" not in self.model_fields_set if self.accepts_rated is None else self.accepts_rated
        return Flexibility(time=self.accepts_time, rated=rated, stops=self.accepts_stops)


class RematchMessage(Body):
    """A few words to the opponent."""

    message: Annotated[StrictStr, Field(max_length=MAX_TEXT)] = ""


class Filters(Schema):
    """Which games to list; days are in UTC, both ends included."""

    variant: Annotated[str, Field(max_length=32)] | None = None
    opponent: Annotated[str, Field(max_length=32)] | None = Field(
        None, description="The opponent's username."
    )
    result: MyResult | None = Field(None, description="`won` and `lost` are for your own games only.")
    event: Annotated[str, Field(max_length=120)] | None = Field(
        None, description="The key of a ladder or tournament; for your own games also a part of its name."
    )
    since: date | None = Field(None, description="Games that ended on that day or later.")
    until: date | None = Field(None, description="Games that ended on that day or before.")

    def archive_filter(self) -> ArchiveFilter:
        """The filter in the form that the selectors take."""
        return ArchiveFilter(**self.model_dump())


class NewMove(Body):
    """A move, the version of the game that it answers, and perhaps a message."""

    move: MoveText
    version: Annotated[StrictInt, Field(ge=0, le=MOST)]
    message: Annotated[StrictStr, Field(max_length=MAX_TEXT)] = Field("", description="To the opponent.")


class PlayerOut(Out):
    """A player."""

    username: str


class PlayersOut(Out):
    """Who sits where; null while a seat is free or not drawn yet."""

    first: PlayerOut | None
    second: PlayerOut | None


class OutcomeOut(Out):
    """How the game ended; ``result``: ``1-0`` if first won, ``0-0`` if both lost, ``*`` if it was aborted."""

    winner: SeatName | None = Field(description="Null after a draw, or if both lost.")
    termination: str = Field(description="How the game ended, such as `resignation`.")
    result: Literal["1-0", "0-1", "1/2-1/2", "0-0", "*"]


class LegalMoveOut(Out):
    """A legal move; squares are numbered as in the variant, captures in the order taken."""

    notation: str
    path: list[int]
    captures: list[int]


class LiveClockOut(Out):
    """A Fischer clock, in seconds."""

    initial: float
    increment: float


class BankClockOut(Out):
    """Initial time, bonus for each move and upper limit, in hours."""

    time: float
    bonus: float
    limit: float


class SecondsOut(Out):
    """The seconds left for each seat: for the present turn, or the next one."""

    first: float
    second: float


class AwayOut(Out):
    """The end of each player's present vacation, where it stops the clock of this game."""

    first: datetime | None
    second: datetime | None


class MatchScore(Out):
    """Points: one for a win, a half for a draw."""

    creator: float
    opponent: float


class MatchOfGame(Out):
    """The match that a game belongs to, and which of its games this is."""

    id: str
    kind: str
    length: int = Field(description="The number of games, or of wins, that decides it.")
    number: int = Field(description="Which game of the match this is, from 1.")
    score: MatchScore
    over: bool


class ContestOut(Out):
    """The ladder or tournament that a game belongs to; ``link`` is the path of its page."""

    kind: str
    key: str
    name: str
    link: str


class GameOut(Out):
    """A game. ``version`` is the number of plies made; send it with a move."""

    id: str
    variant: str = Field(description="The key of the variant.")
    start: str = Field(description="The start position, as FEN.")
    moves: list[str] = Field(description="The moves as PDN writes them, short unless ambiguous.")
    opening: int | None = Field(description="The number of the ballot; null if there is none.")
    opening_plies: int = Field(description="How many of the moves the ballot made.")
    fen: str = Field(description="The present position, as FEN.")
    turn: SeatName | None = Field(description="Who is to move; null when the game isn't in progress.")
    version: int = Field(
        description="The number to send with a move; it grows with every change of the moves."
    )
    status: Literal["waiting", "playing", "finished", "withdrawn", "declined", "expired"]
    outcome: OutcomeOut | None
    annulled: bool = Field(description="The game doesn't count.")
    creator: PlayerOut = Field(description="Who offered the game.")
    players: PlayersOut
    first_colour: Literal["black", "white"] = Field(
        description="The colour that moves first in this variant."
    )
    pace: Literal["days", "bank", "live"] = Field(
        description="Days for each move, a bank of hours, or a live clock."
    )
    days_per_move: int | None = Field(description="Null with a clock.")
    clock: LiveClockOut | BankClockOut | None = Field(description="Null with days for each move.")
    weekends_off: bool = Field(description="Saturdays and Sundays (UTC) stop the clock.")
    vacation: bool = Field(description="The players' vacations stop the clock.")
    time_left: SecondsOut = Field(
        description="Seconds left of the present turn; for the other player, of their next."
    )
    time_stands_still: bool = Field(
        description="The clock is stopped: a weekend, a vacation or an adjournment."
    )
    added_hours: int = Field(description="Hours of vacation added to this turn because time ran out.")
    adjourned_until: datetime | None = Field(description="When the clock starts again after an adjournment.")
    away_until: AwayOut
    deadline: datetime | None = Field(description="When the player to move loses on time.")
    draw_rules: str
    rated: bool
    hidden: bool = Field(description="Only its players and the staff can see it.")
    open: bool = Field(description="Anybody may join; false for an invitation.")
    min_rating: int | None = Field(description="The lowest rating that may join.")
    max_rating: int | None = Field(description="The highest rating that may join.")
    invited: PlayerOut | None = Field(description="The player who is invited.")
    match: MatchOfGame | None
    contest: ContestOut | None
    draw_offer: SeatName | None = Field(description="Who offers a draw.")
    take_back: SeatName | None = Field(description="Who asks for a take-back.")
    planned: list[int] = Field(
        description="The plies made by conditional moves; shown when the game is over."
    )
    claimable_draws: list[str] = Field(description="The draws that the player to move may claim now.")
    legal_moves: list[LegalMoveOut] = Field(
        description="The moves that may be made now; none where there are too many to list."
    )
    adjudication_reason: str = Field(description="Why the staff or a director decided the game.")
    created_at: datetime
    started_at: datetime | None
    last_moved_at: datetime | None
    ended_at: datetime | None
    expires_at: datetime | None = Field(description="When an offer that nobody accepts expires.")


class GameAfterMove(GameOut):
    """A game after a move of yours."""

    message_sent: bool | None = Field(
        description="Whether your message was sent with the move; false when you have sent too many. "
        "Null without a message."
    )
    message_unsent: str = Field(description="Why it was not, in a sentence; else empty.")


class GamesPage(Out):
    """A page of games; ``next`` is the cursor of the next page, null on the last."""

    items: list[GameOut]
    next: str | None


class VariantOut(Out):
    """A variant that can be played here."""

    key: str
    name: str
    summary: str = Field(description="The rules in a paragraph.")
    width: int
    height: int
    first_colour: Literal["black", "white"]
    opening_plies: int = Field(description="How many plies a ballot makes; 0 without ballots.")
    algebraic: bool = Field(description="Squares are named like a1 rather than numbered.")
    game_type: int | None = Field(description="The number of the game in PDN's GameType tag.")
    start: str = Field(description="The start position, as FEN.")


def game_out(state: GameState) -> GameOut:
    """A game's state as the API shows it."""
    return GameOut.model_validate(_plain(state))


def game_after_move(state: GameState, *, message_sent: bool | None, message_unsent: str) -> GameAfterMove:
    """The same after a move, with what became of its message."""
    told = {"message_sent": message_sent, "message_unsent": message_unsent}
    return GameAfterMove.model_validate(_plain(state) | told)


def _plain(state: GameState) -> dict[str, Any]:
    plain = {name: getattr(state, name) for name in GameOut.model_fields if name in GameState.__slots__}
    plain |= {
        "variant": state.variant.key,
        "creator": _player(state.creator),
        "players": {"first": _player(state.first), "second": _player(state.second)},
        "invited": _player(state.invited),
        "match": _match_out(state.match),
        "contest": None if state.contest is None else asdict(state.contest),
        **_time_out(state.time),
    }
    return plain


def variant_out(variant: Variant, start_fen: str) -> VariantOut:
    """A row of the variant table as the API shows it."""
    return VariantOut(
        key=variant.key,
        name=variant.name,
        summary=variant.summary,
        width=variant.board.width,
        height=variant.board.height,
        first_colour=variant.start.first.value,
        opening_plies=variant.opening_plies,
        algebraic=variant.notation.algebraic,
        game_type=variant.notation.game_type,
        start=start_fen,
    )


def _clock(body: LiveClockBody | BankClockBody | None) -> LiveClock | BankClock | None:
    if body is None:
        return None
    made = body.model_dump()
    return LiveClock(**made) if isinstance(body, LiveClockBody) else BankClock(**made)


def _ballot(opening: int | str | None) -> int | None:
    """The number of a ballot; None where it is to be drawn."""
    if opening is None or isinstance(opening, int):
        return opening
    if opening.isdecimal() and len(opening) < 6:
        return int(opening)
    if opening != "random":
        raise Unprocessable(
            _('Choose the number of a ballot or "random", not %(given)s.') % {"given": repr(opening[:60])},
            field="opening",
        )
    return None


def _match_out(match: MatchInfo | None) -> MatchOfGame | None:
    if match is None:
        return None
    return MatchOfGame(
        id=match.id,
        kind=match.kind,
        length=match.length,
        number=match.number,
        score=MatchScore(creator=match.creator_score, opponent=match.opponent_score),
        over=match.over,
    )


def _time_out(time: TimeInfo) -> dict[str, Any]:
    control = time.control
    return {
        "pace": control.pace.value,
        "clock": _clock_out(control),
        "weekends_off": control.weekends_off,
        "vacation": control.vacation,
        "time_left": {seat: left.total_seconds() for seat, left in time.left.items()},
        "time_stands_still": time.stands_still,
        "added_hours": time.added_hours,
        "adjourned_until": time.adjourned_until,
        "away_until": dict(time.away),
    }


def _clock_out(control: TimeControl) -> dict[str, float] | None:
    if control.pace is Pace.LIVE:
        return {
            "initial": control.initial.total_seconds(),
            "increment": control.bonus.total_seconds(),
        }
    if control.limit is None:
        return None
    return {"time": control.initial / HOUR, "bonus": control.bonus / HOUR, "limit": control.limit / HOUR}


def _player(player: PlayerInfo | None) -> PlayerOut | None:
    return None if player is None else PlayerOut(username=player.username)
