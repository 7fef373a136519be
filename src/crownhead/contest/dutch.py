"""FIDE's Dutch system for one round: who meets whom, who has the first side, who has the bye.

The pairing is done by py4swiss, which follows the Handbook's C.04.3 as it stood until January 2026. What
has been in force since then differs in who gets the bye: first of all, of the players that leave a legal
pairing for the rest, one with the fewest points (C.5); and of those, as far as no pairing between score
groups gets worse, one who has missed the fewest rounds (C.9). That is done here: the engine is told that
nobody else may have the bye.

It is told by a *round nought*, which everybody has besides what has really happened. It is worth half a win
to each, so no order and no threshold changes; but whoever may not have the bye seems to have won it without
a game.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

Pairs = list[tuple[int, int | None]]  # numbers: who has the first side, and the other; None: the bye


@dataclass(frozen=True, slots=True)
class Past:
    """One round of one player. ``points`` are half points; ``opponent`` is None where he did not play.

    ``free``: he had all the points without a game, by a bye or because his opponent did not come.
    """

    opponent: int | None
    first: bool
    points: int
    free: bool = False


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player with his pairing number and one ``Past`` for each round. ``here``: he is to be paired now."""

    number: int
    past: tuple[Past, ...] = ()
    here: bool = True

    @property
    def points(self) -> int:
        """Half points so far."""
        return sum(one.points for one in self.past)

    @property
    def missed(self) -> int:
        """Rounds in which he has not played."""
        return sum(one.opponent is None for one in self.past)


def pair(entrants: Sequence[Entrant], *, rounds: int, top_first: bool = True, games: int = 1) -> Pairs | None:
    """The next of ``rounds`` rounds; None where it cannot be paired.

    ``entrants`` are numbered 1, 2, …, the strongest first; ``top_first``: the first of them begins with the
    first side. ``games`` of a pairing: a win of it is worth ``2 * games`` half points.
    """
    engine = _Engine(entrants, rounds, top_first, games)
    here = [entrant for entrant in entrants if entrant.here]
    if len(here) % 2 == 0:
        return engine.paired(())
    free = [one for one in here if not any(past.free for past in one.past)]
    for points in sorted({one.points for one in free}):
        found = engine.paired({one.number for one in free if one.points == points})
        if found is not None:
            return _fewest_missed(engine, [one for one in free if one.points == points], found)
    return None


def _fewest_missed(engine: _Engine, free: Sequence[Entrant], found: Pairs) -> Pairs:
    """The same round with a bye for somebody who has missed less, if the score groups allow it."""
    missed = {one.number: one.missed for one in free}
    taken = next(missed[first] for first, second in found if second is None)
    for most in sorted({count for count in missed.values() if count < taken}):
        other = engine.paired({number for number, count in missed.items() if count <= most})
        if other is not None and engine.groups(other) == engine.groups(found):
            return other
    return found


