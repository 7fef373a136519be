"""Mark Glickman's Glicko-2 ratings, updated after every game.

The formulas and the worked example are from Glickman, "Example of the Glicko-2 system" (2013 and
later); comments give the names of its steps. In that paper a rating changes once per period, using all games
of the period. Here each game is its own period, while the deviation grows by the
fraction of a period that has actually passed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log, pi, sqrt

from crownhead.contest.errors import ContestError

SCALE = 173.7178  # one unit of Glicko-2 in points of a rating
BEGINNING = 1500.0
MAX_DEVIATION = 350.0  # the deviation of a new player
MIN_DEVIATION = 45.0  # keeps ratings moving; applied after single games only
PROVISIONAL = 110.0  # above this a rating is provisional
TAU = 0.5  # how readily volatility changes
PERIOD_DAYS = 4.67  # so that a well-known rating (60) is provisional after a year without a game
_CLOSE = 0.000001


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength, how uncertain it is, and how consistent the player's results are."""

    value: float = BEGINNING
    deviation: float = MAX_DEVIATION
    volatility: float = 0.06

    def __post_init__(self) -> None:
        """Raises ``ContestError`` for values out of range."""
        if not (-10_000 < self.value < 10_000 and 0 < self.deviation <= 1000 and 0 < self.volatility < 10):
            raise ContestError(f"expected a rating with a positive deviation and volatility, got {self!r}")

    @property
    def provisional(self) -> bool:
        """Whether the rating is still too uncertain."""
        return self.deviation > PROVISIONAL

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the true strength."""
        return self.value - 1.96 * self.deviation, self.value + 1.96 * self.deviation


@dataclass(frozen=True, slots=True)
class Result:
    """A game from one player's point of view: the opponent's rating and the half points (2, 1 or 0)."""

    opponent: Rating
    points: int

    def __post_init__(self) -> None:
        """Raises ``ContestError`` for other points."""
        if self.points not in (0, 1, 2):
            raise ContestError(f"expected 0, 1 or 2 half points of a rated game, got {self.points!r}")


def expected(player: Rating, opponent: Rating) -> float:
    """Return the player's expected score, from 0 to 1; the two expected scores add up to 1."""
    doubt = sqrt(player.deviation**2 + opponent.deviation**2) / SCALE
    return 1 / (1 + exp(-_weight(doubt) * (player.value - opponent.value) / SCALE))


def after_inactivity(player: Rating, periods: float) -> Rating:
    """Return the rating after some periods without a game: less certain, up to that of a new player."""
    return replace(player, deviation=_doubted(player.deviation / SCALE, player.volatility, periods) * SCALE)


def after_period(
    player: Rating, results: Sequence[Result], *, tau: float = TAU, periods: float = 1.0
) -> Rating:
    """Return the rating after the games of one rating period, or of the fraction ``periods`` of one.

    ``tau`` restrains volatility; sensible values are 0.3 to 1.2. Opponents' ratings are those before the
    games.
    """
    if not results:
        return after_inactivity(player, periods)
    mu, phi = (player.value - BEGINNING) / SCALE, player.deviation / SCALE  # step 2
    certainty = surprise = 0.0
    for result in results:  # steps 3 and 4
        weight = _weight(result.opponent.deviation / SCALE)
        hope = 1 / (1 + exp(-weight * (mu - (result.opponent.value - BEGINNING) / SCALE)))
        certainty += weight**2 * hope * (1 - hope)
        surprise += weight * (result.points / 2 - hope)
    volatility = _volatility(player.volatility, phi, 1 / certainty, surprise / certainty, tau)  # step 5
    doubted = _doubted(phi, volatility, periods)  # step 6
    phi = 1 / sqrt(1 / doubted**2 + certainty)  # step 7
    return Rating(BEGINNING + SCALE * (mu + phi**2 * surprise), SCALE * phi, volatility)  # step 8


def after_game(
    player: Rating,
    opponent: Rating,
    points: int,
    *,
    periods: float = 0.0,
    opponent_periods: float = 0.0,
    tau: float = TAU,
) -> Rating:
    """Return a player's rating after one game with these half points (2, 1 or 0).

    ``periods`` have passed since the player's rating last changed, ``opponent_periods`` since the opponent's.
    Call it for both players with the ratings before the game.
    """
    met = after_inactivity(opponent, opponent_periods)
    now = after_period(player, [Result(met, points)], tau=tau, periods=periods)
    return replace(now, deviation=min(max(now.deviation, MIN_DEVIATION), MAX_DEVIATION))


def _weight(phi: float) -> float:
    """``g``: the less certain the opponent's rating, the less a game counts."""
    return 1 / sqrt(1 + 3 * phi**2 / pi**2)


def _doubted(phi: float, volatility: float, periods: float) -> float:
    if periods < 0:
        raise ContestError(f"expected no negative number of periods, got {periods!r}")
    most = max(MAX_DEVIATION / SCALE, phi)
    return min(sqrt(phi**2 + periods * volatility**2), most)


def _volatility(sigma: float, phi: float, variance: float, delta: float, tau: float) -> float:
    """Step 5: find the root of ``f`` with the Illinois variant of regula falsi."""
    start = log(sigma**2)

    def f(x: float) -> float:
        grown = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - grown) / (2 * grown**2) - (x - start) / tau**2

    low = start
    if delta**2 > phi**2 + variance:
        high = log(delta**2 - phi**2 - variance)
    else:
        steps = 1
        while f(start - steps * tau) < 0:
            steps += 1
        high = start - steps * tau
    at_low, at_high = f(low), f(high)
    while abs(high - low) > _CLOSE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
