"""The bodies of the games' API: what comes in, strictly, and what goes out."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date, datetime
from typing import Annotated, Any, Literal

from django.utils.translation import gettext as _
from ninja import Schema
from pydantic import ConfigDict, Field, StrictBool, StrictInt, StrictStr

from crownhead.rules.schema import Variant
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.archive.selectors import MyResult, Wanted
from crownhead.server.play.clocks.time_control import HOUR, Pace, TimeControl
from crownhead.server.play.games.options import BankClock, GameOptions, LiveClock
from crownhead.server.play.presenters.state import GameState, MatchInfo, PlayerInfo, TimeInfo

SeatName = Literal["first", "second"]
MoveText = Annotated[StrictStr, Field(min_length=1, max_length=200)]
MOST = 2**31 - 1
MOST_TEXT = 4000


class Body(Schema):
    """A body whose misspelt members are refused rather than ignored."""

    model_config = ConfigDict(extra="forbid")


class LiveClockBody(Body):
    """Fischer's clock for a live game, in seconds."""

    initial: Annotated[StrictInt, Field(ge=0, le=MOST)]
    increment: Annotated[StrictInt, Field(ge=0, le=MOST)] = 0


class BankClockBody(Body):
    """Time, bonus a move and upper limit, in hours."""

    time: Annotated[StrictInt, Field(ge=0, le=MOST)]
    bonus: Annotated[StrictInt, Field(ge=0, le=MOST)]
    limit: Annotated[StrictInt, Field(ge=0, le=MOST)]


class Terms(Body):
    """The terms of a game."""

    variant: Annotated[StrictStr, Field(max_length=32)]
    colour: Literal["first", "second", "random"]
    days_per_move: Annotated[StrictInt, Field(ge=1, le=14)] | None = None
    clock: LiveClockBody | BankClockBody | None = Field(
        None, description="Instead of days_per_move: live, or a bank of hours."
    )
    weekends_off: StrictBool = Field(False, description="Saturdays and Sundays (UTC) stop the clock.")
    vacation: StrictBool = Field(False, description="The players' vacations stop the clock.")
    draw_rules: Literal["official", "itsyourturn", "yourturnmyturn"] = "official"
    rated: StrictBool = False
    hidden: StrictBool = Field(False, description="Seen by its players and the staff alone.")
    min_rating: Annotated[StrictInt, Field(ge=0, le=MOST)] | None = None
    max_rating: Annotated[StrictInt, Field(ge=0, le=MOST)] | None = None
    opening: Annotated[StrictInt | StrictStr, Field(union_mode="left_to_right")] | None = Field(
        None, description='The number of a ballot, in an invitation only; else null or "random".'
    )
    games: Annotated[StrictInt, Field(ge=1, le=MOST)] = Field(
        1, description="2: both at once; more: one after another."
    )
    wins: Annotated[StrictInt, Field(ge=1, le=MOST)] | None = Field(
        None, description="Instead of games: play on until somebody has won so many."
    )
    first_move: MoveText | None = Field(
        None, description="The creator's first move, if he has the first side."
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
        )


class NewGame(Terms):
    """The terms of a game to offer in the waiting room, or to one opponent."""

    opponent: Annotated[StrictStr, Field(min_length=1, max_length=254)] | None = Field(
        None, description="A player's name, or the e-mail address of somebody who has no account."
    )
    computer: Annotated[StrictInt, Field(ge=1, le=10)] | None = Field(
        None, description="Instead of an opponent: the computer at that level. The game begins at once."
    )
    message: Annotated[StrictStr, Field(max_length=MOST_TEXT)] = Field("", description="To the opponent.")


class Message(Body):
    """A few words to the opponent."""

    message: Annotated[StrictStr, Field(max_length=MOST_TEXT)] = ""


class Filters(Schema):
    """What games to keep to; days are in UTC, both ends included."""

    variant: Annotated[str, Field(max_length=32)] | None = None
    opponent: Annotated[str, Field(max_length=32)] | None = None
    result: MyResult | None = None
    event: Annotated[str, Field(max_length=120)] | None = Field(
        None, description="the name of a ladder or tournament or a part of it, or the key of one"
    )
    since: date | None = Field(None, description="games that ended on that day or later")
    until: date | None = Field(None, description="games that ended on that day or before")

    def wanted(self) -> Wanted:
        """As the selectors take them."""
        return Wanted(**self.model_dump())


