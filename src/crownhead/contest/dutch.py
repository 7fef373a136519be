"""FIDE's Dutch system for one round: pairings, sides and the bye.

The hard part, finding the best pairing of a score group, is done by py4swiss, which follows the Handbook's
C.04.3 as it was until January 2026. The rules in force since then differ in who gets the bye: first of all,
among the players that leave a legal pairing for the rest, one with the fewest points (C.5); and among those,
as long as no pairing between score groups gets worse, one who has missed the fewest rounds (C.9). Also, a
round without a game and without a point is not a float. The engine is given the players so that it follows
these rules.

One difference remains: if the last score groups cannot be paired by themselves, the engine merges them and
does not look ahead from the group before. This happens only in small fields when most players have met: about
two late rounds in a hundred with 7 to 21 players come out differently, still legal and about as good.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

Pairs = list[tuple[int, int | None]]  # numbers: first side, second side; None: a bye


@dataclass(frozen=True, slots=True)
class PastRound:
    """One past round of a player; ``points`` are half points, ``opponent`` is None if they did not play.

    ``free``: full points without a game, through a bye or because the opponent did not turn up.
    """

    opponent: int | None
    first: bool
    points: int
    free: bool = False


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player: pairing number, one ``PastRound`` per round, and whether to pair them now (``here``)."""

    number: int
    past: tuple[PastRound, ...] = ()
    here: bool = True

    @property
    def points(self) -> int:
        """Half points scored so far."""
        return self.points_after(len(self.past))

    @property
    def missed(self) -> int:
        """Number of rounds without a game."""
        return sum(one.opponent is None for one in self.past)

    @property
    def had_bye(self) -> bool:
        """Whether the player has had full points without a game in some round."""
        return any(one.free for one in self.past)

    def points_after(self, rounds: int) -> int:
        """Return the half points after the given number of rounds."""
        return sum(one.points for one in self.past[:rounds])


def pair(entrants: Sequence[Entrant], *, rounds: int, top_first: bool = True, games: int = 1) -> Pairs | None:
    """Pair the next of ``rounds`` rounds, leaders first; return None if that is impossible.

    ``entrants`` are numbered 1, 2, …, strongest first, and have the same number of past rounds.
    ``top_first``: number 1 starts with the first side. ``games`` per pairing: winning it is worth ``2 *
    games`` half points.
    """
    engine = _Engine(entrants, rounds, top_first, games)
    here = [entrant for entrant in entrants if entrant.here]
    if len(here) % 2 == 0:
        return engine.paired(())
    free = [one for one in here if not one.had_bye]
    for points in sorted({one.points for one in free}):
        lowest = [one for one in free if one.points == points]
        found = engine.paired({one.number for one in lowest})
        if found is not None:
            return _fewest_missed(engine, lowest, found)
    return None


def _fewest_missed(engine: _Engine, lowest: Sequence[Entrant], found: Pairs) -> Pairs:
    """Give the bye to a player who has missed fewer rounds, if the score groups stay the same."""
    missed = {one.number: one.missed for one in lowest}
    taken = next(missed[first] for first, second in found if second is None)
    for most in sorted({count for count in missed.values() if count < taken}):
        other = engine.paired({number for number, count in missed.items() if count <= most})
        if other is not None and engine.groups(other) == engine.groups(found):
            return other
    return found


