"""A month of a club on a moved clock: whatever people do, the rows agree with a club kept on paper."""

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
from crownhead.server.play import problems, selectors
from crownhead.server.play.clocks import time_control, timing
from crownhead.server.play.draws import services as draw_services
from crownhead.server.play.draws.services import accept_draw, claim_draw, decline_draw, offer_draw
from crownhead.server.play.games import services as game_services
from crownhead.server.play.games.deadlines import end_overdue_games, expire_waiting, send_reminders
from crownhead.server.play.games.options import GameOptions, LiveClock
from crownhead.server.play.games.services import create_game
from crownhead.server.play.invitations import services as invitation_services
from crownhead.server.play.models import Game, Seat
from crownhead.server.play.moves.services import play_move
from crownhead.server.play.plans import services as plan_services
from crownhead.server.play.plans.services import set_plan
from crownhead.server.play.take_backs.services import accept_take_back, ask_take_back, decline_take_back
from crownhead.server.play.vacation import budget
from crownhead.server.play.vacation import selectors as vacation_selectors
from crownhead.server.play.vacation import services as vacation_services
from tests.server.conftest import make_user
from tests.server.play.directed import NAMES, PACES, Directed, people
from tests.server.play.paper_club import HOUR, PaperClub, PaperGame, PaperPlan, full

pytestmark = pytest.mark.django_db
START = datetime(2026, 12, 11, 9, 30, tzinfo=UTC)  # a Friday, three weeks before the new year
BUDGET = 30
indices = st.integers(0, 10_000)


