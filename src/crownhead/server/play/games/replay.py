"""Between the row of a game and the laws: replaying it, writing its moves, its PDN record."""

from __future__ import annotations

import random
from datetime import timedelta

from django.conf import settings
from django.utils.translation import gettext as _

import crownhead
from crownhead import VARIANTS, Colour, Outcome, Termination, Variant, pdn
from crownhead.notation.moves import write_full
from crownhead.openings import Ballot, three_move_deck
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.choices import FORFEIT
from crownhead.server.play.clocks.time_control import HOUR
from crownhead.server.play.models import Game, PaceKey, Seat, Status

SECOND = timedelta(seconds=1)
CONDITIONAL, COUNTS_FOR_NOTHING = "conditional move", "counts for nothing"


def replay_game(game: Game, *, plies: int | None = None) -> crownhead.Game:
    """The game played through the kernel, ended as the row says; or its first ``plies`` moves alone."""
    tokens = game.moves.split()[:plies]
    drawn = min(opening_plies(game), len(tokens))
    record = crownhead.Game(
        game.variant, start=game.start_fen, draw_rules=game.draw_rules, opening=tokens[:drawn]
    )
    for token in tokens[drawn:]:
        record.push(token)
    whole = plies is None or plies >= len(game.moves.split())
    if whole and game.status == Status.FINISHED and record.outcome() is None:
        _end(record, game)
    return record


def opening_plies(game: Game) -> int:
    """How many of the first moves a ballot made."""
    return 0 if game.opening is None or not game.moves else VARIANTS[game.variant].opening_plies


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
            "opening: " + _("There is no ballot %(number)s in this variant.") % {"number": number}
        )
    return ballots[0]


def draw_ballot(variant: Variant, dice: random.Random) -> Ballot | None:
    """A ballot of the deck in play, or None for a variant that begins from its array."""
    return dice.choice(three_move_deck().playable) if variant.opening_plies else None


def write_pdn(game: Game, *, plies: int | None = None) -> str:
    """The PDN record with its tags, each player under their colour; or of its first ``plies`` moves.

    When the game is over the record marks the conditional moves.
    """
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
    conditional = game.planned if game.status == Status.FINISHED else []
    if not conditional and not game.annulled:
        return record.pdn()
    (tree,) = pdn.read_trees(record.pdn())
    assert isinstance(tree, pdn.GameTree)
    tree.comments += [COUNTS_FOR_NOTHING] if game.annulled else []
    for ply in conditional:
        if ply < len(tree.line):
            tree.line[ply].comments.append(CONDITIONAL)
    return pdn.write_tree(tree)


def _end(record: crownhead.Game, game: Game) -> None:
    """End a replayed game as its row says; for the laws a game that both have lost is not over."""
    winner = None if game.winner is None else colour_of(record.variant, Seat(game.winner))
    if game.termination != FORFEIT:
        record.end(Outcome(winner, Termination(game.termination)))
    elif winner is not None:
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
