"""Pages and API hold for the problems of each variant, whatever its board and its aim."""

from __future__ import annotations

import pytest
from django.urls import reverse

from crownhead import VARIANTS
from crownhead.problems.problem import Problem
from crownhead.server.play.presenters.board.words import side
from crownhead.server.problems import selectors
from tests.server.conftest import Api
from tests.server.pages.conftest import Open

pytestmark = pytest.mark.django_db

every_variant = pytest.mark.parametrize("key", VARIANTS)


def one_of(key: str) -> Problem:
    """A problem with an answer of the defence, where there is one."""
    return max(selectors.select(variant=key), key=lambda problem: (len(problem.line) > 1, problem.key))


@every_variant
def test_a_problem_is_solved_on_its_page(window: Open, key: str) -> None:
    problem, guest = one_of(key), window()
    address = reverse("problems:problem", args=[problem.key])
    position = problem.position()
    assert side(position.turn, position.variant) in guest.get(address).text
    for ply in range(0, len(problem.line), 2):
        sent = {"moves": " ".join(problem.line[:ply]), "move": problem.line[ply]}
        answer = guest.client.post(address, sent, follow=True).content.decode()
    assert "Solved!" in answer
    assert problem.source in answer


@every_variant
def test_problems_are_practised_and_offered_to_programs(window: Open, api: Api, key: str) -> None:
    page = window().get(f"/problems/practice/?variant={key}")
    assert f'"rules": "/api/v1/variants/{key}/rules"' in page.html
    assert api.get(f"/variants/{key}/rules").status_code == 200
    found = api.get(f"/problems/next?variant={key}").json()
    assert found["variant"] == key
    assert api.post(f"/problems/{found['id']}/attempts", {}).json()["over"]