class _Engine:
    """py4swiss with the players of a round. It counts tenths of a point and knows results by signs."""

    def __init__(self, entrants: Sequence[Entrant], rounds: int, top_first: bool, games: int) -> None:
        self._entrants = entrants
        self._rounds = rounds
        self._top_first = top_first
        self._win = 10 * games
        self._points = {one.number: one.points for one in entrants}

    def paired(self, free: Collection[int]) -> Pairs | None:
        """The round, if the bye may go to one of these alone."""
        from py4swiss.engines import DutchEngine
        from py4swiss.engines.common import PairingError
        from py4swiss.trf import ParsedTrf
        from py4swiss.trf.sections import XSection
        from py4swiss.trf.sections.x_section import XSectionConfiguration

        scale = self._scale()
        settings = XSection(
            number_of_rounds=self._rounds + 1,
            zeroed_ids={one.number for one in self._entrants if not one.here},
            scoring_point_system=scale,
            configuration=XSectionConfiguration(first_round_color=self._top_first),
        )
        players = [self._player(one, one.number in free) for one in self._entrants]
        try:
            found = DutchEngine.generate_pairings(ParsedTrf(player_sections=players, x_section=settings))
        except PairingError:
            return None
        return [(one.white, one.black or None) for one in found]

    def groups(self, pairs: Pairs) -> list[tuple[int, int]]:
        """Which points meet which, the most first."""
        points = self._points
        met = [(points[first], points[second]) for first, second in pairs if second is not None]
        return sorted(((max(two), min(two)) for two in met), reverse=True)

    def _player(self, entrant: Entrant, free: bool) -> Any:
        from py4swiss.trf.codes import PlayerCode
        from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
        from py4swiss.trf.sections import PlayerSection

        none = ColorToken.BYE_OR_NOT_PAIRED
        nought = ResultToken.HALF_POINT_BYE if free else ResultToken.FORFEIT_WIN
        results = [RoundResult(id=0, color=none, result=nought)]
        for past in entrant.past:
            if past.opponent is None:
                sign, colour = self._unplayed(past)
                results.append(RoundResult(id=0, color=colour, result=sign))
            else:
                colour = ColorToken.WHITE if past.first else ColorToken.BLACK
                results.append(RoundResult(id=past.opponent, color=colour, result=self._met(past.points)))
        return PlayerSection(
            code=PlayerCode.PLAYER,
            starting_number=entrant.number,
            points_times_ten=5 * entrant.points + self._win // 2,
            rank=entrant.number,
            results=results,
        )

    def _met(self, points: int) -> Any:
        """The sign of a meeting with so many half points."""
        from py4swiss.trf.results import ResultToken as Sign

        signs = {0: Sign.LOSS, self._win // 2: Sign.DRAW, self._win: Sign.WIN}
        return signs.get(5 * points, Sign.LOSS_NOT_RATED if 10 * points < self._win else Sign.WIN_NOT_RATED)

    def _unplayed(self, past: Past) -> tuple[Any, Any]:
        """The sign and the colour that stand for points without a meeting."""
        from py4swiss.trf.results import ColorToken
        from py4swiss.trf.results import ResultToken as Sign

        none = ColorToken.BYE_OR_NOT_PAIRED
        if past.free:
            return Sign.PAIRING_ALLOCATED_BYE, none
        signs = {
            0: (Sign.ZERO_POINT_BYE, none),
            self._win // 2: (Sign.HALF_POINT_BYE, none),
            self._win: (Sign.FULL_POINT_BYE, none),
        }
        odd = ColorToken.WHITE if 10 * past.points < self._win else ColorToken.BLACK
        return signs.get(5 * past.points, (Sign.FORFEIT_LOSS, odd))

    def _scale(self) -> Any:
        """What each sign is worth, in tenths; round nought is a forfeit without a colour."""
        from py4swiss.trf.results import ColorToken, ScoringPointSystem
        from py4swiss.trf.results import ResultToken as Sign

        win, none = self._win, ColorToken.BYE_OR_NOT_PAIRED
        worth = {
            (Sign.FORFEIT_WIN, none): win // 2,
            (Sign.PAIRING_ALLOCATED_BYE, none): win,
            (Sign.FULL_POINT_BYE, none): win,
            (Sign.HALF_POINT_BYE, none): win // 2,
            (Sign.ZERO_POINT_BYE, none): 0,
            (Sign.FORFEIT_LOSS, ColorToken.WHITE): win // 4,
            (Sign.FORFEIT_LOSS, ColorToken.BLACK): 3 * win // 4,
        }
        for colour in (ColorToken.WHITE, ColorToken.BLACK):
            worth |= {
                (Sign.WIN, colour): win,
                (Sign.WIN_NOT_RATED, colour): 3 * win // 4,
                (Sign.DRAW, colour): win // 2,
                (Sign.LOSS_NOT_RATED, colour): win // 4,
                (Sign.LOSS, colour): 0,
            }
        return ScoringPointSystem(score_dict=worth)
