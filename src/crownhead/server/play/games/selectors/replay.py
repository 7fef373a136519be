"""Between the row of a game and the laws: replaying it, writing its moves, its PDN record."""

from __future__ import annotations

import random
from contextlib import suppress
from datetime import timedelta
from functools import lru_cache

from django.conf import settings
from django.utils.translation import gettext as _

import crownhead
from crownhead import VARIANTS, Colour, Outcome, Position, Termination, Variant, pdn
from crownhead.notation.moves import play_through, write_full
from crownhead.openings import Ballot, three_move_deck
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.choices import ABANDONED, ABORTED, FORFEIT, LENGTH, TOO_MANY_MOVES
from crownhead.server.play.clocks.time_control import HOUR
from crownhead.server.play.models import Game, PaceKey, Seat, Status

SECOND = timedelta(seconds=1)
_DRAWN_BY_CLUB = {LENGTH, TOO_MANY_MOVES}
_UNKNOWN_TO_LAWS = {FORFEIT, ABORTED, ABANDONED, *_DRAWN_BY_CLUB}
MAX_KEPT = 512  # games that a process has replayed to show them
LONGEST_KEPT = 300  # plies: of longer ones few would fill its memory, and they are soon replayed again
CONDITIONAL, COUNTS_FOR_NOTHING = "conditional move", "counts for nothing"
UNWRITTEN = "This game has too many captures to be replayed here. Its moves as the club stores them:"


def replay_game(game: Game, *, plies: int | None = None) -> crownhead.Game:
    """The game played through the kernel, ended as the row says; or its first ``plies`` moves alone."""
    every = game.moves.split()
    tokens = every[:plies]
    record = _opened(game, tokens)
    record.extend(*play_through(record.position, " ".join(tokens[record.opening_plies :])))
    if len(tokens) == len(every):
        _end_as(record, game)
    return record


def replay_strictly(game: Game) -> crownhead.Game:
    """Play the game move by move; raises ``IllegalMove`` as well where it was over before a move."""
    tokens = game.moves.split()
    record = _opened(game, tokens)
    for token in tokens[record.opening_plies :]:
        record.push(token)
    _end_as(record, game)
    return record


def shown_replay(game: Game) -> crownhead.Game:
    """The game played through, kept for the next reader: only to look at."""
    found = _kept.get(_key(game))
    if found is None:
        found = replay_game(game)
        keep_replay(game, found)
    return found


def replay_to_play(game: Game) -> crownhead.Game:
    """The game played through, to go on from; it begins with what was kept of the last move."""
    found = _kept.get(_key(game))
    return replay_game(game) if found is None else found.copy()


def keep_replay(game: Game, record: crownhead.Game) -> None:
    """Keep a game that nobody goes on with, as its row is now, unless it is very long."""
    if len(record.moves) > LONGEST_KEPT:
        return
    _kept[_key(game)] = record
    while len(_kept) > MAX_KEPT:
        with suppress(KeyError, StopIteration, RuntimeError):  # another thread was quicker
            del _kept[next(iter(_kept))]


def _key(game: Game) -> tuple[object, ...]:
    """All that a replay depends on."""
    ended = (game.winner, game.termination) if game.status == Status.FINISHED else None
    return game.variant, game.start_fen, game.draw_rules, game.opening, game.moves, ended


_MIN_MOVES = 2  # of each side, without which a game that ends off the board counts for nothing
_kept: dict[tuple[object, ...], crownhead.Game] = {}
_array = lru_cache(maxsize=64)(Position.start)


def opening_plies(game: Game) -> int:
    """How many of the first moves a ballot made."""
    return 0 if game.opening is None or not game.moves else VARIANTS[game.variant].opening_plies


def began_elsewhere(record: crownhead.Game) -> bool:
    """Whether a game began from a position of the players' own, from which it may come to any board."""
    return record.positions[0] != _array(record.variant)


def own_plies(game: Game) -> int:
    """How many moves the two players have made, beyond those of a ballot."""
    return len(game.moves.split()) - opening_plies(game)


def lacks_moves(game: Game) -> bool:
    """Not each side has made two moves of its own."""
    return own_plies(game) < 2 * _MIN_MOVES


def full_tokens(record: crownhead.Game) -> str:
    """The moves of a game as its row keeps them, each with its whole path."""
    played = zip(record.positions, record.moves, strict=False)
    return " ".join(write_full(position, move) for position, move in played)


