"""The page of one's vacation."""

from __future__ import annotations

from datetime import timedelta
from html import escape

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict
from crownhead.server.pages.presenters import vacation
from crownhead.server.play.models import Vacation
from crownhead.server.play.problems import TooFewHours
from tests.server.pages.conftest import Open
from tests.server.play.factories import DAY, NOW, make_game

A_DAY = {"begins": "2026-03-02T10:00", "ends": "2026-03-03T10:00"}


def test_it_tells_the_hours_left_and_which_games_it_applies_to(window: Open, alice: User, bob: User) -> None:
    with_it = make_game(alice, bob, vacation=True)
    without = make_game(bob, alice, variant="italian")

    page = window(alice).get("/vacation/")

    assert "Your hours in 2026 240 of 240 hours left" in page.text
    applies, never = page.html.index("Games with vacation"), page.html.index("Games without vacation")
    assert applies < page.html.index(f"/games/{with_it.public_id}/") < never
    assert never < page.html.index(f"/games/{without.public_id}/")


def test_a_player_who_has_no_game_with_vacation_is_told(window: Open, alice: User) -> None:
    page = window(alice).get("/vacation/")

    assert "None of your current games allows vacation." in page.text
    assert "Games without vacation" not in page.text


def test_a_vacation_is_set_and_called_off(window: Open, alice: User) -> None:
    member = window(alice)

    page = member.post("/vacation/", A_DAY, follow=True)
    assert "Your vacation is planned." in page.text
    assert "2 Mar 2026, 10:00 – 3 Mar 2026, 10:00 24 hours" in page.text
    assert "216 of 240 hours left" in page.text
    page = member.post("/vacation/", {"cancel": str(Vacation.objects.get().pk)}, follow=True)

    assert "The vacation is cancelled." in page.text
    assert "240 of 240 hours left" in page.text


def test_hours_used_by_themselves_are_reported(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob, vacation=True)
    with clock.stopped(NOW + 3 * DAY + timedelta(hours=1, minutes=30)):
        member = window(alice)
        member.get(f"/games/{game.public_id}/")
        page = member.get("/vacation/")

    assert "2 hours were used automatically when your time ran out." in page.text
    assert "238 of 240 hours left" in page.text


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"begins": "soon"}, "Choose a day and a whole hour."),
        ({"ends": ""}, "Choose a day and a whole hour."),
        ({"begins": "2026-03-02T10:30"}, "Choose a whole hour, such as 14:00."),
        ({"begins": "2026-02-02T10:00"}, "Choose a time in the future."),
        ({"ends": "2026-03-02T09:00"}, "Choose a time after the start, within the next year."),
        ({"ends": "2028-03-02T09:00"}, "Choose a time after the start, within the next year."),
        ({"ends": "2026-09-02T10:00"}, "You don't have that many hours left for that year."),
    ],
)
def test_what_makes_no_sense_is_shown_beside_its_field_and_kept(
    window: Open, alice: User, change: dict[str, str], sentence: str
) -> None:
    form = A_DAY | change

    answer = window(alice).post("/vacation/", form)

    assert answer.status in {409, 422}
    assert f'<span class="field-error">{escape(sentence)}</span>' in answer.html
    assert all(f'value="{text}"' in answer.html for text in form.values())
    assert not Vacation.objects.exists()


def test_a_problem_is_shown_beside_its_field_in_any_language() -> None:
    form = vacation.VacationForm()

    form.refuse(TooFewHours("Er zijn nog 3 uren over."))
    form.refuse(Conflict("Er is dan al een andere vakantie."))

    assert form.errors == {
        "begins": "Er is dan al een andere vakantie.",
        "ends": "You don't have that many hours left for that year.",
    }


def test_two_vacations_at_a_time_are_refused(window: Open, alice: User) -> None:
    member = window(alice)
    member.post("/vacation/", A_DAY)

    answer = member.post("/vacation/", A_DAY | {"ends": "2026-03-04T10:00"})

    assert answer.status == 409
    assert "You have already planned another vacation at that time." in answer.text


@pytest.mark.parametrize("key", ["", "x", "9" * 40, "7"])
def test_only_a_vacation_of_ones_own_is_called_off(window: Open, alice: User, bob: User, key: str) -> None:
    window(bob).post("/vacation/", A_DAY)
    key = key if key != "7" else str(Vacation.objects.get().pk)

    answer = window(alice).post("/vacation/", {"cancel": key})

    assert answer.status in {404, 422}
    assert Vacation.objects.count() == 1


def test_more_games_than_fit_on_a_page_go_on_on_the_next(
    window: Open, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vacation, "GAMES_PER_PAGE", 2)
    without = make_game(alice, bob, variant="italian")
    with_it = [make_game(alice, bob, vacation=True, now=NOW + number * DAY) for number in range(2)]

    first, second = (window(alice).get(f"/vacation/{query}") for query in ("", "?page=2"))

    assert all(f"/games/{game.public_id}/" in first.html for game in with_it)
    assert f"/games/{without.public_id}/" not in first.html
    assert 'href="?page=2"' in first.html
    assert f"/games/{without.public_id}/" in second.html
    assert "None of your current games" not in second.text


def test_a_guest_signs_in_first(window: Open) -> None:
    assert window().get("/vacation/").location == "/accounts/login/?next=/vacation/"
