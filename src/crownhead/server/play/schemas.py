"""The bodies of the games' API: what comes in, strictly, and what goes out."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field, StrictBool, StrictInt, StrictStr

from crownhead.rules.schema import Variant
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.clocks import HOUR, Pace, TimeControl
from crownhead.server.play.options import BankClock, GameOptions, LiveClock
from crownhead.server.play.state import GameState, PlayerInfo, TimeInfo

SeatName = Literal["first", "second"]
MoveText = Annotated[StrictStr, Field(min_length=1, max_length=200)]
MOST = 2**31 - 1


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


class NewGame(Body):
    """The terms of a game to offer in the waiting room."""

    variant: Annotated[StrictStr, Field(max_length=32)]
    colour: Literal["first", "second", "random"]
    days_per_move: Annotated[StrictInt, Field(ge=1, le=14)] | None = None
    clock: LiveClockBody | BankClockBody | None = Field(
        None, description="Instead of days_per_move: live, or a bank of hours."
    )
    weekends_off: StrictBool = Field(False, description="Saturdays and Sundays (UTC) stop the clock.")
    vacation: StrictBool = Field(False, description="The players' vacations stop the clock.")
    draw_rules: Literal["official", "itsyourturn", "yourturnmyturn"] = "official"
    opening: Annotated[StrictStr, Field(max_length=32)] | None = Field(
        None, description='A ballot cannot be chosen in the waiting room: null or "random".'
    )
    rated: StrictBool = Field(False, description="Rated games are not offered yet.")
    opponent: Annotated[StrictStr, Field(max_length=64)] | None = Field(
        None, description="Invitations are not offered yet."
    )
    games: Annotated[StrictInt, Field(ge=1, le=MOST)] = Field(1, description="Matches are not offered yet.")
    first_move: MoveText | None = Field(
        None, description="The creator's first move, if he has the first side."
    )

    def options(self) -> GameOptions:
        """The terms as the service takes them; raises ``Unprocessable`` for what is not offered."""
        if self.opening not in (None, "random"):
            raise Unprocessable("opening: it cannot be chosen in the waiting room; leave it out")
        if self.rated:
            raise Unprocessable("rated: rated games are not offered yet; give false")
        if self.opponent is not None:
            raise Unprocessable("opponent: invitations are not offered yet; leave it out")
        if self.games != 1:
            raise Unprocessable("games: matches are not offered yet; give 1")
        return GameOptions(
            variant=self.variant,
            colour=self.colour,
            days_per_move=self.days_per_move,
            clock=_clock(self.clock),
            weekends_off=self.weekends_off,
            vacation=self.vacation,
            draw_rules=self.draw_rules,
            first_move=self.first_move,
        )


class NewMove(Body):
    """A move, and the version of the game it answers."""

    move: MoveText
    version: Annotated[StrictInt, Field(ge=0, le=MOST)]


class PlayerOut(Schema):
    """Somebody who plays."""

    username: str


class PlayersOut(Schema):
    """Who sits where; null while a seat is free, or not drawn yet."""

    first: PlayerOut | None
    second: PlayerOut | None


class OutcomeOut(Schema):
    """How the game ended; ``result`` is ``1-0`` when the first player won."""

    winner: SeatName | None
    termination: str
    result: Literal["1-0", "0-1", "1/2-1/2"]


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
    status: Literal["waiting", "playing", "finished", "withdrawn", "expired"]
    outcome: OutcomeOut | None
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
    away_until: AwayOut
    deadline: datetime | None
    draw_rules: str
    draw_offer: SeatName | None
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
