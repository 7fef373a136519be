"""Pairing a Swiss round without colour rules, for the rare case that the Dutch system finds no pairing.

This happens only when most players have already met, so the field is small.
"""

from __future__ import annotations

from collections.abc import Sequence

from crownhead.contest.dutch import Entrant, Pairs

_BUDGET = 20_000  # attempts; a field that needs more has no possible round in practice


def pair_freely(entrants: Sequence[Entrant]) -> Pairs | None:
    """Pair neighbours by score who have not met, with the bye as low as possible; None if impossible."""
    here = sorted((one for one in entrants if one.here), key=lambda one: (-one.points, one.number))
    met = {one.number: {past.opponent for past in one.past} for one in here}
    if len(here) % 2 == 0:
        return _search(here, met)
    for left in sorted(here, key=lambda one: (_byes(one), one.points, -one.number)):
        found = _search([one for one in here if one is not left], met)
        if found is not None:
            return [*found, (left.number, None)]
    return None


def _search(here: Sequence[Entrant], met: dict[int, set[int | None]]) -> Pairs | None:
    """Find pairs for everybody by backtracking, trying the nearest opponents first."""
    left = _BUDGET

    def fill(free: tuple[Entrant, ...]) -> Pairs | None:
        nonlocal left
        if not free:
            return []
        one, rest = free[0], free[1:]
        for index, other in enumerate(rest):
            left -= 1
            if left > 0 and other.number not in met[one.number]:
                found = fill(rest[:index] + rest[index + 1 :])
                if found is not None:
                    return [_sides(one, other), *found]
        return None

    return fill(tuple(here))


def _sides(one: Entrant, other: Entrant) -> tuple[int, int]:
    """Give the first side to the player who has had it less often."""
    begins = _balance(one) <= _balance(other)
    return (one.number, other.number) if begins else (other.number, one.number)


def _balance(one: Entrant) -> int:
    return sum(1 if past.first else -1 for past in one.past if past.opponent is not None)


def _byes(one: Entrant) -> int:
    return sum(past.free for past in one.past)
