"""What an answer to a problem counts: the first try, the rating, the days in a row."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from crownhead.problems.collection import shipped
from crownhead.problems.problem import Problem
from crownhead.server.accounts.models import User
from crownhead.server.core.problems import NotFound, Unprocessable
from crownhead.server.problems import selectors, services
from crownhead.server.problems.models import Attempt, Solver
from tests.server.conftest import make_user
from tests.server.play.factories import NOW
from tests.server.problems.conftest import wrong_move_of

pytestmark = pytest.mark.django_db


def solve(user: User | None, problem: Problem, *, days: int = 0) -> services.Answer:
    """Play the whole solution, some days after today."""
    now = NOW + timedelta(days=days)
    given = services.Answer(right=True, line=(), over=False)
    while not given.over:
        move = problem.line[len(given.line)]
        given = services.answer(user=user, problem=problem, moves=given.line, move=move, now=now)
        assert given.right
    return given


def fail(user: User, problem: Problem) -> None:
    services.give_up(user=user, problem=problem, now=NOW)


def test_the_defence_answers_a_right_move(problem: Problem) -> None:
    given = services.answer(user=None, problem=problem, moves=[], move=problem.line[0], now=NOW)
    assert (given.right, given.line, given.over) == (True, problem.line[:2], False)


def offered(user: User, *, variant: str = "", theme: str = "") -> Problem:
    return selectors.next_problem(user=user, player=user, variant=variant, theme=theme, dice=random.Random(1))


def test_a_solved_problem_raises_the_rating(alice: User) -> None:
    attempt = solve(alice, offered(alice)).attempt
    assert attempt is not None
    assert attempt.solved
    assert attempt.rated
    standing = selectors.standing_of(alice.pk)
    assert (standing.tried, standing.solved) == (1, 1)
    assert standing.points == attempt.after > attempt.before == 1500


def test_the_first_wrong_move_loses_the_problem_for_good(
    alice: User,
) -> None:
    problem = offered(alice)
    given = services.answer(user=alice, problem=problem, moves=[], move=wrong_move_of(problem), now=NOW)
    assert not given.right
    assert selectors.standing_of(alice.pk).points < 1500
    solve(alice, problem)
    again = selectors.standing_of(alice.pk)
    assert (again.tried, again.solved) == (1, 0)
    assert not Attempt.objects.get().solved


def test_a_hard_problem_counts_more_than_an_easy_one(alice: User, bob: User) -> None:
    days = sorted(range(300), key=lambda day: selectors.daily(NOW + timedelta(days=day)).difficulty)
    for user, day in ((alice, days[0]), (bob, days[-1])):
        solve(user, selectors.daily(NOW + timedelta(days=day)), days=day)
    assert selectors.standing_of(bob.pk).points > selectors.standing_of(alice.pk).points > 1500


def test_a_problem_that_a_member_chose_themselves_changes_no_rating(alice: User) -> None:
    # Its solution may be known: it is in the package, and a guest may ask for it.
    chosen = next(
        one
        for one in shipped().values()
        if not selectors.is_chosen_by_the_club(user=alice, problem=one, now=NOW)
    )
    attempt = solve(alice, chosen).attempt
    assert attempt is not None
    assert (attempt.solved, attempt.rated, attempt.before, attempt.after) == (True, False, 1500, 1500)
    standing = selectors.standing_of(alice.pk)
    assert (standing.points, standing.tried, standing.solved, standing.streak) == (1500, 1, 1, 1)


def test_asking_again_and_again_offers_the_same_problem_until_it_is_tried(alice: User) -> None:
    offers = {offered(alice).key for _ in range(5)}
    assert len(offers) == 1
    assert {offered(make_user(f"solver-{number}")).key for number in range(5)} - offers
    fail(alice, offered(alice))
    assert offered(alice).key not in offers


def test_what_is_offered_of_a_variant_and_a_theme_counts(alice: User) -> None:
    for variant, theme in (("russian", ""), ("", "shot"), ("international", "ending")):
        attempt = solve(alice, offered(alice, variant=variant, theme=theme)).attempt
        assert attempt is not None
        assert attempt.rated


def test_nothing_is_kept_of_a_guest(problem: Problem, wrong_move: str) -> None:
    services.answer(user=None, problem=problem, moves=[], move=wrong_move, now=NOW)
    assert solve(None, problem).attempt is None
    assert not Attempt.objects.exists()
    assert not Solver.objects.exists()


def test_days_in_a_row_are_counted_and_end(alice: User) -> None:
    problems = list(shipped().values())[:4]
    for days, problem in zip((0, 0, 1, 2), problems, strict=True):
        solve(alice, problem, days=days)
    today = (NOW + timedelta(days=2)).date()
    assert selectors.standing_of(alice.pk, today=today).streak == 3
    assert selectors.standing_of(alice.pk, today=today + timedelta(days=1)).streak == 3
    ended = selectors.standing_of(alice.pk, today=today + timedelta(days=2))
    assert (ended.streak, ended.best_streak) == (0, 3)
    later = list(shipped().values())[4]
    solve(alice, later, days=4)
    begun = selectors.standing_of(alice.pk, today=today + timedelta(days=2))
    assert (begun.streak, begun.best_streak) == (1, 3)


def test_moves_that_do_not_begin_the_solution_are_refused(problem: Problem, wrong_move: str) -> None:
    for moves in ([wrong_move], list(problem.line[:1]), [*problem.line, problem.line[0]]):
        with pytest.raises(Unprocessable):
            services.answer(user=None, problem=problem, moves=moves, move=problem.line[0], now=NOW)
    with pytest.raises(Unprocessable):
        services.answer(user=None, problem=problem, moves=[], move="nonsense", now=NOW)
    with pytest.raises(Unprocessable, match="solved already"):
        services.answer(user=None, problem=problem, moves=problem.line, move=problem.line[0], now=NOW)


def test_the_next_problem_is_new_and_of_the_kind_asked_for(alice: User) -> None:
    dice = random.Random(1)
    found = selectors.next_problem(user=alice, player=alice, variant="russian", theme="shot", dice=dice)
    assert found.variant == "russian"
    assert "shot" in found.themes
    fail(alice, found)
    assert (
        selectors.next_problem(user=alice, player=alice, variant="russian", theme="shot", dice=dice) != found
    )
    with pytest.raises(NotFound):
        selectors.next_problem(user=None, player=None, variant="nonesuch", theme="", dice=dice)


def test_the_problem_of_the_day_is_the_same_all_day(problem: Problem) -> None:
    midnight = NOW.replace(hour=0, minute=0)
    days = [selectors.daily(midnight + timedelta(days=day)) for day in range(10)]
    assert selectors.daily(midnight + timedelta(hours=23)) == days[0]
    assert len({one.key for one in days}) == 10
    assert all(len(one.line) >= 3 for one in days)


def test_every_other_problem_of_the_day_is_of_american_checkers_the_others_of_games_on_record() -> None:
    variants = [selectors.daily(NOW + timedelta(days=day)).variant for day in range(60)]
    american = variants.index("american") % 2
    assert set(variants[american::2]) == {"american"}
    others = set(variants[1 - american :: 2])
    assert {"international", "russian"} <= others
    assert others <= {"international", "russian", "brazilian", "italian", "czech", "frisian"}


def test_solved_problems_are_counted_by_theme(alice: User) -> None:
    shot = selectors.select(theme="shot")[0]
    solve(alice, shot)
    counts = {count.theme.value: count for count in selectors.counts_by_theme(alice)}
    assert (counts["shot"].tried, counts["shot"].solved) == (1, 1)
    assert counts["shot"].problems == len(selectors.select(theme="shot"))
    assert all(count.tried == 0 for count in selectors.counts_by_theme(None))


def test_what_is_offered_is_decided_before_anybody_waits_for_the_lock_and_only_once(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem, depths = offered(alice), []
    decide = selectors.is_chosen_by_the_club

    def noted(**values: Any) -> bool:
        depths.append(len(connection.savepoint_ids))
        return decide(**values)

    monkeypatch.setattr(selectors, "is_chosen_by_the_club", noted)
    outside = len(connection.savepoint_ids)
    fail(alice, problem)
    fail(alice, problem)
    assert depths == [outside]


def test_a_try_that_came_first_while_it_was_decided_counts(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem, decide = offered(alice), selectors.is_chosen_by_the_club

    def meanwhile(**values: Any) -> bool:
        monkeypatch.setattr(selectors, "is_chosen_by_the_club", decide)
        fail(alice, problem)
        return decide(**values)

    monkeypatch.setattr(selectors, "is_chosen_by_the_club", meanwhile)
    attempt = solve(alice, problem).attempt
    assert attempt is not None
    assert not attempt.solved
    assert selectors.standing_of(alice.pk).tried == 1
