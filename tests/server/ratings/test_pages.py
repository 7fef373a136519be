"""The pages and the API of ratings, as guests and members see them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from crownhead.server.accounts.models import User
from crownhead.server.accounts.preferences import services as preferences_services
from crownhead.server.core.exports import parts, pieces
from crownhead.server.play.models import Game
from crownhead.server.ratings.models import Change
from tests.server.conftest import Api
from tests.server.pages.conftest import Open
from tests.server.play.factories import DAY, NOW, fresh, make_game, make_offer
from tests.server.ratings.factories import make_rated_game
from tests.server.ratings.test_leaderboards import rated

pytestmark = pytest.mark.django_db


def test_the_overview_names_every_game_its_leader_and_what_i_am_rated(
    window: Open, alice: User, bob: User
) -> None:
    rated([1900, 1800])
    assert "American checkers p0 1900 2 0" in window().get("/ratings/").text
    make_rated_game(alice, bob)
    page = window(alice).get("/ratings/")
    assert 'href="/players/alice/ratings/american/"' in page.html
    assert "You" in page.text
    assert 'href="/players/bob/ratings/american/"' not in page.html


def test_a_leaderboard_shows_places_figures_and_the_picture(window: Open) -> None:
    rated([1900, 1800])
    page = window().get("/ratings/american/")
    assert "1 p0 1900 1 1 0 0" in page.text
    assert "2 p1 1800" in page.text
    assert page.html.count('<rect class="bar"') == 3
    assert "1800–1849 1" in page.text
    assert "Glicko-2" in page.text


def test_a_young_club_shows_provisional_ratings_as_such_instead_of_an_empty_leaderboard(
    window: Open, alice: User, bob: User
) -> None:
    make_rated_game(alice, bob)

    board, overview = window().get("/ratings/american/").text, window().get("/ratings/").text

    assert "All ratings here are still provisional" in board
    assert "alice 1662 ? provisional 1 1 0 0 bob 1338 ? provisional 1 0 0 1" in board
    assert (
        "Played here Game Leader Players Provisional American checkers leads provisionally: alice 1662? 2 2"
        in overview
    )
    assert overview.index("American checkers") < overview.index("No ratings yet")


def test_the_graph_of_a_rating_goes_back_as_far_as_asked(window: Open, alice: User, bob: User) -> None:
    for days in (400, 200, 10, 1):
        make_rated_game(alice, bob, now=NOW - days * DAY)
    path = "/players/alice/ratings/american/"
    drawn = {span: curve(window().get(f"{path}?span={span}").html) for span in ("", "year", "quarter")}

    assert {span: line.count("L") + 1 for span, line in drawn.items()} == {"": 4, "year": 3, "quarter": 2}
    assert 'href="?span=year&amp;pace=live"' in window().get(f"{path}?span=year&pace=live").html


def test_a_graph_of_a_time_without_games_says_so(window: Open, alice: User, bob: User) -> None:
    make_rated_game(alice, bob, now=NOW - 200 * DAY)
    assert (
        "No rated games in this time." in window().get("/players/alice/ratings/american/?span=quarter").text
    )


def curve(page: str) -> str:
    """The line of a graph."""
    (found,) = re.findall(r'<path class="curve" d="([^"]+)"', page)
    return str(found)


def test_a_provisional_rating_of_long_ago_is_not_shown(window: Open, alice: User, bob: User) -> None:
    make_rated_game(alice, bob, now=NOW - 91 * DAY)

    assert "alice" not in window().get("/ratings/american/").text


def test_a_leaderboard_shows_members_their_place(window: Open, alice: User, bob: User) -> None:
    rated([1900])
    assert "You have no rating in this game yet." in window(alice).get("/ratings/american/").text
    make_rated_game(alice, bob)
    text = window(alice).get("/ratings/american/").text
    assert "provisional" in text
    assert "Play some more rated games to get on the leaderboard." in text
    (me,) = rated([1850], prefix="me")
    page = window(me).get("/ratings/american/?from=1850")
    assert "Place 2 of 2" in page.text
    assert "<tr data-mine>" in page.html
    assert "Back to the top" in page.text
    assert "p0" not in page.text.partition("Leaderboard")[2].partition("How ratings work")[0]


def test_a_long_leaderboard_comes_in_pages(window: Open) -> None:
    rated(range(1500, 1560))
    first = window().get("/ratings/american/")
    link = first.html.partition('href="?after=')[2].partition('"')[0]
    second = window().get(f"/ratings/american/?after={link}")
    assert "51 p9 1509" in second.text
    assert "60 p0 1500" in second.text
    assert "?after=" not in second.html


def test_an_empty_leaderboard_says_what_to_do_next(window: Open) -> None:
    text = window().get("/ratings/mule/").text
    assert "Nobody is on this leaderboard yet." in text
    assert "Create a rated game" in text


def test_a_history_shows_every_game_and_its_picture(window: Open, alice: User, bob: User) -> None:
    make_rated_game(alice, bob)
    game = make_rated_game(alice, bob, "0-1", now=NOW + DAY)
    page = window().get("/players/ALICE/ratings/american/")
    assert f'href="/games/{game.public_id}/"' in page.html
    assert "2 Mar 2026 bob lost 1662" in page.text
    assert "1 Mar 2026 bob won 1500 1662 +162" in page.text
    assert '<path class="curve"' in page.html
    assert "All ratings Game Rating Games American checkers 1433" in page.text


def test_a_hidden_game_is_sent_to_its_players_alone(
    window: Open, alice: User, bob: User, charlie: User
) -> None:
    game = make_rated_game(alice, bob)
    Change.objects.update(hidden=True)  # as it was when hidden games could be rated
    Game.objects.update(hidden=True)
    path = "/players/alice/ratings/american/"
    for stranger in (window(), window(charlie)):
        page = stranger.get(path)
        assert "a private game won 1500 1662" in page.text
        assert game.public_id not in page.html
        assert "bob" not in page.html
    assert "bob won" in window(bob).get(path).text
    (item,) = json.loads(Api().get("/players/alice/ratings/american").content)["items"]
    assert (item["opponent"], item["game"], item["rating"]) == (None, None, 1662)


def test_a_player_without_a_rating_has_a_page_that_says_so(window: Open, alice: User) -> None:
    assert (
        "alice has no rating in Russian draughts yet" in window().get("/players/alice/ratings/russian/").text
    )


@pytest.mark.parametrize("path", ["/ratings/chess/", "/players/nobody/ratings/american/"])
def test_what_there_is_not_is_not_found(window: Open, path: str) -> None:
    assert window().get(path).status == 404


def test_a_wrong_cursor_is_reported_in_a_page(window: Open) -> None:
    answer = window().get("/ratings/american/?after=nonsense")
    assert answer.status == 400


def test_the_api_tells_ratings_history_leaderboard_and_distribution(api: Api, alice: User, bob: User) -> None:
    game = make_rated_game(alice, bob)
    rated([1900, 1800])
    (rating,) = json.loads(api.get("/players/alice/ratings").content)
    assert rating["variant"] == "american"
    assert (rating["rating"], rating["provisional"], rating["won"], rating["highest"]) == (
        1662,
        True,
        1,
        None,
    )
    history = json.loads(api.get("/players/alice/ratings/american").content)
    assert history["next"] is None
    assert history["items"][0] | {"deviation": 0, "at": ""} == {
        "at": "",
        "opponent": "bob",
        "game": game.public_id,
        "result": "won",
        "pace": "correspondence",
        "on_time": False,
        "before": 1500,
        "rating": 1662,
        "deviation": 0,
    }
    leaders = json.loads(api.get("/ratings/american", limit=1).content)
    assert leaders["items"][0]["username"] == "p0"
    after = json.loads(api.get("/ratings/american", limit=1, cursor=leaders["next"]).content)
    assert [(line["place"], line["username"]) for line in after["items"]] == [(2, "p1")]
    spread = json.loads(api.get("/ratings/american/distribution").content)
    assert [column["players"] for column in spread] == [1, 0, 1]


@pytest.mark.parametrize(
    "path",
    ["/ratings/chess", "/ratings/chess/distribution", "/players/x/ratings", "/players/x/ratings/american"],
)
def test_the_api_finds_nothing_where_there_is_nothing(api: Api, path: str) -> None:
    assert api.get(path).status_code == 404


def test_the_archive_of_ones_data_holds_ratings_and_changes(alice: User, bob: User) -> None:
    game = make_rated_game(alice, bob)
    assert {"ratings.json", "rating_changes.json"} <= set(parts())
    (rating,) = _part("ratings.json", alice)
    assert (rating["variant"], rating["points"], rating["games"]) == ("american", 1662, 1)
    (change,) = _part("rating_changes.json", alice)
    assert (change["game"], change["opponent"], change["result"]) == (game.public_id, "bob", "won")
    assert fresh(game).rated


def _part(name: str, user: User) -> Any:
    return json.loads(b"".join(pieces(name, user)))


def test_a_game_shows_ratings_beside_the_names_and_what_it_has_made_of_them(
    window: Open, alice: User, bob: User
) -> None:
    game = make_rated_game(alice, bob)
    text = window().get(f"/games/{game.public_id}/").text
    assert "alice 1662 +162 bob 1338 −162" in text
    assert "bob 1338 ? provisional White" in text
    running = make_game(alice, bob, rated=True)
    text = window(bob).get(f"/games/{running.public_id}/").text
    assert "alice 1662 ? provisional Red" in text
    assert "+162" not in text


def test_the_waiting_room_shows_ratings_with_one_question(
    window: Open, alice: User, bob: User, charlie: User
) -> None:
    make_rated_game(alice, bob)
    make_offer(alice)
    make_offer(alice, variant="russian")
    make_offer(charlie)
    assert window().get("/waiting-room/").text.count("1662 ? provisional") == 1
    with CaptureQueriesContext(connection) as queries:
        window().get("/waiting-room/")
    about = [query for query in queries.captured_queries if "ratings_playerrating" in query["sql"]]
    assert len(about) == 1


def test_guests_do_not_see_a_profile_for_members_only(window: Open, api: Api, alice: User, bob: User) -> None:
    make_rated_game(alice, bob)
    preferences_services.set_preferences(user=alice, changes={"visibility": "members"})
    path = "/players/alice/ratings/american"
    assert window().get(f"{path}/").location.startswith("/accounts/login/")
    assert "1662" in window(bob).get(f"{path}/").text
    for address in ("/players/alice/ratings", path):
        assert api.get(address).status_code == 401
        assert api.as_(bob).get(address).status_code == 200
