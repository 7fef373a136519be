"""The problems for programs."""

from __future__ import annotations

import pytest

from crownhead.problems.problem import Problem
from crownhead.server.accounts.models import User
from crownhead.server.problems.models import Attempt
from tests.server.conftest import Api

pytestmark = pytest.mark.django_db


def test_a_problem_is_told_without_its_solution(api: Api, problem: Problem) -> None:
    told = api.get(f"/problems/{problem.key}").json()
    assert (told["id"], told["fen"], told["moves"]) == (problem.key, problem.fen, 2)
    assert problem.line[0] not in str(told)
    assert api.get("/problems/nonesuch").status_code == 404


def test_the_problem_of_the_day_and_the_next_one(api: Api, alice: User) -> None:
    assert api.get("/problems/daily").json() == api.get("/problems/daily").json()
    found = api.as_(alice).get("/problems/next?variant=russian&theme=shot").json()
    assert found["variant"] == "russian"
    assert "shot" in found["themes"]
    assert api.get("/problems/next?variant=nonesuch").status_code == 404
    assert api.get("/problems/next?theme=nonesuch").status_code == 422


def test_a_member_solves_a_problem_move_by_move(api: Api, alice: User, problem: Problem) -> None:
    caller, address = api.as_(alice), f"/problems/{problem.key}/attempts"
    first = caller.post(address, {"moves": [], "move": problem.line[0]}).json()
    assert (first["right"], first["moves"], first["over"]) == (True, list(problem.line[:2]), False)
    last = caller.post(address, {"moves": first["moves"], "move": problem.line[2]}).json()
    assert (last["right"], last["over"], last["solved"], last["rated"]) == (True, True, True, False)
    assert last["standing"]["solved"] == last["standing"]["streak"] == 1


def test_a_guest_tries_and_nothing_is_kept(api: Api, problem: Problem, wrong_move: str) -> None:
    address = f"/problems/{problem.key}/attempts"
    wrong = api.post(address, {"move": wrong_move}).json()
    assert (wrong["right"], wrong["solved"], wrong["standing"]) == (False, None, None)
    assert api.post(address, {}).json()["moves"] == list(problem.line)
    assert api.post(address, {"move": "nonsense"}).status_code == 422
    assert not Attempt.objects.exists()
