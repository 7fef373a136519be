"""The expected state of a club: games as records alone, clocks read by walking through the hours."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import crownhead
from crownhead import Outcome, Termination
from crownhead.notation.moves import write_full

ZERO, HOUR, DAY = timedelta(0), timedelta(hours=1), timedelta(days=1)
WAITS, WAITS_LIVE = 14 * DAY, HOUR
FIRST_MOVE = timedelta(seconds=20)  # for which the clock of a live game waits, on each side


@dataclass(slots=True)
class ExpectedPlan:
    """Lines of full tokens from the position after ``root`` moves."""

    root: int
    lines: list[tuple[str, ...]]


@dataclass(slots=True)
class ExpectedGame:
    """One game; ``seats`` are names, ``left`` the time of each for the next turn."""

    key: str
    variant: str
    draw_rules: str
    creator: str
    wish: str
    made_at: datetime
    control: dict[str, timedelta]  # days, or initial, bonus and limit
    weekends_off: bool = False
    vacation: bool = False
    rated: bool = False
    invited: str | None = None
    status: str = "waiting"
    seats: dict[str, str] = field(default_factory=dict)
    tokens: list[str] = field(default_factory=list)
    opening: int = 0
    left: dict[str, timedelta] = field(default_factory=dict)
    since: datetime | None = None
    added: timedelta = ZERO
    offer: str | None = None
    ask: str | None = None
    asked: set[tuple[str, str]] = field(default_factory=set)
    plans: dict[str, ExpectedPlan] = field(default_factory=dict)
    ended: tuple[str | None, str, datetime] | None = None
    contest: bool = False
    void: bool = False
    adjourned: list[tuple[datetime, datetime]] = field(default_factory=list)
    taken_back: int = 0

    @property
    def is_live(self) -> bool:
        """Whether it is played on live clocks; a bank of hours has a limit."""
        return "initial" in self.control and "limit" not in self.control

    @property
    def waits_until(self) -> datetime:
        """When it expires if nobody takes it."""
        return self.made_at + (WAITS_LIVE if self.is_live else WAITS)

    @property
    def grace(self) -> timedelta:
        """For how long the clock waits in this turn."""
        return FIRST_MOVE if self.is_live and len(self.tokens) - self.opening < 2 else ZERO

    def replay(self) -> crownhead.Game:
        """The record replayed."""
        opening, own = self.tokens[: self.opening], self.tokens[self.opening :]
        game = crownhead.Game(self.variant, draw_rules=self.draw_rules, opening=opening)
        for token in own:
            game.push(token)
        return game

    @property
    def turn(self) -> str | None:
        """The seat on turn."""
        if self.status != "playing":
            return None
        return self.seat_of(self.replay())

    def seat_of(self, replay: crownhead.Game) -> str:
        """The seat whose colour is to move."""
        return "first" if replay.turn is replay.variant.start.first else "second"

    def seat(self, name: str) -> str | None:
        """The seat of a player."""
        return next((seat for seat, player in self.seats.items() if player == name), None)

    def other(self, seat: str) -> str:
        """The other seat."""
        return "second" if seat == "first" else "first"


@dataclass(slots=True)
class ExpectedState:
    """All games and vacations, as they follow from what was done and when."""

    now: datetime
    hours: int
    games: list[ExpectedGame] = field(default_factory=list)
    used: Counter[tuple[str, int]] = field(default_factory=Counter)
    away: dict[str, list[tuple[datetime, datetime]]] = field(default_factory=dict)

    def budget(self, name: str, year: int) -> int:
        """The hours of vacation that somebody has left in a year."""
        planned = sum((end - begin) // HOUR for begin, end in self.away.get(name, []) if begin.year == year)
        return self.hours - self.used[name, year] - planned

    def runs(self, game: ExpectedGame, moment: datetime) -> bool:
        """Whether the clock of the player on turn runs."""
        if game.weekends_off and moment.weekday() >= 5:
            return False
        if any(begin <= moment < end for begin, end in game.adjourned):
            return False
        spans = self.away.get(game.seats[game.turn or ""], [])
        return not (game.vacation and any(begin <= moment < end for begin, end in spans))

    def edges(self, game: ExpectedGame, moment: datetime) -> datetime:
        """The next moment at which the clock may stop or start."""
        midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0) + DAY
        spans = [*self.away.get(game.seats[game.turn or ""], []), *game.adjourned]
        return min([midnight, *(edge for span in spans for edge in span if edge > moment)])

    def deadline(self, game: ExpectedGame) -> datetime:
        """When the time is out."""
        assert game.since is not None
        moment, rest = game.since, game.grace + game.left[game.turn or ""] + game.added
        while True:
            edge = self.edges(game, moment)
            if self.runs(game, moment):
                if rest <= edge - moment:
                    return moment + rest
                rest -= edge - moment
            elif rest == ZERO:
                return moment
            moment = edge

    def spent(self, game: ExpectedGame, now: datetime) -> timedelta:
        """How long the clock has run in this turn."""
        assert game.since is not None
        moment, ran = game.since, ZERO
        while moment < now:
            edge = min(self.edges(game, moment), now)
            ran += edge - moment if self.runs(game, moment) else ZERO
            moment = edge
        return max(ran - game.grace, ZERO)

    def advance(self, to: datetime) -> None:
        """Let time pass: what is due happens at its moment, one thing after another."""
        while True:
            due = [(self.deadline(game), number) for number, game in enumerate(self.games) if game.turn]
            waits = [game.waits_until for game in self.games if game.status == "waiting"]
            moment, number = min(due, default=(to + DAY, -1))
            if min(waits, default=to + DAY) <= min(moment, to):
                self._expire(min(waits))
            elif moment <= to:
                self._time_out(self.games[number], moment)
            else:
                break
        self.now = to

    def _expire(self, moment: datetime) -> None:
        for game in self.games:
            if game.status == "waiting" and game.waits_until <= moment:
                game.status = "expired"

    def _time_out(self, game: ExpectedGame, moment: datetime) -> None:
        seat = game.turn or ""
        name = game.seats[seat]
        if not game.vacation or self.budget(name, moment.year) <= 0:
            self.end(game, game.other(seat), "time", moment)
            return
        self.used[name, moment.year] += 1
        for other in self.games:
            on_turn = other.turn is not None and other.seats[other.turn] == name
            if on_turn and other.vacation and other.since is not None and other.since <= moment:
                other.added += HOUR

    def begin(self, game: ExpectedGame, seats: dict[str, str], opening: list[str]) -> None:
        """The game starts."""
        game.seats, game.status = seats, "playing"
        if opening:
            game.tokens, game.opening = opening, len(opening)
        initial = game.control.get("days", game.control.get("initial", ZERO))
        game.left = {"first": initial, "second": initial}
        self._turn(game)

    def _turn(self, game: ExpectedGame) -> None:
        game.since, game.added = self.now, ZERO

    def _stop(self, game: ExpectedGame, seat: str, *, bonus: bool) -> None:
        """The turn of a seat is over: what is left to it."""
        if "days" in game.control:
            return
        left = min(game.left[seat], game.left[seat] + game.added - self.spent(game, self.now))
        left = max(left, ZERO) + (game.control["bonus"] if bonus else ZERO)
        game.left[seat] = min(left, game.control.get("limit", left))

    def move(self, game: ExpectedGame, token: str) -> None:
        """A move, and whatever conditional moves it sets off."""
        self._move(game, token)
        self.follow(game)

    def follow(self, game: ExpectedGame) -> None:
        """Conditional moves go on while there is an answer to the last move."""
        while (seat := game.turn) is not None:
            answer = self._answer(game, seat)
            if answer is None or game.other(seat) in (game.offer, game.ask):
                return
            self._move(game, answer)

    def _move(self, game: ExpectedGame, token: str) -> None:
        seat = game.turn or ""
        self._stop(game, seat, bonus=True)
        game.tokens.append(token)
        game.offer = seat if game.offer == seat else None
        game.ask = seat if game.ask == seat else None
        game.asked = {key for key in game.asked if key[0] != seat}
        outcome = game.replay().outcome()
        if outcome is not None:
            first = game.replay().variant.start.first
            winner = None if outcome.winner is None else "first" if outcome.winner is first else "second"
            self.end(game, winner, outcome.termination.value, self.now)
            return
        self._turn(game)
        for planner, plan in list(game.plans.items()):
            behind = tuple(game.tokens[plan.root :])
            if not any(line[: len(behind)] == behind and len(line) > len(behind) for line in plan.lines):
                del game.plans[planner]

    def _answer(self, game: ExpectedGame, seat: str) -> str | None:
        """What the plan of the seat on turn says, once the opponent has moved since it was made."""
        plan = game.plans.get(seat)
        if plan is None or len(game.tokens) == plan.root:
            return None
        behind = tuple(game.tokens[plan.root :])
        found = {
            line[len(behind)]
            for line in plan.lines
            if line[: len(behind)] == behind and len(line) > len(behind)
        }
        assert len(found) <= 1
        return found.pop() if found else None

    def take_back(self, game: ExpectedGame) -> None:
        """The player who asked takes back their last move."""
        asker = game.ask or ""
        self._stop(game, game.turn or "", bonus=False)
        while True:
            game.tokens.pop()
            game.taken_back += 1
            if game.turn == asker:
                break
        game.offer = game.ask = None
        game.plans.clear()
        self._turn(game)

    def may_take_back(self, game: ExpectedGame, seat: str) -> bool:
        """A seat has made a move of its own."""
        replay = game.replay()
        first = replay.variant.start.first
        own = replay.positions[game.opening : -1]
        return any(("first" if before.turn is first else "second") == seat for before in own)

    def end(self, game: ExpectedGame, winner: str | None, termination: str, at: datetime) -> None:
        """The game is over."""
        game.status, game.ended = "finished", (winner, termination, at)
        game.offer = game.ask = None
        game.plans.clear()

    def annulled(self, game: ExpectedGame) -> bool:
        """It ended off the board before each side had made two moves."""
        assert game.ended is not None
        if game.void or game.ended[:2] == (None, "forfeit"):
            return True
        off = game.ended[1] in {"time", "resignation", "agreement", "forfeit"}
        return off and len(game.tokens) - game.opening < 4

    def plan_vacation(self, name: str, begin: datetime, end: datetime) -> bool:
        """Set a vacation if it can be paid for and no other is in its way."""
        spans = self.away.setdefault(name, [])
        if any(begin < other_end and end > other_begin for other_begin, other_end in spans):
            return False
        new_year = datetime(begin.year + 1, 1, 1, tzinfo=UTC)
        parts = [(begin, end)] if end <= new_year else [(begin, new_year), (new_year, end)]
        if any((until - since) // HOUR > self.budget(name, since.year) for since, until in parts):
            return False
        spans += parts
        return True

    def cancel_vacation(self, name: str, number: int) -> None:
        """Call a vacation off, or end it with the hour that has begun."""
        begin, _ = self.away[name].pop(number)
        begun = -((begin - self.now) // HOUR)
        if begun > 0:
            self.away[name].insert(number, (begin, begin + begun * HOUR))


def outcome_of(game: ExpectedGame) -> Outcome | None:
    """How a finished game ended, as the laws say it."""
    if game.ended is None:
        return None
    first = game.replay().variant.start.first
    colours = {"first": first, "second": first.opponent, None: None}
    return Outcome(colours[game.ended[0]], Termination(game.ended[1]))


def full_notation(position: crownhead.Position, move: crownhead.Move) -> str:
    """A move as records write it."""
    return write_full(position, move)