def with_last_token(moves: str, record: crownhead.Game) -> str:
    """The moves of a row with the one appended that the game made last."""
    return f"{moves} {write_full(record.position, record.moves[-1])}".lstrip()


def seat_of(variant: Variant, colour: Colour) -> Seat:
    """The seat of the player with that colour."""
    return Seat.FIRST if colour is variant.start.first else Seat.SECOND


def colour_of(variant: Variant, seat: Seat) -> Colour:
    """The colour of the player on that seat."""
    first = variant.start.first
    return first if seat is Seat.FIRST else first.opponent


def ballot_of(number: int) -> Ballot:
    """A ballot of the deck in play by its number; raises ``Unprocessable``."""
    ballots = [ballot for ballot in three_move_deck().playable if ballot.number == number]
    if not ballots:
        raise Unprocessable(
            _("There is no ballot %(number)s in this variant.") % {"number": number}, field="opening"
        )
    return ballots[0]


def draw_ballot(variant: Variant, dice: random.Random) -> Ballot | None:
    """A ballot of the deck in play, or None for a variant that begins from its array."""
    return dice.choice(three_move_deck().playable) if variant.opening_plies else None


def write_pdn(game: Game, *, plies: int | None = None) -> str:
    """The PDN record with its tags, each player under their colour; or of its first ``plies`` moves.

    When the game is over the record marks the conditional moves.
    """
    record = _tagged(game, plies)
    conditional = game.planned if game.status == Status.FINISHED else []
    if not conditional and not game.annulled:
        return record.pdn()
    tree = _tree(record)
    tree.comments += [COUNTS_FOR_NOTHING] if game.annulled else []
    for ply in conditional:
        if ply < len(tree.line):
            tree.line[ply].comments.append(CONDITIONAL)
    return pdn.write_tree(tree)


def write_pdn_unreplayed(game: Game) -> str:
    """The record of a game whose captures are beyond a budget: with its tags, and its moves in a comment."""
    record = _tagged(game, 0)
    _end_as(record, game)
    tree = _tree(record)
    tree.comments += [COUNTS_FOR_NOTHING] if game.annulled else []
    tree.comments.append(f"{UNWRITTEN} {game.moves}")
    return pdn.write_tree(tree)


def _tree(record: crownhead.Game) -> pdn.GameTree:
    (tree,) = pdn.read_trees(record.pdn())
    assert isinstance(tree, pdn.GameTree)
    return tree


def _tagged(game: Game, plies: int | None) -> crownhead.Game:
    """The game, or its first moves, with the tags of its record."""
    record = replay_game(game, plies=plies)
    players = {Seat.FIRST: game.first_player, Seat.SECOND: game.second_player}
    black, white = (
        "?" if (player := players[seat_of(record.variant, colour)]) is None else player.username
        for colour in (Colour.BLACK, Colour.WHITE)
    )
    record.tags |= {
        "Event": game.contest_name or f"{record.variant.name}, {_pace(game)}",
        "Site": settings.CLUB_NAME,
        "Date": (game.started_at or game.created_at).strftime("%Y.%m.%d"),
        "Black": black,
        "White": white,
    }
    return record


def _opened(game: Game, tokens: list[str]) -> crownhead.Game:
    """The game with those of the moves that a ballot made."""
    drawn = min(opening_plies(game), len(tokens))
    return crownhead.Game(
        game.variant, start=game.start_fen, draw_rules=game.draw_rules, opening=tokens[:drawn]
    )


def _end_as(record: crownhead.Game, game: Game) -> None:
    """End a replayed game as its row says; for the laws one that both lost, or was aborted, is not over."""
    if game.status != Status.FINISHED or record.outcome() is not None:
        return
    winner = None if game.winner is None else colour_of(record.variant, Seat(game.winner))
    if game.termination not in _UNKNOWN_TO_LAWS:
        record.end(Outcome(winner, Termination(game.termination)))
    elif winner is not None or game.termination in _DRAWN_BY_CLUB:
        record.end(Outcome(winner, Termination.ADJUDICATION))


def _pace(game: Game) -> str:
    """The time control in words."""
    if game.pace == PaceKey.DAYS:
        return f"{game.days_per_move} days per move"
    assert game.clock_initial is not None
    assert game.clock_bonus is not None
    if game.pace == PaceKey.LIVE:
        return f"{game.clock_initial // SECOND} + {game.clock_bonus // SECOND} seconds"
    return f"{game.clock_initial // HOUR} + {game.clock_bonus // HOUR} hours"