class NewMove(Body):
    """A move, the version of the game it answers, and perhaps a message."""

    move: MoveText
    version: Annotated[StrictInt, Field(ge=0, le=MOST)]
    message: Annotated[StrictStr, Field(max_length=MOST_TEXT)] = Field("", description="To the opponent.")


class PlayerOut(Schema):
    """Somebody who plays."""

    username: str


class PlayersOut(Schema):
    """Who sits where; null while a seat is free, or not drawn yet."""

    first: PlayerOut | None
    second: PlayerOut | None


class OutcomeOut(Schema):
    """How the game ended; ``result`` is ``1-0`` when the first player won, ``0-0`` when both have lost."""

    winner: SeatName | None
    termination: str
    result: Literal["1-0", "0-1", "1/2-1/2", "0-0"]


class LegalMoveOut(Schema):
    """A legal move; squares are the variant's own numbers, captures in the order taken."""

    notation: str
    path: list[int]
    captures: list[int]


class LiveClockOut(Schema):
    """Fischer's clock, in seconds."""

    initial: float
    increment: float


class BankClockOut(Schema):
    """Time, bonus a move and upper limit, in hours."""

    time: float
    bonus: float
    limit: float


class SecondsOut(Schema):
    """What each seat has left: the one on turn of his turn, the other for his next."""

    first: float
    second: float


class AwayOut(Schema):
    """The end of the vacation on which a player is now, where it stops this game's clock."""

    first: datetime | None
    second: datetime | None


class MatchScore(Schema):
    """Points: one for a win, half of one for a draw."""

    creator: float
    opponent: float


class MatchOfGame(Schema):
    """The match that a game belongs to, and which of its games this is."""

    id: str
    kind: str
    length: int
    number: int
    score: MatchScore
    over: bool


class ContestOut(Schema):
    """The ladder or tournament that a game belongs to; ``link`` is the path of its page."""

    kind: str
    key: str
    name: str
    link: str


class GameOut(Schema):
    """A game. ``version`` is the number of plies made; send it with a move."""

    id: str
    variant: str
    start: str
    moves: list[str]
    opening: int | None
    opening_plies: int
    fen: str
    turn: SeatName | None
    version: int
    status: Literal["waiting", "playing", "finished", "withdrawn", "declined", "expired"]
    outcome: OutcomeOut | None
    annulled: bool
    creator: PlayerOut
    players: PlayersOut
    first_colour: Literal["black", "white"]
    pace: Literal["days", "bank", "live"]
    days_per_move: int | None
    clock: LiveClockOut | BankClockOut | None
    weekends_off: bool
    vacation: bool
    time_left: SecondsOut
    time_stands_still: bool
    added_hours: int
    adjourned_until: datetime | None
    away_until: AwayOut
    deadline: datetime | None
    draw_rules: str
    rated: bool
    hidden: bool
    open: bool
    min_rating: int | None
    max_rating: int | None
    invited: PlayerOut | None
    match: MatchOfGame | None
    contest: ContestOut | None
    draw_offer: SeatName | None
    take_back: SeatName | None
    planned: list[int]
    claimable_draws: list[str]
    legal_moves: list[LegalMoveOut]
    adjudication_reason: str
    created_at: datetime
    started_at: datetime | None
    last_moved_at: datetime | None
    ended_at: datetime | None
    expires_at: datetime | None


class GamesPage(Schema):
    """Some games, and the cursor of the page that follows; null on the last."""

    items: list[GameOut]
    next: str | None


class VariantOut(Schema):
    """A variant that can be played here."""

    key: str
    name: str
    summary: str
    width: int
    height: int
    first_colour: Literal["black", "white"]
    opening_plies: int
    algebraic: bool
    game_type: int | None
    start: str


def game_out(shown: GameState) -> GameOut:
    """A game's state as the API shows it."""
    plain = {name: getattr(shown, name) for name in GameOut.model_fields if name in GameState.__slots__}
    plain |= {
        "variant": shown.variant.key,
        "creator": _player(shown.creator),
        "players": {"first": _player(shown.first), "second": _player(shown.second)},
        "invited": _player(shown.invited),
        "match": _match_out(shown.match),
        "contest": None if shown.contest is None else asdict(shown.contest),
        **_time_out(shown.time),
    }
    return GameOut.model_validate(plain)


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
            "opening: "
            + _('expected the number of a ballot or "random", got %(given)s') % {"given": repr(opening[:60])}
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
