"""The problems that come with the package."""

from __future__ import annotations

from collections import Counter

import pytest

from crownhead.engine import Engine
from crownhead.engine.engine import MAX_DEPTH
from crownhead.notation.moves import write_full
from crownhead.problems.collection import SHIPPED, shipped
from crownhead.problems.judging import Judge
from crownhead.problems.mining import TIMES_MORE, is_confirmed
from crownhead.problems.problem import BadProblem, Evidence, Goal, Problem, read, written
from crownhead.problems.themes import themes_of

MAX_BYTES = 250_000


def test_two_thousand_are_from_games_of_ten_variants() -> None:
    mined = [problem for problem in shipped().values() if ", ply " in problem.source]
    by_variant = Counter(problem.variant for problem in mined)
    on_record = [problem for problem in mined if not problem.source.startswith("engine game")]
    assert len(mined) >= 2_000
    assert len(on_record) >= 1_380
    assert len({problem.variant for problem in on_record}) == 7
    assert sum(count >= 50 for count in by_variant.values()) >= 10
    assert SHIPPED.stat().st_size <= MAX_BYTES


def test_each_solution_replays_and_ends_with_the_solver() -> None:
    for problem in shipped().values():
        positions = problem.positions()
        moves = [position.parse(text) for position, text in zip(positions, problem.line, strict=False)]
        assert len(problem.line) % 2 == 1, problem
        assert tuple(map(write_full, positions, moves)) == problem.line, problem
        assert themes_of(positions, moves) == problem.themes, problem
        assert len(positions[0].legal_moves()) > 1, problem


def test_each_has_its_proof() -> None:
    for problem in shipped().values():
        proof = problem.proof
        assert proof.depth >= 1
        assert proof.best - proof.second >= 100, problem
        assert (proof.evidence is Evidence.SEARCH) == (problem.goal in {Goal.GAIN, Goal.HOLD}), problem
        if proof.evidence is Evidence.SEARCH and proof.depth < MAX_DEPTH:  # else nothing was left to search
            assert proof.checked >= TIMES_MORE * proof.nodes * 0.95, problem


def test_a_sample_is_confirmed_once_more() -> None:
    """Of the variant whose endgame tables the package has; others may need tables to be built."""
    sample = [problem for problem in shipped().values() if problem.variant == "american"]
    judge = Judge(Engine("american"))
    for problem in sample[::60]:
        assert is_confirmed(judge, problem, nodes=problem.proof.checked), problem


def test_a_problem_is_read_as_it_was_written() -> None:
    for problem in list(shipped().values())[:20]:
        assert list(read([written(problem)])) == [problem]


@pytest.mark.parametrize("line", ["nonsense", "[]", '{"variant": "american"}'])
def test_a_line_without_a_problem_is_named(line: str) -> None:
    good = written(next(iter(shipped().values())))
    with pytest.raises(BadProblem, match="line 2: expected a problem"):
        list(read([good, line]))


def test_a_problem_is_found_by_its_key() -> None:
    problem = next(iter(shipped().values()))
    assert shipped()[problem.key] is problem
    assert isinstance(problem, Problem)
