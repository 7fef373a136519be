"""FIDE's Dutch system for one round: who meets whom, who has the first side, who has the bye.

The hard part, to find the best pairing of a score group, is done by py4swiss, which follows the Handbook's
C.04.3 as it stood until January 2026. What has been in force since then differs in who gets the bye: first
of all, of the players that leave a legal pairing for the rest, one with the fewest points (C.5); and of
those, as far as no pairing between score groups gets worse, one who has missed the fewest rounds (C.9). And
a round without a game and without a point is no float. All that is said to the engine when it is told of
the players.

One thing is left as it was: where the last score groups cannot be paired by themselves, the engine joins
them, and does not look ahead from the group before. That is seen only in small fields when most have met:
some two late rounds in a hundred of 7 to 21 players come out otherwise, as legal and about as good.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

Pairs = list[tuple[int, int | None]]  # numbers: who has the first side, and the other; None: the bye


@dataclass(frozen=True, slots=True)
class PastRound:
    """One round of one player. ``points`` are half points; ``opponent`` is None where he did not play.

    ``free``: he had all the points without a game, by a bye or because his opponent did not come.
    """

    opponent: int | None
    first: bool
    points: int
    free: bool = False


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player with his pairing number and one ``PastRound`` for each round. ``here``: he is to be paired now."""

    number: int
    past: tuple[PastRound, ...] = ()
    here: bool = True

    @property
    def points(self) -> int:
        """Half points so far."""
        return self.points_after(len(self.past))

    @property
    def missed(self) -> int:
        """Rounds in which he has not played."""
        return sum(one.opponent is None for one in self.past)

    @property
    def had_bye(self) -> bool:
        """Whether he has had all the points of a round without a game."""
        return any(one.free for one in self.past)

    def points_after(self, rounds: int) -> int:
        """Half points after so many rounds."""
        return sum(one.points for one in self.past[:rounds])


def pair(entrants: Sequence[Entrant], *, rounds: int, top_first: bool = True, games: int = 1) -> Pairs | None:
    """The next of ``rounds`` rounds, the leaders first; None where it cannot be paired.

    ``entrants`` are numbered 1, 2, …, the strongest first, and have all as many rounds; ``top_first``: the
    first of them begins with the first side. ``games`` of a pairing: a win of it is worth ``2 * games``.
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
    """The same round with a bye for somebody who has missed less, if the score groups allow it."""
    missed = {one.number: one.missed for one in lowest}
    taken = next(missed[first] for first, second in found if second is None)
    for most in sorted({count for count in missed.values() if count < taken}):
        other = engine.paired({number for number, count in missed.items() if count <= most})
        if other is not None and engine.groups(other) == engine.groups(found):
            return other
    return found


class _Engine:
    """py4swiss with the players of a round. White is the first side; it counts tenths of a point."""

    def __init__(self, entrants: Sequence[Entrant], rounds: int, top_first: bool, games: int) -> None:
        self._by_number = {one.number: one for one in entrants}
        self._here = [one for one in entrants if one.here]
        self._played = max((len(one.past) for one in entrants), default=0)
        self._top_first = top_first
        self._half = games * self._played  # of the half points there have been
        self._last = self._played == rounds - 1

    def paired(self, free: Collection[int]) -> Pairs | None:
        """The round, if the bye may go to one of these alone."""
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
        """Which points meet which, the most first."""
        met = [self._points(two) for two in pairs if two[1] is not None]
        return sorted(((max(two), min(two)) for two in met), reverse=True)

    def _points(self, two: tuple[int, int | None]) -> tuple[int, int]:
        first, second = two
        return self._by_number[first].points, -1 if second is None else self._by_number[second].points

    def _order(self, two: tuple[int, int | None]) -> tuple[bool, int, int, int]:
        """Tables: the leaders first, the bye at the end."""
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
        """Whether he met somebody with fewer points (down) or more (up); points without a game are down."""
        from py4swiss.engines.common import Float

        if index < 0:
            return Float.NONE
        past = one.past[index]
        if past.opponent is None:
            return Float.DOWN if past.points else Float.NONE
        ours, theirs = one.points_after(index), self._by_number[past.opponent].points_after(index)
        return Float.DOWN if ours > theirs else Float.UP if ours < theirs else Float.NONE


def _search(pairer: Any) -> None:
    """The steps by which the engine finds the pairs of a bracket, in its order."""
    pairer.determine_heterogeneous_s1()
    pairer.determine_heterogeneous_s2()
    pairer.determine_homogeneous_exchanges()
    pairer.determine_moves_from_s1_to_s2()
    pairer.determine_moves_from_s2_to_s1()
    pairer.perform_homogeneous_exchanges()
    pairer.transpose_homogeneous_s2()


def _preference(sides: Sequence[bool], difference: int, twice: bool) -> Any:
    """Which side he should have next, and how much that matters (C.04.3, article 1.6)."""
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
