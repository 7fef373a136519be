"""The page of a live game of a tournament: the way back, and how soon a player must come to the board."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs, services
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict
from crownhead.server.play.invitations.services import invite_again
from crownhead.server.play.models import Game, Seat
from crownhead.server.play.presenters.state import legal_moves
from tests.server.competitions.factories import LIVE, make_running_tournament, open_rows, opponents, play_out
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW, fresh, play_moves

pytestmark = pytest.mark.django_db

ARENA: dict[str, Any] = {"format": "arena", "game": LIVE, "minutes": 60, "no_show_minutes": 2}
SHORT = "first move within 2 min"
SOON = "Make your first move within 2 minutes of your turn, or you lose the game."


def test_after_a_live_game_of_an_arena_players_go_back_to_it_and_not_into_a_rematch(
    alice: User, window: Open
) -> None:
    tournament, _ = make_running_tournament(alice, 4, **ARENA)
    (row, *_) = open_rows(tournament)
    first, second = opponents(row)
    play_out(row.game_id or "", winner=Seat.FIRST)
    for player in (first, second):
        page = window(player).get(f"/games/{row.game_id}/")
        assert "The arena pairs you with your next opponent by itself." in page.text
        assert "Back to Spring cup" in page.text
        assert "Rematch" not in page.text
        assert "A message with the invitation" not in page.text
    assert "Back to Spring cup" not in window(alice).get(f"/games/{row.game_id}/").text
    with pytest.raises(Conflict, match="there is no rematch"):
        invite_again(user=first, game_id=row.game_id or "", message="", now=NOW)
    with clock.stopped(NOW + timedelta(hours=1)):
        jobs.advance_due(NOW + timedelta(hours=1))
        over = window(first).get(f"/games/{row.game_id}/")
    assert "The arena pairs" not in over.text
    assert "Back to Spring cup" in over.text


def test_after_a_slow_game_of_a_tournament_a_rematch_is_the_second_thing_to_do(
    alice: User, window: Open
) -> None:
    tournament, _ = make_running_tournament(alice, 3)
    row = open_rows(tournament)[0]
    play_out(row.game_id or "", winner=Seat.FIRST)
    page = window(opponents(row)[0]).get(f"/games/{row.game_id}/")
    assert page.text.index("Back to Spring cup") < page.text.index("Rematch")
    assert 'data-kind="second" name="do" value="again"' in page.html


def test_who_loses_without_a_first_move_reads_how_soon_it_is_due_until_they_have_moved(
    alice: User, window: Open
) -> None:
    tournament, _ = make_running_tournament(alice, 4, **ARENA)
    game = Game.objects.get(public_id=open_rows(tournament)[0].game_id)
    first, second = opponents(open_rows(tournament)[0])

    def told() -> list[bool]:
        address = f"/games/{game.public_id}/"
        texts = [window(user).get(address).text for user in (first, second, alice)]
        assert [SHORT in text for text in texts] == [SOON in text for text in texts]
        return [SOON in text for text in texts]

    assert told() == [True, True, False]
    play_moves(game, legal_moves(game)[0].notation)
    assert told() == [False, True, False]
    game = play_moves(game, legal_moves(fresh(game))[0].notation)
    assert told() == [False, False, False]


def test_the_page_of_a_no_show_names_who_did_not_come(alice: User, window: Open) -> None:
    tournament, _ = make_running_tournament(alice, 4, **ARENA)
    (row, *_) = open_rows(tournament)
    absent, present = opponents(row)
    with clock.stopped(NOW + timedelta(minutes=3)):
        assert jobs.forfeit_no_shows(NOW + timedelta(minutes=3)) == 2
        pages = [window(user).get(f"/games/{row.game_id}/").text for user in (absent, present, alice)]
    assert "Reason: You did not come to the board in time." in pages[0]
    for page in pages[1:]:
        assert f"Reason: {absent.username} did not come to the board in time." in page
    assert not any("at least two moves" in page for page in pages)


def test_no_first_move_is_due_while_the_game_is_adjourned(alice: User, window: Open) -> None:
    tournament, _ = make_running_tournament(alice, 4, game=LIVE, no_show_minutes=2)
    row = open_rows(tournament)[0]
    until = NOW + timedelta(days=1)
    services.adjourn(
        user=alice,
        tournament_id=tournament.public_id,
        number=1,
        table=row.pairing.table,
        until=until,
        reason="The hall is closed.",
        now=NOW,
    )
    for now, is_told in ((NOW, False), (until, True)):
        with clock.stopped(now):
            page = window(opponents(row)[0]).get(f"/games/{row.game_id}/")
        assert (SOON in page.text) == (SHORT in page.text) == is_told
