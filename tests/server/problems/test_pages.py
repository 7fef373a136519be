"""The pages of problems, for guests and members, without JavaScript."""

from __future__ import annotations

import json
import re
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from crownhead.problems.collection import shipped
from crownhead.problems.problem import Goal, Problem
from crownhead.server.accounts.models import User
from crownhead.server.accounts.services.closing import close
from crownhead.server.core import jobs as core_jobs
from crownhead.server.core.exports import pieces
from crownhead.server.problems import jobs, selectors, services
from crownhead.server.problems.models import Attempt, Solver
from tests.server.conftest import make_user
from tests.server.guests import browser_of, make_guest
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW
from tests.server.problems.conftest import wrong_move_of
from tests.server.test_query_bounds import counted

pytestmark = pytest.mark.django_db


def path(problem: Problem) -> str:
    return reverse("problems:problem", args=[problem.key])


def test_the_list_has_the_problem_of_the_day_and_a_choice(window: Open, alice: User) -> None:
    page = window().get("/problems/")
    assert "Problem of the day" in page.text
    assert path(selectors.daily(NOW)) in page.html
    assert '<option value="russian">' in page.html
    assert "Solving rating" not in page.text
    assert "You haven't tried a problem yet." in window(alice).get("/problems/").text
    services.give_up(user=alice, problem=selectors.daily(NOW), now=NOW)
    assert "0 of 1 solved" in window(alice).get("/problems/").text


def test_the_next_problem_is_one_of_the_kind_asked_for(window: Open) -> None:
    answer = window().client.get("/problems/next/?variant=international&theme=ending")
    assert answer.status_code == 302
    problem = selectors.problem_by_key(answer["Location"].split("/")[2])
    assert (problem.variant, "ending" in problem.themes) == ("international", True)
    assert window().client.get("/problems/next/?variant=nonesuch").status_code == 404


def test_a_page_of_practice_has_problems_of_one_kind_with_their_solutions(window: Open) -> None:
    page = window().get("/problems/practice/?variant=american&theme=shot")
    given = page.html.split('<script id="practice" type="application/json">')[1]
    data = json.loads(given.split("</script>")[0])
    by_link = {path(one): one for one in selectors.select(variant="american", theme="shot")}
    found = [by_link[one["link"]] for one in data["problems"]]
    assert len({one.key for one in found}) == 20
    assert {one.fen[0] for one in found} == {found[0].fen[0]}
    assert [one.difficulty for one in found] == sorted(one.difficulty for one in found)
    assert [tuple(one["line"]) for one in data["problems"]] == [one.line for one in found]
    assert window().client.get("/problems/practice/?variant=nonesuch").status_code == 404


def test_an_address_of_practice_has_the_same_problems_for_a_day(window: Open) -> None:
    def links(query: str) -> list[str]:
        return re.findall(r'"link": "([^"]+)"', window().get(f"/problems/practice/?theme=shot{query}").html)

    assert links("") == links("") == links("&set=1") == links("&set=none")
    assert links("") != links("&set=2")
    assert "set=3" in window().get("/problems/practice/?set=2").html


def test_practice_changes_no_rating(window: Open, alice: User) -> None:
    window(alice).get("/problems/practice/")
    assert not Attempt.objects.exists()
    assert not Solver.objects.exists()


def test_a_problem_is_solved_by_touching_squares(window: Open, problem: Problem, alice: User) -> None:
    member, address = window(alice), path(problem)
    start = problem.position().parse(problem.line[0])
    assert member.get(f"{address}?at={start.path[0]}").square(start.path[0])["data-state"] == "selected"
    chosen = problem.position().notation(start)
    touched = member.get(f"{address}?at={'-'.join(map(str, start.path))}")
    assert f'value="{chosen}" data-move' in touched.html
    moved = member.client.post(address, {"move": chosen}, follow=True)
    assert "Right! Go on." in moved.content.decode()
    done = member.client.post(
        address, {"moves": " ".join(problem.line[:2]), "move": problem.line[2]}, follow=True
    )
    text = done.content.decode()
    assert "Solved!" in text
    assert problem.source in text
    assert Attempt.objects.get(user=alice).solved


