"""The profile of a player: who they are, how they play, and what visitors can do."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from crownhead.server.accounts.contacts import services as contact_services
from crownhead.server.accounts.models import User
from crownhead.server.accounts.preferences import services as preferences_services
from crownhead.server.accounts.services import closing
from crownhead.server.core import clock
from crownhead.server.play.draws.services import accept_draw, offer_draw, resign
from crownhead.server.play.games.selectors.replay import replay_game
from tests.server.conftest import make_user
from tests.server.people.conftest import NOW, window_of
from tests.server.play.factories import make_game, play_moves

pytestmark = pytest.mark.django_db


def over(first: User, second: User, *, loser: User | None, **options: Any) -> str:
    """A game that the loser has resigned after some moves, or that was drawn."""
    game = play_moves(make_game(first, second, **options), "11-15", "22-18", "15x22", "25x18")
    if loser is not None:
        return resign(user=loser, game_id=game.public_id, now=NOW).public_id
    offer_draw(user=first, game_id=game.public_id, now=NOW)
    return accept_draw(user=second, game_id=game.public_id, now=NOW).public_id


def make_game_over(first: User, second: User, **options: Any) -> None:
    """A game that the first has resigned after two moves by each side."""
    game = make_game(first, second, **options)
    for _ in range(4):
        position = replay_game(game).position
        game = play_moves(game, position.notation(position.legal_moves()[0]))
    resign(user=first, game_id=game.public_id, now=NOW)


def test_a_guest_reads_who_somebody_is(alice: User) -> None:
    preferences_services.set_profile(
        now=NOW, user=alice, text="I **love** mule. <script>alert(1)</script>", country="CZ"
    )
    page = window_of().get("/players/ALICE/")
    assert page.status == 200
    assert "<strong>love</strong>" in page.html
    assert "<script>alert" not in page.html
    assert "Czechia" in page.text
    assert "alice has not played yet." in page.text
    assert "Add to buddies" not in page.text


def test_nobody_has_that_name(alice: User) -> None:
    assert window_of().get("/players/nobody/").status == 404
    assert window_of().get("/players/nobody/games/").status == 404


def test_a_former_name_leads_to_the_player(alice: User) -> None:
    with clock.stopped(NOW):
        closing.rename(user=alice, name="Alicia", now=NOW)
        assert window_of().get("/players/alice/").location == "/players/Alicia/"
        assert window_of().get("/players/alice/games/").location == "/players/Alicia/games/"
    with clock.stopped(NOW + closing.NAME_IS_KEPT):
        assert window_of().get("/players/alice/").status == 404


def test_results_are_counted_by_variant_and_seen_from_the_players_side(alice: User, bob: User) -> None:
    over(alice, bob, loser=bob)
    over(bob, alice, loser=bob)
    over(alice, bob, loser=alice)
    over(alice, bob, loser=None)
    page = window_of().get("/players/alice/")
    assert "American checkers – 2 1 1" in page.text
    assert "American checkers – 1 1 2" in window_of().get("/players/bob/").text


def test_only_their_own_results_are_told_to_a_player_as_theirs(alice: User, bob: User) -> None:
    over(alice, bob, loser=bob)
    for path in ("/players/alice/", "/players/alice/games/"):
        assert "You won by resignation." in window_of(alice).get(path).text
        for reader in (None, bob):
            text = window_of(reader).get(path).text
            assert "Red wins by resignation." in text
            assert "You won" not in text


def test_rated_games_show_a_rating_with_its_course(alice: User, bob: User) -> None:
    over(alice, bob, loser=bob, rated=True)
    page = window_of(bob).get("/players/alice/")
    assert "Rating: American checkers" in page.text
    assert '<path class="curve"' in page.html
    assert "/players/alice/ratings/american/" in page.html


def test_a_profile_names_the_best_wins_and_shows_how_much_somebody_plays(
    alice: User, bob: User, charlie: User
) -> None:
    over(bob, charlie, loser=charlie, rated=True)
    for opponent in (charlie, bob):
        won = over(alice, opponent, loser=opponent, rated=True)
    with clock.stopped(NOW):
        page = window_of().get("/players/alice/")
    best = page.text.partition("Best wins: American checkers")[2].partition("Activity")[0]

    assert best.index("bob") < best.index("charlie")
    assert best.count("charlie") == 1
    assert f'href="/games/{won}/"' in page.html
    assert "2 games in the last 13 weeks, at most 2 in one" in page.text
    assert page.html.count('<rect class="bar"') == 13
    assert "games finished in each of the last 13 weeks. 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2" in page.html
    assert "Favourites:" not in page.text


def test_a_profile_names_favourite_variants_most_games_first(alice: User, bob: User) -> None:
    make_game_over(alice, bob, variant="russian")
    for _ in range(2):
        over(alice, bob, loser=bob)
    assert "Favourites: American checkers, Russian draughts" in window_of().get("/players/bob/").text


def test_hidden_games_are_for_their_players_alone(alice: User, bob: User, charlie: User) -> None:
    over(alice, bob, loser=bob, hidden=True)
    for viewer, seen in ((None, False), (charlie, False), (bob, True), (alice, True)):
        page = window_of(viewer).get("/players/alice/")
        assert ("American checkers – 1 0 0" in page.text) is seen
        assert ("Recent games" in page.text) is seen
        assert ("bob" in window_of(viewer).get("/players/alice/games/").html) is seen or viewer == bob


def test_games_in_progress_and_over_are_listed_with_filters(alice: User, bob: User, charlie: User) -> None:
    running = make_game(alice, charlie).public_id
    ended = over(alice, bob, loser=bob)
    first = window_of().get("/players/alice/")
    assert f"/games/{running}/" in first.html
    assert f"/games/{ended}/" in first.html
    finished = window_of().get("/players/alice/games/")
    assert f"/games/{ended}/" in finished.html
    assert f"/games/{running}/" not in finished.html
    assert f"/games/{running}/" in window_of().get("/players/alice/games/?show=running").html
    assert "No matching games." in window_of().get("/players/alice/games/?opponent=charlie").text
    assert f"/games/{ended}/" in window_of().get("/players/alice/games/?opponent=BOB&variant=american").html


def test_a_profile_for_members_tells_guests_nothing(alice: User, bob: User) -> None:
    over(alice, bob, loser=bob)
    preferences_services.set_profile(now=NOW, user=alice, text="My secret", country="NL")
    preferences_services.set_preferences(user=alice, changes={"visibility": "members"})
    guest = window_of().get("/players/alice/")
    assert "Only members can see the profile of alice" in guest.text
    assert not any(word in guest.text for word in ("My secret", "Netherlands", "Recent games", "Results"))
    assert window_of().get("/players/alice/games/").location.startswith("/accounts/login/")
    member = window_of(bob).get("/players/alice/")
    assert "My secret" in member.text
    assert "Results" in member.text


def test_a_player_who_is_here_says_so_unless_they_do_not_want_to(alice: User) -> None:
    User.objects.update(last_seen_at=NOW)
    with clock.stopped(NOW + timedelta(minutes=1)):
        assert "online" in window_of().get("/players/alice/").text
    with clock.stopped(NOW + timedelta(days=1)):
        assert "last seen on 1 Mar 2026" in window_of().get("/players/alice/").text
    preferences_services.set_preferences(user=alice, changes={"show_here": False})
    with clock.stopped(NOW + timedelta(minutes=1)):
        page = window_of().get("/players/alice/")
    assert "online" not in page.text
    assert "last seen" not in page.text


def test_the_games_of_a_closed_account_stay(alice: User, bob: User) -> None:
    ended = over(alice, bob, loser=bob)
    closing.close(user=bob, now=NOW)
    bob.refresh_from_db()
    page = window_of(alice).get(f"/players/{bob.username}/")
    assert "closed account" in page.text
    assert f"/games/{ended}/" in page.html
    assert not any(word in page.text for word in ("Invite", "Send a message", "Block"))
    assert window_of().get("/players/bob/").status == 404


def test_one_may_invite_and_write_to_others_only(alice: User, bob: User) -> None:
    other, mine = window_of(alice).get("/players/bob/"), window_of(alice).get("/players/alice/")
    assert "/new/?opponent=bob" in other.html
    assert "/messages/new/?to=bob" in other.html
    assert "Edit profile" not in other.text
    assert "Edit profile" in mine.text
    assert not any(word in mine.text for word in ("Invite to a game", "Add to buddies"))


def test_the_note_on_a_buddy_is_for_their_own_eyes(alice: User, bob: User, charlie: User) -> None:
    contact_services.add_buddy(user=alice, other=bob, note="a rival", now=NOW)
    assert "a rival" in window_of(alice).get("/players/bob/").html
    for viewer in (None, bob, charlie):
        assert "a rival" not in window_of(viewer).get("/players/bob/").html


def test_a_profile_shows_the_latest_games_of_both_seats(alice: User, bob: User) -> None:
    with_each_seat = [over(*pair, loser=bob) for _ in range(3) for pair in ((alice, bob), (bob, alice))]
    running = [make_game(*pair).public_id for pair in ((alice, bob), (bob, alice))]
    html = window_of(bob).get("/players/alice/").html
    shown = [name for name in with_each_seat if f"/games/{name}/" in html]
    places = [html.index(f"/games/{name}/") for name in shown]
    assert (shown, places) == (with_each_seat[1:], sorted(places, reverse=True))
    assert all(f"/games/{name}/" in html for name in running)


def test_a_profile_costs_no_more_for_more_games(
    alice: User, bob: User, django_assert_max_num_queries: Any
) -> None:
    for _ in range(8):
        over(alice, bob, loser=bob, rated=True)
        make_game(alice, bob)
    window = window_of(bob)
    window.get("/players/alice/")
    with django_assert_max_num_queries(22):
        assert window.get("/players/alice/").status == 200


def test_pictures_of_names_are_drawn_kept_and_differ(client: Any) -> None:
    answer = client.get("/players/alice/avatar.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer.content.startswith(b"<svg ")
    assert "max-age=31536000" in answer["Cache-Control"]
    assert "public" in answer["Cache-Control"]
    assert client.get("/players/ALICE/avatar.svg").content == answer.content
    assert client.get("/players/bob/avatar.svg").content != answer.content
    again = client.get("/players/alice/avatar.svg", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_picture_does_not_tell_whether_there_is_such_a_player(client: Any, alice: User) -> None:
    assert client.get("/players/nobody/avatar.svg").status_code == 200
    make_user("nobody")
    assert client.get("/players/nobody/avatar.svg").status_code == 200