class Month(Directed):
    """People come and do things; time passes; nobody need sweep in between."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = transaction.atomic()
        self.inside.__enter__()
        self.users: dict[str, User] = {name: make_user(name) for name in NAMES}
        self.paper = PaperClub(START, BUDGET)
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
        self.paper.advance(self.paper.now + timedelta(minutes=minutes))
        self.stopped = clock.stopped(self.paper.now)
        self.stopped.__enter__()

    @rule()
    def look(self) -> None:
        """The sweeper comes by, and everything is compared."""
        now = self.paper.now
        expire_waiting(now=now)
        end_overdue_games(now=now)
        send_reminders(now=now)
        for paper in self.paper.games:
            self._compare(paper)
        for name, user in self.users.items():
            for year in (2026, 2027):
                have = budget.budget(user_id=user.pk, year=year)
                assert have.left == self.paper.budget(name, year)

    # ------------------------------------------------------------------------------ beginnings
    @precondition(lambda self: len(self.paper.games) < 8)
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
        user, now = self.users[creator], self.paper.now
        if invited is None:
            row = create_game(creator=user, options=options, now=now)
        else:
            row = invitation_services.invite(
                creator=user, opponent=invited, options=options, message="", site="", now=now
            )
        self.paper.games.append(
            PaperGame(
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

    @precondition(lambda self: self.paper.games)
    @rule(number=indices, name=people, seed=indices)
    def join(self, number: int, name: str, seed: int) -> None:
        paper = self._pick(number)
        user, now, dice = self.users[name], self.paper.now, Random(seed)

        def take() -> Game:
            return game_services.join(user=user, game_id=paper.key, now=now, dice=dice)

        begun = paper.status in ("playing", "finished")
        if paper.invited is not None and not begun and name not in (paper.invited, paper.creator):
            self.refused(NotFound, take)
        elif paper.status != "waiting":
            self.refused(problems.NotWaiting, take)
        elif name == paper.creator:
            self.refused(problems.OwnGame, take)
        else:
            row = take()
            tokens = row.moves.split() if row.opening else []
            seats = {"first": self._name(row.first_player), "second": self._name(row.second_player)}
            assert set(seats.values()) == {name, paper.creator}
            if paper.wish != "random":
                assert seats[paper.wish] == paper.creator
            self.paper.begin(paper, seats, tokens)

    @precondition(lambda self: self.paper.games)
    @rule(number=indices)
    def withdraw(self, number: int) -> None:
        paper = self._pick(number)
        user, now = self.users[paper.creator], self.paper.now
        if paper.status in ("waiting", "withdrawn"):
            game_services.withdraw_waiting(user=user, game_id=paper.key, now=now)
            paper.status = "withdrawn"
        else:
            self.refused(
                problems.NotWaiting,
                lambda: game_services.withdraw_waiting(user=user, game_id=paper.key, now=now),
            )

    # ------------------------------------------------------------------------------ playing
    @precondition(lambda self: any(game.turn for game in self.paper.games))
    @rule(number=indices, choice=indices, times=st.integers(1, 4))
    def move(self, number: int, choice: int, times: int) -> None:
        paper = self._pick_running(number)
        for _ in range(times):
            if paper.turn is None:
                return
            course = paper.course()
            legal = course.position.legal_moves()
            chosen = legal[choice % len(legal)]
            user = self.users[paper.seats[paper.turn]]
            token = full(course.position, chosen)
            self._play(user, paper, token)
            self.paper.move(paper, token)

    @precondition(lambda self: any(game.turn for game in self.paper.games))
    @rule(number=indices, choice=indices)
    def move_against_the_rules(self, number: int, choice: int) -> None:
        paper = self._pick_running(number)
        course = paper.course()
        legal = course.position.legal_moves()
        token = full(course.position, legal[choice % len(legal)])
        mover, waiter = paper.turn or "", paper.other(paper.turn or "")
        version = self._version(paper)
        wrong = [
            (problems.NotYourTurn, self.users[paper.seats[waiter]], token, version),
            (OutOfDate, self.users[paper.seats[mover]], token, version + 1),
            (problems.IllegalMove, self.users[paper.seats[mover]], "nonsense", version),
        ]
        kind, user, text, sent = wrong[choice % 3]
        self.refused(kind, lambda: self._play(user, paper, text, version=sent))

    @precondition(lambda self: any(game.ended for game in self.paper.games))
    @rule(number=indices, name=people)
    def act_in_a_game_that_is_over(self, number: int, name: str) -> None:
        over = [game for game in self.paper.games if game.ended]
        paper = over[number % len(over)]
        for act in (draw_services.resign, offer_draw, ask_take_back, claim_draw):
            kind = problems.GameOver if paper.seat(name) else problems.NotAPlayer
            self.refused(kind, partial(self._act, act, name, paper))

    @precondition(lambda self: any(game.turn for game in self.paper.games))
    @rule(number=indices, name=people)
    def resign(self, number: int, name: str) -> None:
        paper = self._pick_running(number)
        seat = paper.seat(name)
        if seat is None:
            self.refused(problems.NotAPlayer, lambda: self._act(draw_services.resign, name, paper))
        elif number % 3 == 0:
            self._act(draw_services.resign, name, paper)
            self.paper.end(paper, paper.other(seat), "resignation", self.paper.now)

    @precondition(lambda self: any(game.turn for game in self.paper.games))
    @rule(
        number=indices, seat=st.sampled_from(["first", "second"]), answer=st.sampled_from(["yes", "no", ""])
    )
    def draw(self, number: int, seat: str, answer: str) -> None:
        paper = self._pick_running(number)
        me = paper.seats[seat]
        if answer and paper.offer != paper.other(seat):
            act = accept_draw if answer == "yes" else decline_draw
            self.refused(problems.NoDrawOffer, lambda: self._act(act, me, paper))
        elif answer == "no":
            self._act(decline_draw, me, paper)
            paper.offer = None
            self.paper.follow(paper)
        else:
            self._act(accept_draw if answer == "yes" else offer_draw, me, paper)
            if paper.offer == paper.other(seat):
                self.paper.end(paper, None, "agreement", self.paper.now)
            else:
                paper.offer = seat

    @precondition(lambda self: any(game.turn for game in self.paper.games))
    @rule(
        number=indices, seat=st.sampled_from(["first", "second"]), answer=st.sampled_from(["yes", "no", ""])
    )
    def take_back(self, number: int, seat: str, answer: str) -> None:
        paper = self._pick_running(number)
        me, theirs = paper.seats[seat], paper.other(seat)
        if answer and paper.ask != theirs:
            act = accept_take_back if answer == "yes" else decline_take_back
            self.refused(problems.NoTakeBack, lambda: self._act(act, me, paper))
        elif answer == "yes":
            self._act(accept_take_back, me, paper)
            self.paper.take_back(paper)
        elif answer == "no":
            self._act(decline_take_back, me, paper)
            paper.ask = None
            self.paper.follow(paper)
        else:
            self._ask(paper, seat, me)

    def _ask(self, paper: PaperGame, seat: str, me: str) -> None:
        refusal: type[Problem] | None = None
        if paper.rated:
            refusal = problems.RatedGame
        elif paper.contest:
            refusal = problems.ContestGame
        elif paper.ask == paper.other(seat):
            refusal = problems.AnswerFirst
        elif paper.ask is None and not self.paper.may_take_back(paper, seat):
            refusal = problems.NoTakeBack
        if refusal:
            self.refused(refusal, lambda: self._act(ask_take_back, me, paper))
        else:
            self._act(ask_take_back, me, paper)
            paper.ask = seat

    @precondition(lambda self: any(game.turn for game in self.paper.games))
    @rule(number=indices)
    def claim(self, number: int) -> None:
        paper = self._pick_running(number)
        me, claims = paper.seats["first"], paper.course().claimable_draws()
        if claims:
            self._act(claim_draw, me, paper)
            self.paper.end(paper, None, claims[0].value, self.paper.now)
        else:
            self.refused(problems.NoDrawToClaim, lambda: self._act(claim_draw, me, paper))

    @precondition(lambda self: any(game.turn for game in self.paper.games))
    @rule(
        number=indices,
        seat=st.sampled_from(["first", "second"]),
        seeds=st.lists(indices, min_size=0, max_size=3),
        pairs=st.integers(1, 3),
    )
    def plan(self, number: int, seat: str, seeds: list[int], pairs: int) -> None:
        """Some lines, answers being the same wherever the moves before them are."""
        paper = self._pick_running(number)
        root, length = len(paper.tokens), 2 * pairs + (paper.turn == seat)
        lines = [line for seed in seeds if len(line := self._line(paper, seat, seed, length)) == length]
        row, user = Game.objects.get(public_id=paper.key), self.users[paper.seats[seat]]
        version = plan_services.plan_info(row, Seat(seat)).version
        set_plan(user=user, game_id=paper.key, version=version, lines=lines, now=self.paper.now)
        paper.plans.pop(seat, None)
        if lines:
            paper.plans[seat] = PaperPlan(root, lines)

    def _line(self, paper: PaperGame, seat: str, seed: int, length: int) -> tuple[str, ...]:
        course, dice = paper.course(), Random(seed)
        line: list[str] = []
        while len(line) < length and (legal := course.position.legal_moves()) and course.outcome() is None:
            mine = paper.seat_of(course) == seat
            chosen = legal[0] if mine and line else dice.choice(legal)
            line.append(full(course.position, chosen))
            course.push(chosen)
        return tuple(line)

    # ------------------------------------------------------------------------------ vacation
    @rule(name=people, ahead=st.integers(0, 60), hours=st.integers(1, 30))
    def vacate(self, name: str, ahead: int, hours: int) -> None:
        whole = self.paper.now.replace(minute=0, second=0, microsecond=0)
        begin = whole + (ahead + (whole < self.paper.now)) * HOUR
        end = begin + hours * HOUR

        def set_it() -> Any:
            return vacation_services.plan(user=self.users[name], begins=begin, ends=end, now=self.paper.now)

        if self.paper.plan_vacation(name, begin, end):
            set_it()
        else:
            self.refused(Conflict, set_it)

    @rule(name=people, number=indices)
    def come_back(self, name: str, number: int) -> None:
        rows = vacation_selectors.planned(user=self.users[name], now=self.paper.now)
        if rows:
            row = rows[number % len(rows)]
            mine = self.paper.away[name].index((row.begins_at, row.ends_at))
            vacation_services.cancel(user=self.users[name], vacation_id=row.pk, now=self.paper.now)
            self.paper.cancel_vacation(name, mine)

    # ------------------------------------------------------------------------------ what must hold
    @invariant()
    def nobody_has_more_vacation_than_the_budget(self) -> None:
        for name in NAMES:
            assert all(self.paper.budget(name, year) >= 0 for year in (2026, 2027))

    def _compare(self, paper: PaperGame) -> None:
        row = Game.objects.with_players().get(public_id=paper.key)
        assert row.status == paper.status
        assert bool(row.contest_kind) == paper.contest
        assert row.moves.split() == paper.tokens
        assert row.version == len(paper.tokens) + row.turned_back
        assert (row.turn, row.draw_offer_by, row.take_back_by) == (paper.turn, paper.offer, paper.ask)
        shown = selectors.state(row, None, self.paper.now)
        assert shown.fen == paper.course().position.fen()
        assert (shown.turn, len(shown.moves)) == (paper.turn, len(paper.tokens))
        if paper.status == "playing":
            self._compare_clock(paper, row)
        if paper.ended is not None:
            assert (row.winner, row.termination, row.ended_at) == paper.ended
            assert row.annulled == self.paper.annulled(paper)
        assert {
            plan_of for plan_of in Seat.values if plan_services.plan_info(row, Seat(plan_of)).lines
        } == set(paper.plans)

    def _compare_clock(self, paper: PaperGame, row: Game) -> None:
        assert row.deadline_at == self.paper.deadline(paper)
        assert (row.turn_since, row.added_hours * HOUR) == (paper.since, paper.added)
        coming = time_control.next_reminder(timing.turn_of(row), self.paper.now)
        assert (row.remind_at, row.remind_of) == (coming or (None, ""))
        if "days" not in paper.control:
            assert {"first": row.first_left, "second": row.second_left} == paper.left

    def _pick(self, number: int) -> PaperGame:
        return self.paper.games[number % len(self.paper.games)]

    def _pick_running(self, number: int) -> PaperGame:
        running = [game for game in self.paper.games if game.turn]
        return running[number % len(running)]

    def _version(self, paper: PaperGame) -> int:
        return Game.objects.get(public_id=paper.key).version

    def _name(self, user: User | None) -> str:
        assert user is not None
        return user.username

    def _play(self, user: User, paper: PaperGame, token: str, *, version: int | None = None) -> Game:
        sent = self._version(paper) if version is None else version
        return play_move(user=user, game_id=paper.key, move=token, version=sent, now=self.paper.now)

    def _act(self, act: Callable[..., Game], name: str, paper: PaperGame) -> Game:
        return act(user=self.users[name], game_id=paper.key, now=self.paper.now)

    def refused(self, kind: type[Problem], act: Callable[[], object]) -> None:
        """The act is refused in this way, and changes nothing."""
        with pytest.raises(kind):
            act()


def _run(host: Any, examples: int, steps: int) -> None:
    host.VACATION_HOURS = BUDGET
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


def test_some_days_of_a_club_agree_with_its_records(settings: Any) -> None:
    _run(settings, examples=40, steps=50)


@pytest.mark.nightly
def test_a_month_of_a_club_agrees_with_its_records(settings: Any) -> None:
    _run(settings, examples=150, steps=80)
