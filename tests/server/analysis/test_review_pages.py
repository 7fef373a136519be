"""The page of a review: its graph, its mistakes as questions, and reviews that a browser has made."""

from __future__ import annotations

import json
import re
from html import escape
from itertools import pairwise
from typing import Any

import pytest
from pytest_django import Settings

from crownhead import Game as Record
from crownhead import Position
from crownhead.server.accounts.models import User
from crownhead.server.analysis.choices import Depth
from crownhead.server.analysis.models import Review
from crownhead.server.pages.presenters.review.graph import graph_of
from crownhead.server.pages.presenters.review.phases import Phase, phases
from crownhead.server.play.draws.services import resign
from crownhead.server.play.models import Game
from crownhead.server.play.templatetags.whole_moves import whole_moves
from tests.server.analysis.engine_tasks import run_engine_tasks
from tests.server.analysis.reviewed_games import ANSWERS, BLUNDER, ask, over
from tests.server.conftest import clear_caches
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW, make_game, make_game_from, play_moves

FAULT = len(BLUNDER)  # the ply of the move that gives a man


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few positions a move."""
    monkeypatch.setattr(Depth.QUICK, "_value_", 20_000)


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """A finished game without a review."""
    return over(alice, bob)


@pytest.fixture
def reviewed(alice: User, game: Game) -> str:
    """The address of the review of a game."""
    ask(alice, game)
    run_engine_tasks()
    return f"/games/{game.public_id}/review/"


def data_of(html: str) -> dict[str, Any]:
    """What the script of the page is told."""
    found = re.search(r'<script id="review" type="application/json">(.*?)</script>', html, re.DOTALL)
    assert found
    told: dict[str, Any] = json.loads(found[1])
    return told


def made_by_a_browser(review: Review) -> str:
    """The review as a browser sends it."""
    return json.dumps(review.plies)


def test_a_review_opens_at_the_first_mistake(window: Open, reviewed: str) -> None:
    page = window().get(reviewed)
    assert "<strong data-text>19-16??</strong>" in page.html
    assert "<strong data-text>25-22</strong>" in window().get(f"{reviewed}?ply=10").html


def test_a_move_of_each_side_stands_in_a_row(window: Open, reviewed: str) -> None:
    page = window().get(reviewed).html
    (third,) = re.findall(r"<tr>\s*<th scope=\"row\">3\.</th>.*?</tr>", page, re.DOTALL)
    assert re.findall(r'data-ply="(\d+)"', third) == ["5", "6"]
    assert re.findall(r'<th scope="col">(\w+)</th>', page) == ["Red", "White"]


def test_links_lead_from_one_mistake_to_the_next(window: Open, reviewed: str) -> None:
    faults = [
        int(ply) for ply, move in data_of(window().get(reviewed).html)["moves"].items() if "path" in move
    ]
    assert FAULT in faults
    assert leads(window().get(f"{reviewed}?ply=0").html) == {"before": None, "after": faults[0]}
    assert leads(window().get(f"{reviewed}?ply={faults[-1]}").html)["after"] is None
    assert leads(window().get(f"{reviewed}?ply=10").html)["before"] == faults[-1]


def leads(html: str) -> dict[str, int | None]:
    """Where the links to the mistakes before and after lead."""
    links = re.findall(r'href="\?ply=(\d+)" data-ply="\1"\s+data-fault="(\w+)"( hidden)?>', html)
    return {name: None if hidden else int(ply) for ply, name, hidden in links}


def test_the_graph_has_axes_phases_and_a_cursor(window: Open, reviewed: str) -> None:
    page = window().get(f"{reviewed}?ply=0").html
    chart = page.split("data-graph")[1].split("</svg>")[0]
    for word in ("White", "equal", "Red", "Opening"):
        assert f">{word}</text>" in chart
    assert "data-cursor" in chart
    assert chart.count('class="point"') == page.count("data-mark=")


def test_the_cursor_stands_at_the_ply_and_the_curve_spans_the_plot() -> None:
    record = Record("american")
    for move in (*BLUNDER, *ANSWERS):
        record.push(move)
    graph = graph_of(record, {}, (), ply=5)
    assert graph.curve == graph.area == ""
    assert (
        graph.cursor == (graph_of(record, {}, (), ply=0).cursor + graph_of(record, {}, (), ply=10).cursor) / 2
    )
    assert [tick.text for tick in graph.numbers] == ["1", "2", "3", "4", "5"]


def test_names_of_phases_do_not_run_into_each_other() -> None:
    record = Record("american")
    while record.outcome() is None and len(record.moves) < 100:
        captures_first = sorted(record.position.legal_moves(), key=lambda move: -len(move.captures))
        record.push(captures_first[0])
    ticks = graph_of(record, {}, (), ply=0).phases
    assert len(ticks) == 3
    shown = [tick.span for tick in ticks if tick.text]
    assert 0 < len(shown) < 3
    assert all(before[1] <= after[0] for before, after in pairwise(shown))


def test_a_line_breaks_between_moves_and_not_within_them(window: Open, reviewed: str) -> None:
    line = window().get(reviewed).html.split("Better:")[1].split("</a>")[0].split(">", 1)[1]
    assert re.fullmatch(r'(<span class="whole-move">\d+[-x]\d+(x\d+)*</span> ?){2,}', line)


@pytest.mark.parametrize("name", ["ada-2", "5 < 6 & 7"])
def test_what_is_no_move_stays_as_it_is(name: str) -> None:
    assert whole_moves(name) == escape(name)


def test_no_phase_comes_back() -> None:
    pieces = (24, 22, 20, 21, 8, 9, 3)
    positions = [
        Position.from_fen(f"W:W32:B{','.join(map(str, range(1, count)))}", "american") for count in pieces
    ]
    assert phases(positions) == [Phase.OPENING, Phase.OPENING, *[Phase.MIDDLEGAME] * 2, *[Phase.ENDGAME] * 3]


def test_a_mistake_becomes_a_question(window: Open, reviewed: str) -> None:
    asked = f"{reviewed}?retry={FAULT}"
    page = window().get(asked)
    assert "White to move. Find a better move than 19-16." in page.text
    question = data_of(page.html)["question"]
    assert (question["ply"], question["played"]) == (FAULT, "19-16")
    assert question["best"] not in page.text.split("Moves and evaluations")[0].split("Find a better move")[0]
    assert 'class="shaft"' not in page.html
    assert "Right!" in window().get(f"{asked}&move={question['best']}").text
    assert "19-16 was played in the game." in window().get(f"{asked}&move=19-16").text
    refused = window().get(f"{asked}&move=32-1").html
    assert '<span class="whole-move">32-1</span> can&#x27;t be played here.' in refused
    others = {"24-20", "24-19", "25-22", "26-22"} - {question["best"]}
    legal = next(
        move for move in sorted(others) if "not the engine" in window().get(f"{asked}&move={move}").text
    )
    assert "Try again." in window().get(f"{asked}&move={legal}").text


def test_a_question_that_is_none_shows_the_review(window: Open, reviewed: str) -> None:
    for asked in ("1", "999999999", "x", "0"):
        assert "Find a better move than" not in window().get(f"{reviewed}?retry={asked}").text


def test_squares_can_be_touched_to_answer_a_question(window: Open, reviewed: str) -> None:
    page = window().get(f"{reviewed}?retry={FAULT}&at=24")
    assert "Choose where it goes." in page.text


def test_a_browser_has_a_review_shown_that_is_stored_nowhere(
    window: Open, alice: User, game: Game, reviewed: str
) -> None:
    review = Review.objects.get()
    page = window().get(reviewed).html
    Review.objects.all().delete()
    assert "Review in this browser" in window().get(reviewed).text
    shown = window().post(f"{reviewed}from-browser/", {"plies": made_by_a_browser(review), "depth": "quick"})
    assert shown.status == 200
    assert "data-from-browser" in shown.html
    assert data_of(shown.html)["moves"] == data_of(page)["moves"]
    assert "19-16??" in shown.text
    assert "Download the review" not in shown.text
    assert not Review.objects.exists()
    question = window().post(
        f"{reviewed}from-browser/", {"plies": made_by_a_browser(review), "retry": str(FAULT)}
    )
    assert "Find a better move than 19-16." in question.text
    assert window().get(f"{reviewed}from-browser/").location == reviewed


def plies(count: int, **changes: object) -> str:
    one = {"score": 0, "moves": [], "path": [], "proven": True, "best": False, **changes}
    return json.dumps([one] * count)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "[" * 100_000,
        plies(10),
        plies(12),
        plies(11, score=30_001),
        plies(11, score="0"),
        plies(11, score=1.5),
        plies(11, path=[0]),
        plies(11, path=[33]),
        plies(11, moves=["<b>"]),
        plies(11, moves=["11-15"] * 13),
        plies(11, more=1),
    ],
)
def test_what_is_no_review_of_the_game_is_refused(window: Open, game: Game, text: str) -> None:
    answer = window().post(f"/games/{game.public_id}/review/from-browser/", {"plies": text})
    assert answer.status == 422
    assert "This is not a review of this game." in answer.text


def test_a_browser_is_told_the_positions_it_must_not_look_at(
    window: Open, alice: User, bob: User, game: Game
) -> None:
    play_moves(make_game(bob, alice), *BLUNDER)
    address = f"/games/{game.public_id}/review/"
    assert FAULT in data_of(window(alice).get(address).html)["making"]["barred"]
    assert data_of(window().get(address).html)["making"]["barred"] == []
    shown = window(alice).post(f"{address}from-browser/", {"plies": plies(11, score=300)})
    assert str(FAULT) not in data_of(shown.html)["moves"]


def test_a_browser_shows_no_review_of_a_game_that_goes_on(window: Open, alice: User, bob: User) -> None:
    running = play_moves(make_game(alice, bob), "11-15")
    answer = window(alice).post(f"/games/{running.public_id}/review/from-browser/", {"plies": plies(2)})
    assert answer.status == 409


def test_a_busy_club_says_that_a_review_may_have_to_wait(
    window: Open, alice: User, bob: User, game: Game
) -> None:
    address = f"/games/{game.public_id}/review/"
    assert "may have to wait" not in window().get(address).text
    for _ in range(3):
        ask(alice, over(alice, bob))
    assert "may have to wait" in window().get(address).text


def test_the_review_of_a_long_game_counts_as_several_pages_of_a_guest(
    window: Open, alice: User, bob: User, settings: Settings
) -> None:
    game = make_game_from("W:WK32:BK1", alice, bob)
    there_and_back = ("32-27 1-6 27-32 6-1 " * 75).strip()
    Game.objects.filter(pk=game.pk).update(moves=there_and_back, version=300)
    resign(user=alice, game_id=game.public_id, now=NOW)
    address = f"/games/{game.public_id}/review/"
    settings.LIMITS = settings.LIMITS | {"pages": "8/10m"}

    assert window().get(address).status == 200  # a page, and three for its length
    assert window().get(address).status == 200
    assert window().get(address).status == 429
    assert window(alice).get(address).status == 200

    settings.LIMITS = settings.LIMITS | {"pages": "12/10m"}
    assert window().post(f"{address}from-browser/", {"plies": "[]"}).status == 429
    clear_caches()
    settings.LIMITS = settings.LIMITS | {"pages": "13/10m"}
    record = address.rstrip("/") + ".pdn"
    assert window().get(record).status == 404  # a page, and twelve for its length; it has no review yet
    assert window().get(record).status == 429

    settings.LIMITS = settings.LIMITS | {"api": "7/10m"}
    answers = [window().client.get(f"/api/v1/games/{game.public_id}/review").status_code for _ in range(2)]
    assert answers == [404, 429]  # a request, and six for its length


def test_what_is_long_counts_for_members_too_and_nothing_else_does(
    window: Open, alice: User, bob: User, settings: Settings
) -> None:
    game = make_game_from("W:WK32:BK1", alice, bob)
    there_and_back = ("32-27 1-6 27-32 6-1 " * 75).strip()
    Game.objects.filter(pk=game.pk).update(moves=there_and_back, version=300)
    resign(user=alice, game_id=game.public_id, now=NOW)
    settings.LIMITS = settings.LIMITS | {"pages": "10/10m"}
    long_ones = [
        f"/games/{game.public_id}/review/",
        f"/games/{game.public_id}.pdn",
        "/games/finished/all.pdn",
    ]

    assert [window(alice).get(address).status for address in long_ones] == [200] * 3  # three pages each
    assert [window(alice).get(address).status for address in long_ones] == [429] * 3
    door = window(alice).client
    for path in (f"games/{game.public_id}.pdn", "games.pdn"):
        assert door.get(f"/api/v1/{path}").status_code == 429
    assert window(alice).get(f"/games/{game.public_id}/").status == 200
    assert window(bob).get(long_ones[1]).status == 200