class _Engine:
    """Adapter to py4swiss, in which White is the first side and points are counted in tenths."""

    def __init__(self, entrants: Sequence[Entrant], rounds: int, top_first: bool, games: int) -> None:
        self._by_number = {one.number: one for one in entrants}
        self._here = [one for one in entrants if one.here]
        self._played = max((len(one.past) for one in entrants), default=0)
        self._top_first = top_first
        self._half = games * self._played  # half of the possible half points
        self._last = self._played == rounds - 1

    def paired(self, free: Collection[int]) -> Pairs | None:
        """Pair the round with the bye restricted to these players; None if impossible."""
        from py4swiss.engines.dutch.bracket import BracketPairer, Brackets
        from py4swiss.engines.dutch.validity_matcher import ValidityMatcher

        players = sorted((self._player(one, one.number in free) for one in self._here), reverse=True)
        matcher = ValidityMatcher(players, set())
        if not matcher.is_valid_matching():
            return None
        brackets, pairs = Brackets(players, self._played + 1), []
        while not brackets.is_finished():
            pairer = BracketPairer(brackets.get_current_bracket(), matcher, self._top_first)
            _search(pairer)
            if pairer.check_completion_criterium():
                found = pairer.get_player_pairs()
                brackets.apply_bracket_pairings(found)
                pairs += [(first.id, None if first == second else second.id) for first, second in found]
            else:
                brackets.collapse()
        return sorted(pairs, key=self._order)

    def groups(self, pairs: Pairs) -> list[tuple[int, int]]:
        """Return the pairs of scores that meet, highest first."""
        met = [self._points(two) for two in pairs if two[1] is not None]
        return sorted(((max(two), min(two)) for two in met), reverse=True)

    def _points(self, two: tuple[int, int | None]) -> tuple[int, int]:
        first, second = two
        return self._by_number[first].points, -1 if second is None else self._by_number[second].points

    def _order(self, two: tuple[int, int | None]) -> tuple[bool, int, int, int]:
        """Sort key for tables: leaders first, the bye last."""
        ours, theirs = self._points(two)
        best = min((-self._by_number[number].points, number) for number in two if number is not None)
        return two[1] is None, -max(ours, theirs), -min(ours, theirs), best[1]

    def _player(self, one: Entrant, free: bool) -> Any:
        from py4swiss.engines.dutch.player import Player

        sides = [past.first for past in one.past if past.opponent is not None]
        difference = 2 * sum(sides) - len(sides)
        twice = len(sides) > 1 and sides[-1] == sides[-2]
        return Player(
            id=one.number,
            number=one.number,
            points=5 * one.points,
            points_with_acceleration=5 * one.points,
            color_preference=_preference(sides, difference, twice),
            color_difference=difference,
            color_double=twice,
            float_1=self._float(one, self._played - 1),
            float_2=self._float(one, self._played - 2),
            opponents={past.opponent for past in one.past if past.opponent is not None},
            colors=sides,
            bye_received=not free,
            top_scorer=self._last and one.points > self._half,
        )

    def _float(self, one: Entrant, index: int) -> Any:
        """Return the float: down if the opponent had fewer points or none was needed, up if more."""
        from py4swiss.engines.common import Float

        if index < 0:
            return Float.NONE
        past = one.past[index]
        if past.opponent is None:
            return Float.DOWN if past.points else Float.NONE
        ours, theirs = one.points_after(index), self._by_number[past.opponent].points_after(index)
        return Float.DOWN if ours > theirs else Float.UP if ours < theirs else Float.NONE


def _search(pairer: Any) -> None:
    """Run the engine's steps for pairing a bracket, in order."""
    pairer.determine_heterogeneous_s1()
    pairer.determine_heterogeneous_s2()
    pairer.determine_homogeneous_exchanges()
    pairer.determine_moves_from_s1_to_s2()
    pairer.determine_moves_from_s2_to_s1()
    pairer.perform_homogeneous_exchanges()
    pairer.transpose_homogeneous_s2()


def _preference(sides: Sequence[bool], difference: int, twice: bool) -> Any:
    """Return the preferred side and its strength (C.04.3, article 1.6)."""
    from py4swiss.engines.common import ColorPreference, ColorPreferenceSide, ColorPreferenceStrength

    if not sides:
        return ColorPreference(side=ColorPreferenceSide.NONE, strength=ColorPreferenceStrength.NONE)
    white = not sides[-1] if twice or not difference else difference < 0
    strength = ColorPreferenceStrength.MILD
    if twice or abs(difference) > 1:
        strength = ColorPreferenceStrength.ABSOLUTE
    elif difference:
        strength = ColorPreferenceStrength.STRONG
    side = ColorPreferenceSide.WHITE if white else ColorPreferenceSide.BLACK
    return ColorPreference(side=side, strength=strength)
