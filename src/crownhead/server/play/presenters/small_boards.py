"""Running games as small boards with their players, which a page's script moves along with the games."""

from __future__ import annotations

from dataclasses import dataclass

from crownhead import VARIANTS, Colour
from crownhead.server.play import selectors
from crownhead.server.play.choices import Seat
from crownhead.server.play.games.selectors.replay import colour_of
from crownhead.server.play.models import Game
from crownhead.server.play.presenters.board.diagrams import Diagram, bottom_of, diagram, places


@dataclass(frozen=True, slots=True)
class Opponent:
    """A player of a running game."""

    name: str
    colour: Colour
    to_move: bool


@dataclass(frozen=True, slots=True)
class SmallBoard:
    """A running game: the players above and below the board, in this order.

    ``places``: column and row of each square in the order of their numbers, for the script; ``version``: of
    the game that is shown.
    """

    id: str
    version: int
    fen: str
    players: tuple[Opponent, Opponent]
    diagram: Diagram
    places: str


def small_board(game: Game) -> SmallBoard:
    """A game with the side at the bottom that begins the variant."""
    replay = selectors.shown_replay(game)
    bottom = bottom_of(replay.variant, replay.variant.start.first)
    return SmallBoard(
        id=game.public_id,
        version=game.version,
        fen=replay.position.fen(),
        players=players_of(game, bottom),
        diagram=diagram(replay.position, bottom=bottom, detailed=True),
        places=" ".join(f"{x},{y}" for _, (x, y) in sorted(places(replay.variant, bottom).items())),
    )


def players_of(game: Game, bottom: Colour) -> tuple[Opponent, Opponent]:
    """The players of a game: first the one at the top of the board, then the one at the bottom."""
    variant = VARIANTS[game.variant]
    users = {Seat.FIRST: game.first_player, Seat.SECOND: game.second_player}
    by_colour = {
        colour_of(variant, seat): Opponent(
            "" if user is None else user.username, colour_of(variant, seat), to_move=game.turn == seat
        )
        for seat, user in users.items()
    }
    return by_colour[bottom.opponent], by_colour[bottom]
