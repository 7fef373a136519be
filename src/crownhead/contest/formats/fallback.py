"""A round without rules for colours, for the rare case that a proper one cannot be paired.

That happens only when so many rounds have been played that most have met: the field is small then.
"""

from __future__ import annotations

from collections.abc import Sequence

from crownhead.contest.dutch import Entrant, Pairs

_BUDGET = 20_000  # attempts; a field that needs more has no round left in practice


def pair_freely(entrants: Sequence[Entrant]) -> Pairs | None:
    """Neighbours by points who have not met; the last who can has the bye. None where nothing fits."""
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
    """Pairs for all, by trying the nearest first and taking back what leads nowhere."""
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
    """Who had the first side less often has it now."""
    begins = _balance(one) <= _balance(other)
    return (one.number, other.number) if begins else (other.number, one.number)


def _balance(one: Entrant) -> int:
    return sum(1 if past.first else -1 for past in one.past if past.opponent is not None)


def _byes(one: Entrant) -> int:
    return sum(past.free for past in one.past)
