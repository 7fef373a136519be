"""Actions of people in any order on a moved clock: the rows agree with the expected state, for a month."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from crownhead import VARIANTS
from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict, NotFound, OutOfDate, Problem
from crownhead.server.play import problems
from crownhead.server.play.clocks import time_control, timing
from crownhead.server.play.draws import services as draw_services
from crownhead.server.play.draws.services import accept_draw, claim_draw, decline_draw, offer_draw
from crownhead.server.play.games import services as game_services
from crownhead.server.play.games.options import GameOptions, LiveClock
from crownhead.server.play.games.services import create_game
from crownhead.server.play.games.services.deadlines import end_overdue_games, expire_waiting, send_reminders
from crownhead.server.play.invitations import services as invitation_services
from crownhead.server.play.models import Game, Seat
from crownhead.server.play.moves.services import play_move
from crownhead.server.play.plans import selectors
from crownhead.server.play.plans.services import set_plan
from crownhead.server.play.presenters.state import game_state
from crownhead.server.play.take_backs.services import accept_take_back, ask_take_back, decline_take_back
from crownhead.server.play.vacation import selectors as vacation_selectors
from crownhead.server.play.vacation import services as vacation_services
from tests.server.conftest import make_user
from tests.server.play.director_rules import NAMES, PACES, DirectorRules, people
from tests.server.play.expected_state import HOUR, ExpectedGame, ExpectedPlan, ExpectedState, full_notation

pytestmark = pytest.mark.django_db
START = datetime(2026, 12, 11, 9, 30, tzinfo=UTC)  # a Friday, three weeks before the new year
BUDGET = 30
indices = st.integers(0, 10_000)


class Month(DirectorRules):
    """People come and do things; time passes; nobody need sweep in between."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = transaction.atomic()
        self.inside.__enter__()
        self.users: dict[str, User] = {name: make_user(name) for name in NAMES}
        self.expected = ExpectedState(START, BUDGET)
        self.stopped = clock.stopped(START)
        self.stopped.__enter__()

    def teardown(self) -> None:
        """Compare all, then undo all."""
        try:
            self.look()
        finally:
            self.stopped.__exit__(None, None, None)
            transaction.set_rollback(True)
            self.inside.__exit__(None, None, None)

    # ------------------------------------------------------------------------------ time
    @rule(minutes=st.sampled_from([0, 1, 7, 60, 300, 1000, 1440, 2900, 5000]))
    def time_passes(self, minutes: int) -> None:
        self.stopped.__exit__(None, None, None)
        self.expected.advance(self.expected.now + timedelta(minutes=minutes))
        self.stopped = clock.stopped(self.expected.now)
        self.stopped.__enter__()

    @rule()
    def look(self) -> None:
        """The sweeper comes by, and everything is compared."""
        now = self.expected.now
        expire_waiting(now=now)
        end_overdue_games(now=now)
        send_reminders(now=now)
        for expected in self.expected.games:
            self._compare(expected)
        for name, user in self.users.items():
            for year in (2026, 2027):
                have = vacation_selectors.budget(user_id=user.pk, year=year)
                assert have.left == self.expected.budget(name, year)

    # ------------------------------------------------------------------------------ beginnings
    @precondition(lambda self: len(self.expected.games) < 8)
    @rule(
        creator=people,
        variant=st.sampled_from(sorted(VARIANTS)),
        wish=st.sampled_from(["first", "second", "random"]),
        pace=st.sampled_from(PACES),
        rules=st.sampled_from(["official", "itsyourturn", "yourturnmyturn"]),
        flags=st.tuples(st.booleans(), st.booleans(), st.booleans()),
        invited=st.none() | people,
    )
    def offer(
        self, creator: str, variant: str, wish: str, pace: Any, rules: str, flags: Any, invited: str | None
    ) -> None:
        terms, control = pace
        stands = not isinstance(terms.get("clock"), LiveClock)
        weekends_off, allowed, rated = flags[0] and stands, flags[1] and stands, flags[2]
        options = GameOptions(
            variant=variant,
            colour=wish,
            draw_rules=rules,
            weekends_off=weekends_off,
            vacation=allowed,
            rated=rated,
            **terms,
        )
        if invited == creator:
            invited = None
        user, now = self.users[creator], self.expected.now
        if invited is None:
            row = create_game(creator=user, options=options, now=now)
        else:
            row = invitation_services.invite(
                creator=user, opponent=invited, options=options, message="", site="", now=now
            )
        self.expected.games.append(
            ExpectedGame(
                row.public_id,
                variant,
                rules,
                creator,
                wish,
                now,
                control,
                weekends_off=weekends_off,
                vacation=allowed,
                rated=rated,
                invited=invited,
            )
        )

    @precondition(lambda self: self.expected.games)
    @rule(number=indices, name=people, seed=indices)
    def join(self, number: int, name: str, seed: int) -> None:
        expected = self._pick(number)
        user, now, dice = self.users[name], self.expected.now, Random(seed)

        def take() -> Game:
            return game_services.join(user=user, game_id=expected.key, now=now, dice=dice)

        begun = expected.status in ("playing", "finished")
        if expected.invited is not None and not begun and name not in (expected.invited, expected.creator):
            self.refused(NotFound, take)
        elif expected.status != "waiting":
            self.refused(problems.NotWaiting, take)
        elif name == expected.creator:
            self.refused(problems.OwnGame, take)
        else:
            row = take()
            tokens = row.moves.split() if row.opening else []
            seats = {"first": self._name(row.first_player), "second": self._name(row.second_player)}
            assert set(seats.values()) == {name, expected.creator}
            if expected.wish != "random":
                assert seats[expected.wish] == expected.creator
            self.expected.begin(expected, seats, tokens)

    @precondition(lambda self: self.expected.games)
    @rule(number=indices)
    def withdraw(self, number: int) -> None:
        expected = self._pick(number)
        user, now = self.users[expected.creator], self.expected.now
        if expected.status in ("waiting", "withdrawn"):
            game_services.withdraw_waiting(user=user, game_id=expected.key, now=now)
            expected.status = "withdrawn"
        else:
            self.refused(
                problems.NotWaiting,
                lambda: game_services.withdraw_waiting(user=user, game_id=expected.key, now=now),
            )

    # ------------------------------------------------------------------------------ playing
    @precondition(lambda self: any(game.turn for game in self.expected.games))
    @rule(number=indices, choice=indices, times=st.integers(1, 4))
    def move(self, number: int, choice: int, times: int) -> None:
        expected = self._pick_running(number)
        for _ in range(times):
            if expected.turn is None:
                return
            replay = expected.replay()
            legal = replay.position.legal_moves()
            chosen = legal[choice % len(legal)]
            user = self.users[expected.seats[expected.turn]]
            token = full_notation(replay.position, chosen)
            self._play(user, expected, token)
            self.expected.move(expected, token)

    @precondition(lambda self: any(game.turn for game in self.expected.games))
    @rule(number=indices, choice=indices)
    def move_against_the_rules(self, number: int, choice: int) -> None:
        expected = self._pick_running(number)
        replay = expected.replay()
        legal = replay.position.legal_moves()
        token = full_notation(replay.position, legal[choice % len(legal)])
        mover, waiter = expected.turn or "", expected.other(expected.turn or "")
        version = self._version(expected)
        wrong = [
            (problems.NotYourTurn, self.users[expected.seats[waiter]], token, version),
            (OutOfDate, self.users[expected.seats[mover]], token, version + 1),
            (problems.IllegalMove, self.users[expected.seats[mover]], "nonsense", version),
        ]
        kind, user, text, sent = wrong[choice % 3]
        self.refused(kind, lambda: self._play(user, expected, text, version=sent))

    @precondition(lambda self: any(game.ended for game in self.expected.games))
    @rule(number=indices, name=people)
    def act_in_a_game_that_is_over(self, number: int, name: str) -> None:
        over = [game for game in self.expected.games if game.ended]
        expected = over[number % len(over)]
        for act in (draw_services.resign, offer_draw, ask_take_back, claim_draw):
            kind = problems.GameOver if expected.seat(name) else problems.NotAPlayer
            self.refused(kind, partial(self._act, act, name, expected))

    @precondition(lambda self: any(game.turn for game in self.expected.games))
    @rule(number=indices, name=people)
    def resign(self, number: int, name: str) -> None:
        expected = self._pick_running(number)
        seat = expected.seat(name)
        if seat is None:
            self.refused(problems.NotAPlayer, lambda: self._act(draw_services.resign, name, expected))
        elif number % 3 == 0:
            self._act(draw_services.resign, name, expected)
            self.expected.end(expected, expected.other(seat), "resignation", self.expected.now)

    @precondition(lambda self: any(game.turn for game in self.expected.games))
    @rule(
        number=indices, seat=st.sampled_from(["first", "second"]), answer=st.sampled_from(["yes", "no", ""])
    )
    def draw(self, number: int, seat: str, answer: str) -> None:
        expected = self._pick_running(number)
        me = expected.seats[seat]
        if answer and expected.offer != expected.other(seat):
            act = accept_draw if answer == "yes" else decline_draw
            self.refused(problems.NoDrawOffer, lambda: self._act(act, me, expected))
        elif answer == "no":
            self._act(decline_draw, me, expected)
            expected.offer = None
            self.expected.follow(expected)
        elif not answer and expected.offer is None and (seat, "draw") in expected.asked:
            self.refused(problems.AskedAlready, lambda: self._act(offer_draw, me, expected))
        else:
            self._act(accept_draw if answer == "yes" else offer_draw, me, expected)
            if expected.offer == expected.other(seat):
                self.expected.end(expected, None, "agreement", self.expected.now)
            else:
                expected.offer = seat
                expected.asked.add((seat, "draw"))

    @precondition(lambda self: any(game.turn for game in self.expected.games))
    @rule(
        number=indices, seat=st.sampled_from(["first", "second"]), answer=st.sampled_from(["yes", "no", ""])
    )
    def take_back(self, number: int, seat: str, answer: str) -> None:
        expected = self._pick_running(number)
        me, theirs = expected.seats[seat], expected.other(seat)
        if answer and expected.ask != theirs:
            act = accept_take_back if answer == "yes" else decline_take_back
            self.refused(problems.NoTakeBack, lambda: self._act(act, me, expected))
        elif answer == "yes":
            self._act(accept_take_back, me, expected)
            self.expected.take_back(expected)
        elif answer == "no":
            self._act(decline_take_back, me, expected)
            expected.ask = None
            self.expected.follow(expected)
        else:
            self._ask(expected, seat, me)

    def _ask(self, expected: ExpectedGame, seat: str, me: str) -> None:
        refusal: type[Problem] | None = None
        if expected.rated:
            refusal = problems.RatedGame
        elif expected.contest:
            refusal = problems.ContestGame
        elif expected.ask == expected.other(seat):
            refusal = problems.AnswerFirst
        elif expected.ask is None and not self.expected.may_take_back(expected, seat):
            refusal = problems.NoTakeBack
        elif expected.ask is None and (seat, "take-back") in expected.asked:
            refusal = problems.AskedAlready
        if refusal:
            self.refused(refusal, lambda: self._act(ask_take_back, me, expected))
        else:
            self._act(ask_take_back, me, expected)
            expected.ask = seat
            expected.asked.add((seat, "take-back"))

    @precondition(lambda self: any(game.turn for game in self.expected.games))
    @rule(number=indices)
    def claim(self, number: int) -> None:
        expected = self._pick_running(number)
        me, claims = expected.seats["first"], expected.replay().claimable_draws()
        if claims:
            self._act(claim_draw, me, expected)
            self.expected.end(expected, None, claims[0].value, self.expected.now)
        else:
            self.refused(problems.NoDrawToClaim, lambda: self._act(claim_draw, me, expected))

    @precondition(lambda self: any(game.turn for game in self.expected.games))
    @rule(
        number=indices,
        seat=st.sampled_from(["first", "second"]),
        seeds=st.lists(indices, min_size=0, max_size=3),
        pairs=st.integers(1, 3),
    )
    def plan(self, number: int, seat: str, seeds: list[int], pairs: int) -> None:
        """Some lines, answers being the same wherever the moves before them are."""
        expected = self._pick_running(number)
        root, length = len(expected.tokens), 2 * pairs + (expected.turn == seat)
        lines = [line for seed in seeds if len(line := self._line(expected, seat, seed, length)) == length]
        row, user = Game.objects.get(public_id=expected.key), self.users[expected.seats[seat]]
        version = selectors.plan_info(row, Seat(seat)).version
        set_plan(user=user, game_id=expected.key, version=version, lines=lines, now=self.expected.now)
        expected.plans.pop(seat, None)
        if lines:
            expected.plans[seat] = ExpectedPlan(root, lines)

    def _line(self, expected: ExpectedGame, seat: str, seed: int, length: int) -> tuple[str, ...]:
        replay, dice = expected.replay(), Random(seed)
        line: list[str] = []
        while len(line) < length and (legal := replay.position.legal_moves()) and replay.outcome() is None:
            mine = expected.seat_of(replay) == seat
            chosen = legal[0] if mine and line else dice.choice(legal)
            line.append(full_notation(replay.position, chosen))
            replay.push(chosen)
        return tuple(line)

    # ------------------------------------------------------------------------------ vacation
    @rule(name=people, ahead=st.integers(0, 60), hours=st.integers(1, 30))
    def vacate(self, name: str, ahead: int, hours: int) -> None:
        whole = self.expected.now.replace(minute=0, second=0, microsecond=0)
        begin = whole + (ahead + (whole < self.expected.now)) * HOUR
        end = begin + hours * HOUR

        def set_it() -> Any:
            return vacation_services.plan(
                user=self.users[name], begins=begin, ends=end, now=self.expected.now
            )

        if self.expected.plan_vacation(name, begin, end):
            set_it()
        else:
            self.refused(Conflict, set_it)

    @rule(name=people, number=indices)
    def come_back(self, name: str, number: int) -> None:
        rows = vacation_selectors.planned(user=self.users[name], now=self.expected.now)
        if rows:
            row = rows[number % len(rows)]
            mine = self.expected.away[name].index((row.begins_at, row.ends_at))
            vacation_services.cancel(user=self.users[name], vacation_id=row.pk, now=self.expected.now)
            self.expected.cancel_vacation(name, mine)

    # ------------------------------------------------------------------------------ what must hold
    @invariant()
    def nobody_has_more_vacation_than_the_budget(self) -> None:
        for name in NAMES:
            assert all(self.expected.budget(name, year) >= 0 for year in (2026, 2027))

    def _compare(self, expected: ExpectedGame) -> None:
        row = Game.objects.with_players().get(public_id=expected.key)
        assert row.status == expected.status
        assert bool(row.contest_kind) == expected.contest
        assert row.moves.split() == expected.tokens
        assert row.version == len(expected.tokens) + row.turned_back
        assert (row.turn, row.draw_offer_by, row.take_back_by) == (
            expected.turn,
            expected.offer,
            expected.ask,
        )
        shown = game_state(row, None, self.expected.now)
        assert shown.fen == expected.replay().position.fen()
        assert (shown.turn, len(shown.moves)) == (expected.turn, len(expected.tokens))
        if expected.status == "playing":
            self._compare_clock(expected, row)
        if expected.ended is not None:
            assert (row.winner, row.termination, row.ended_at) == expected.ended
            assert row.annulled == self.expected.annulled(expected)
        assert {plan_of for plan_of in Seat.values if selectors.plan_info(row, Seat(plan_of)).lines} == set(
            expected.plans
        )

    def _compare_clock(self, expected: ExpectedGame, row: Game) -> None:
        assert row.deadline_at == self.expected.deadline(expected)
        assert (row.turn_since, row.added_hours * HOUR) == (expected.since, expected.added)
        coming = time_control.next_reminder(timing.turn_of(row), self.expected.now)
        assert (row.remind_at, row.remind_of) == (coming or (None, ""))
        if "days" not in expected.control:
            assert {"first": row.first_left, "second": row.second_left} == expected.left

    def _pick(self, number: int) -> ExpectedGame:
        return self.expected.games[number % len(self.expected.games)]

    def _pick_running(self, number: int) -> ExpectedGame:
        running = [game for game in self.expected.games if game.turn]
        return running[number % len(running)]

    def _version(self, expected: ExpectedGame) -> int:
        return Game.objects.get(public_id=expected.key).version

    def _name(self, user: User | None) -> str:
        assert user is not None
        return user.username

    def _play(self, user: User, expected: ExpectedGame, token: str, *, version: int | None = None) -> Game:
        sent = self._version(expected) if version is None else version
        return play_move(user=user, game_id=expected.key, move=token, version=sent, now=self.expected.now)

    def _act(self, act: Callable[..., Game], name: str, expected: ExpectedGame) -> Game:
        return act(user=self.users[name], game_id=expected.key, now=self.expected.now)

    def refused(self, kind: type[Problem], act: Callable[[], object]) -> None:
        """The act is refused in this way, and changes nothing."""
        with pytest.raises(kind):
            act()


def _run(host: Any, examples: int, steps: int) -> None:
    host.VACATION_HOURS = BUDGET
    host.LIMITS = host.LIMITS | {"vacations": "none"}  # the counts of all examples are one
    run_state_machine_as_test(
        Month,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_some_days_of_actions_in_any_order_agree_with_the_records(settings: Any) -> None:
    _run(settings, examples=20, steps=50)


@pytest.mark.nightly
def test_a_month_of_actions_in_any_order_agrees_with_the_records(settings: Any) -> None:
    _run(settings, examples=150, steps=80)
