"""The bodies of the games' API: what comes in, strictly, and what goes out."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field, StrictBool, StrictInt, StrictStr

from crownhead.rules.schema import Variant
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.options import GameOptions
from crownhead.server.play.state import GameState, PlayerInfo

SeatName = Literal["first", "second"]
MoveText = Annotated[StrictStr, Field(min_length=1, max_length=200)]
MOST = 2**31 - 1


class Body(Schema):
    """A body whose misspelt members are refused rather than ignored."""

    model_config = ConfigDict(extra="forbid")


class NewGame(Body):
    """The terms of a game to offer in the waiting room."""

    variant: Annotated[StrictStr, Field(max_length=32)]
    colour: Literal["first", "second", "random"]
    days_per_move: Annotated[StrictInt, Field(ge=1, le=14)] | None = None
    clock: Any = Field(None, description="Live games are not offered yet.")
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
        if self.clock is not None:
            raise Unprocessable("clock: live games are not offered yet; give days_per_move")
        if self.days_per_move is None:
            raise Unprocessable("days_per_move: expected 1 to 14, got nothing")
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
    days_per_move: int
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


def _player(player: PlayerInfo | None) -> PlayerOut | None:
    return None if player is None else PlayerOut(username=player.username)
