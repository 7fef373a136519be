"""What directors of contests do: seat people, adjourn, forfeit and adjudicate games."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from crownhead import VARIANTS
from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Conflict, Problem, Unprocessable
from crownhead.server.play import selectors
from crownhead.server.play.games.contests import Contest
from crownhead.server.play.games.options import BankClock, GameOptions, LiveClock
from crownhead.server.play.games.services.seating import start_game
from crownhead.server.play.models import Game, Seat
from crownhead.server.play.staff import services as staff_services
from tests.server.play.expected_state import DAY, HOUR, ExpectedGame, ExpectedState

CUP = Contest("tournament", "cup:r1", "A cup", "/cup/")
PACES: tuple[tuple[dict[str, Any], dict[str, timedelta]], ...] = (
    ({"days_per_move": 1}, {"days": DAY}),
    ({"days_per_move": 3}, {"days": 3 * DAY}),
    (
        {"clock": BankClock(time=30, bonus=7, limit=40)},
        {"initial": 30 * HOUR, "bonus": 7 * HOUR, "limit": 40 * HOUR},
    ),
    (
        {"clock": LiveClock(initial=600, increment=5)},
        {"initial": timedelta(seconds=600), "bonus": timedelta(seconds=5)},
    ),
)
NAMES = ("alice", "bob", "charlie")
numbers = st.integers(0, 10_000)
people = st.sampled_from(NAMES)


class DirectorRules(RuleBasedStateMachine):
    """Charlie directs, and plays too; ``users`` and ``expected`` come with the state machine."""

    users: dict[str, User]
    expected: ExpectedState

    @precondition(lambda self: len(self.expected.games) < 8)
    @rule(
        first=people,
        second=people,
        variant=st.sampled_from(sorted(VARIANTS)),
        pace=st.sampled_from(PACES),
        flags=st.tuples(st.booleans(), st.booleans()),
        seed=numbers,
    )
    def seat_two(self, first: str, second: str, variant: str, pace: Any, flags: Any, seed: int) -> None:
        terms, control = pace
        stands = not isinstance(terms.get("clock"), LiveClock)
        weekends_off, vacation = flags[0] and stands, flags[1] and stands
        options = GameOptions(
            variant=variant, colour="random", weekends_off=weekends_off, vacation=vacation, **terms
        )

        def start() -> Game:
            return start_game(
                first=self.users[first],
                second=self.users[second],
                options=options,
                now=self.expected.now,
                dice=Random(seed),
                contest=CUP,
            )

        if first == second:
            self.refused(Unprocessable, start)
            return
        row = start()
        expected = ExpectedGame(
            row.public_id,
            variant,
            "official",
            first,
            "first",
            self.expected.now,
            control,
            weekends_off=weekends_off,
            vacation=vacation,
            contest=True,
        )
        self.expected.games.append(expected)
        self.expected.begin(expected, {"first": first, "second": second}, row.moves.split())
        assert list(selectors.games_of_contest(viewer=None, key="cup:r1").filter(pk=row.pk)) == [row]

    @precondition(lambda self: any(game.turn for game in self.expected.games))
    @rule(number=numbers, hours=st.integers(0, 100))
    def adjourn(self, number: int, hours: int) -> None:
        expected, now = self._running(number), self.expected.now
        until = now + hours * HOUR if hours else None

        def stop() -> Game:
            facts = {"game_id": expected.key, "reason": "The hall is closed.", "now": now}
            return staff_services.adjourn(by=self.users["charlie"], until=until, as_director=True, **facts)  # type: ignore[arg-type]

        if until is None and not any(begin <= now < end for begin, end in expected.adjourned):
            self.refused(Conflict, stop)
            return
        if until is not None and sum(begin > now - DAY for begin, _ in expected.adjourned) >= 5:
            self.refused(Conflict, stop)
            return
        stop()
        expected.adjourned = [(begin, min(end, now)) for begin, end in expected.adjourned]
        if until is not None:
            expected.adjourned.append((now, until))

    @precondition(lambda self: any(game.turn for game in self.expected.games))
    @rule(number=numbers, loser=st.sampled_from(["first", "second", None]))
    def forfeit(self, number: int, loser: str | None) -> None:
        if number % 4:
            return
        expected = self._running(number // 4)
        staff_services.forfeit(
            by=self.users["charlie"],
            game_id=expected.key,
            loser=None if loser is None else Seat(loser),
            reason="Never came.",
            now=self.expected.now,
            as_director=True,
        )
        self.expected.end(expected, loser and expected.other(loser), "forfeit", self.expected.now)

    @precondition(lambda self: any(game.turn for game in self.expected.games))
    @rule(number=numbers, result=st.sampled_from(["first", "second", "draw", "nothing"]))
    def adjudicate(self, number: int, result: str) -> None:
        if number % 4:
            return
        expected = self._running(number // 4)
        staff_services.adjudicate(
            by=self.users["charlie"],
            game_id=expected.key,
            result=result,
            reason="Seen.",
            now=self.expected.now,
            as_director=True,
        )
        expected.void = result == "nothing"
        winner = result if result in ("first", "second") else None
        self.expected.end(expected, winner, "adjudication", self.expected.now)

    def refused(self, kind: type[Problem], act: Callable[[], object]) -> None:
        """The act is refused in this way."""
        raise NotImplementedError

    def _running(self, number: int) -> ExpectedGame:
        running = [game for game in self.expected.games if game.turn]
        return running[number % len(running)]