def test_a_wrong_move_can_be_tried_again(window: Open, alice: User) -> None:
    problem, member = selectors.daily(NOW), window(alice)
    wrong_move = wrong_move_of(problem)
    answer = member.client.post(path(problem), {"move": wrong_move}, follow=True)
    text = answer.content.decode()
    assert re.search(rf"{wrong_move} doesn('|&#x27;)t .*Try again\.", text)
    assert "You did not solve this problem on the first try." in text
    assert 'name="move"' in text
    assert problem.source not in text


def test_the_only_answer_to_a_wrong_move_is_told_without_a_script(window: Open) -> None:
    guest = window()
    shown = guest.get("/problems/1e31a9892f/?wrong=19-15")
    assert "19-15 doesn't win. Red must answer 10x28. Try again." in shown.text
    assert "24-20 doesn't win. Try again." in guest.get("/problems/1e31a9892f/?wrong=24-20").text


@pytest.mark.parametrize("wrong", ["nonsense", "1-5", "19-15 19-15"])
def test_a_text_that_is_no_move_is_not_called_wrong(window: Open, wrong: str) -> None:
    shown = window().get(f"/problems/1e31a9892f/?{urlencode({'wrong': wrong})}")
    assert "doesn't win" not in shown.text
    assert 'id="refuted"' not in shown.html


def test_what_does_not_reach_the_goal_is_told_by_the_goal(window: Open) -> None:
    for goal, words in (
        (Goal.WIN, "win"),
        (Goal.GAIN, "gain a decisive advantage"),
        (Goal.DRAW, "draw"),
        (Goal.HOLD, "hold the game"),
    ):
        problem = next(one for one in shipped().values() if one.goal is goal)
        wrong = wrong_move_of(problem)
        shown = window().get(f"{path(problem)}?{urlencode({'wrong': wrong})}")
        assert f"{wrong} doesn't {words}." in shown.text


def test_the_engine_asks_first_for_members_who_may_play_the_position(window: Open, alice: User) -> None:
    address = "/problems/1e31a9892f/?wrong=19-15"
    assert '"guard": "/analysis/guard/"' in window(alice).get(address).html
    assert '"guard": ""' in window().get(address).html
    assert '"guard": "/analysis/guard/"' in browser_of(make_guest()).get(address).content.decode()


def test_a_problem_by_its_address_says_that_it_does_not_count(
    window: Open, problem: Problem, alice: User
) -> None:
    services.give_up(user=alice, problem=problem, now=NOW)
    assert "doesn't change your solving rating" in window(alice).get(path(problem)).text


def test_the_solution_is_shown_to_those_who_ask(window: Open, problem: Problem) -> None:
    shown = window().client.post(path(problem), {"do": "show"}, follow=True).content.decode()
    assert "This is the solution." in shown
    assert not Attempt.objects.exists()


def test_moves_that_are_none_are_explained(window: Open, problem: Problem) -> None:
    guest = window().client
    assert guest.post(path(problem), {"move": "99-98"}).status_code == 422
    assert guest.get(path(problem), {"moves": "99-98"}).status_code == 422
    assert guest.get("/problems/nonesuch/").status_code == 404


def test_the_export_holds_attempts_and_closing_deletes_them(alice: User, problem: Problem) -> None:
    services.give_up(user=alice, problem=problem, now=NOW)
    attempts = json.loads(b"".join(pieces("problem_attempts.json", alice)))
    assert [(one["problem"], one["solved"]) for one in attempts] == [(problem.key, False)]
    assert json.loads(b"".join(pieces("problem_standing.json", alice)))["tried"] == 1
    close(user=alice, now=NOW)
    assert not Solver.objects.exists()
    host = browser_of(make_user("dora", is_staff=True, is_superuser=True))
    assert problem.key not in host.get("/staff/problems/attempt/").content.decode()
    jobs.clear_closed(NOW)
    assert not Attempt.objects.exists()


def test_attempts_of_a_closed_account_are_deleted_some_at_a_time_and_no_others(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core_jobs, "AT_ONCE", 3)
    for user in (alice, bob):
        Attempt.objects.bulk_create(
            Attempt(user=user, problem=key, solved=True, at=NOW, before=1500, after=1500)
            for key in list(shipped())[:10]
        )
    with counted() as statements:
        close(user=alice, now=NOW)
    assert not [sql for sql in statements if sql.startswith('DELETE FROM "problems_attempt"')]
    with counted() as statements:
        jobs.clear_closed(NOW)
    assert sum(sql.startswith('DELETE FROM "problems_attempt"') for sql in statements) == 4
    assert set(Attempt.objects.values_list("user", flat=True)) == {bob.pk}
