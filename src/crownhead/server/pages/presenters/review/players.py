"""How the two sides of a reviewed game played: their accuracy, also by phase, and their mistakes."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from django.utils.translation import ngettext

import crownhead
from crownhead.server.analysis.reviews.selectors import judgement
from crownhead.server.analysis.reviews.selectors.judgement import Grade, JudgedMove
from crownhead.server.pages.presenters.review.phases import Phase, phases
from crownhead.server.play.presenters.board.words import side
from crownhead.server.play.selectors import Game


@dataclass(frozen=True, slots=True)
class PhaseAccuracy:
    """How one side played a phase, in per cent; None: it made no move there."""

    label: str
    accuracy: int | None


@dataclass(frozen=True, slots=True)
class Player:
    """How one side played."""

    name: str
    side: str
    accuracy: int  # per cent
    counts: tuple[str, ...]  # of inaccuracies, mistakes and blunders
    phases: tuple[PhaseAccuracy, ...]


def players(
    game: Game, replay: crownhead.Game, judged: Sequence[JudgedMove], *, known: Container[int]
) -> tuple[Player, ...]:
    """Both sides, the first player first, by the moves between ``known`` plies; none of whom no move is."""
    if not judged:
        return ()
    when = phases(replay.positions)
    each = enumerate(zip(judged, replay.positions, when, strict=False))
    made = [row for ply, row in each if ply in known and ply + 1 in known]
    present = [phase for phase in Phase if any(then is phase for _move, _before, then in made)]
    found = []
    for name, called, colour in names(game, replay):
        own = [(move, phase) for move, before, phase in made if before.turn is colour]
        by_phase = (
            PhaseAccuracy(phase.label, _accuracy([move for move, then in own if then is phase]))
            for phase in present
        )
        moves = [move for move, _then in own]
        accuracy = _accuracy(moves)
        if accuracy is not None:
            found.append(Player(name, called, accuracy, _counts(moves), tuple(by_phase)))
    return tuple(found)


def names(game: Game, replay: crownhead.Game) -> list[tuple[str, str, crownhead.Colour]]:
    """Who played which side: name, what the side is called, and its colour."""
    first = replay.variant.start.first
    both = ((game.first_player, first), (game.second_player, first.opponent))
    return [
        (player.username if player else "?", side(colour, replay.variant), colour) for player, colour in both
    ]


def _accuracy(moves: Sequence[JudgedMove]) -> int | None:
    return round(100 * judgement.accuracy(moves)) if moves else None


def _counts(moves: Sequence[JudgedMove]) -> tuple[str, ...]:
    number = {grade: sum(move.grade is grade for move in moves) for grade in Grade}
    texts = (
        (
            Grade.INACCURACY,
            ngettext("%(count)s inaccuracy", "%(count)s inaccuracies", number[Grade.INACCURACY]),
        ),
        (Grade.MISTAKE, ngettext("%(count)s mistake", "%(count)s mistakes", number[Grade.MISTAKE])),
        (Grade.BLUNDER, ngettext("%(count)s blunder", "%(count)s blunders", number[Grade.BLUNDER])),
    )
    return tuple(text % {"count": number[grade]} for grade, text in texts)
