"""Games for a large club: legal and varied, played once and then lent to many pairs of players."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from crownhead import VARIANTS, Game, Position
from crownhead.notation.moves import write_full
from crownhead.server.play.choices import Seat
from crownhead.server.play.games.selectors.replay import seat_of

LONGEST = 120  # plies
# How often each is played; those that are not named share what is left.
_SHARES = {"american": 34, "international": 16, "russian": 14, "brazilian": 8, "turkish": 4, "italian": 4}
_REST = 20


@dataclass(frozen=True, slots=True)
class Played:
    """A game as rows keep it; ``turns[n]``: who moves after n plies, with one more entry than tokens.

    ``termination`` is empty where the game could go on, and ``winner`` then None.
    """

    variant: str
    start_fen: str
    tokens: tuple[str, ...]
    turns: tuple[Seat, ...]
    winner: Seat | None
    termination: str


def play(count: int, dice: Random) -> list[Played]:
    """So many different games of random legal moves, captures and all, to their end or `LONGEST` plies."""
    keys, weights = zip(*_shares().items(), strict=True)
    games: dict[tuple[str, ...], Played] = {}
    while len(games) < count:
        (key,) = dice.choices(keys, weights)
        played = _play(key, dice)
        if len(played.tokens) >= 10:
            games[key, *played.tokens] = played
    return list(games.values())


def _shares() -> dict[str, float]:
    rest = [key for key in VARIANTS if key not in _SHARES]
    return {**_SHARES, **dict.fromkeys(rest, _REST / len(rest))}


def _play(key: str, dice: Random) -> Played:
    variant = VARIANTS[key]
    start = Position.start(variant)
    game = Game(variant, start=start)
    tokens: list[str] = []
    while len(tokens) < LONGEST and game.outcome() is None:
        move = dice.choice(game.position.legal_moves())
        tokens.append(write_full(game.position, move))
        game.push(move)
    outcome = game.outcome()
    turns = tuple(seat_of(variant, position.turn) for position in game.positions)
    winner = None if outcome is None or outcome.winner is None else seat_of(variant, outcome.winner)
    termination = "" if outcome is None else outcome.termination.value
    return Played(key, start.fen(), tuple(tokens), turns, winner, termination)
