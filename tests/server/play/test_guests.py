"""What guests may play, with whom and how much: unrated single games, without chat, so many at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pytest_django import Settings

from crownhead.server.accounts.models import User
from crownhead.server.accounts.preferences.services import set_preferences
from crownhead.server.play import problems, selectors
from crownhead.server.play.chat.services import send_message
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.games.services import create_game, join
from crownhead.server.play.invitations import services as invitations
from crownhead.server.play.invitations.selectors import link_token
from crownhead.server.play.models import Game
from crownhead.server.play.moves.services import play_move
from crownhead.server.play.presenters.state import game_state
from tests.server.guests import make_guest
from tests.server.play.factories import NOW, api_of, fresh, make_game, make_offer, play_moves

pytestmark = pytest.mark.django_db

TERMS = GameOptions(variant="american", colour="first", days_per_move=3)


@pytest.fixture
def guest(db: None) -> User:
    """Somebody without an account."""
    return make_guest()


def game_by_link(creator: User, friend: User, **terms: Any) -> Game:
    """A game in progress that was taken by its link."""
    offered = invitations.offer_by_link(creator=creator, options=replace(TERMS, **terms), now=NOW)
    return invitations.accept_link(user=friend, token=link_token(offered), now=NOW)


def test_two_guests_play_by_a_link(guest: User) -> None:
    friend = make_guest()
    game = play_moves(game_by_link(guest, friend), "11-15", "22-18", "15x22")
    assert (game.first_player, game.second_player, game.rated, game.version) == (guest, friend, False, 3)


def test_a_game_by_link_is_in_no_list_and_hidden_from_others(guest: User, alice: User) -> None:
    offered = invitations.offer_by_link(creator=guest, options=TERMS, now=NOW)
    assert not offered.open
    assert not selectors.waiting_games(now=NOW).exists()
    assert api_of(alice).get(f"/games/{offered.public_id}").status_code == 404
    with pytest.raises(Exception, match="no game"):
        join(user=alice, game_id=offered.public_id, now=NOW)


def test_a_member_makes_links_too_also_for_rated_games(alice: User, bob: User, guest: User) -> None:
    offered = invitations.offer_by_link(creator=alice, options=replace(TERMS, rated=True), now=NOW)
    with pytest.raises(problems.MembersOnly):
        invitations.accept_link(user=guest, token=link_token(offered), now=NOW)
    assert invitations.accept_link(user=bob, token=link_token(offered), now=NOW).rated


@pytest.mark.parametrize("terms", [{"rated": True}, {"games": 2}, {"wins": 3}, {"min_rating": 1400}])
def test_a_guest_offers_single_unrated_games_for_anybodys_rating(guest: User, terms: dict[str, Any]) -> None:
    with pytest.raises(problems.MembersOnly):
        invitations.offer_by_link(creator=guest, options=replace(TERMS, **terms), now=NOW)
    assert not Game.objects.exists()


def test_a_guest_offers_nothing_in_the_waiting_room(guest: User) -> None:
    with pytest.raises(problems.MembersOnly):
        create_game(creator=guest, options=TERMS, now=NOW)


def test_a_guest_takes_a_casual_offer(guest: User, alice: User) -> None:
    game = join(user=guest, game_id=make_offer(alice).public_id, now=NOW)
    assert (game.status, game.second_player) == ("playing", guest)


@pytest.mark.parametrize("terms", [{"rated": True}, {"games": 2}, {"max_rating": 2000}])
def test_other_offers_are_for_members(guest: User, alice: User, terms: dict[str, Any]) -> None:
    offer = make_offer(alice, **terms)
    with pytest.raises(problems.MembersOnly):
        join(user=guest, game_id=offer.public_id, now=NOW)
    assert fresh(offer).status == "waiting"


def test_a_member_may_play_with_members_only(guest: User, alice: User) -> None:
    set_preferences(user=alice, changes={"guests": False})
    with pytest.raises(problems.MembersOnly):
        join(user=guest, game_id=make_offer(alice).public_id, now=NOW)
    token = link_token(invitations.offer_by_link(creator=alice, options=TERMS, now=NOW))
    with pytest.raises(problems.MembersOnly):
        invitations.accept_link(user=guest, token=token, now=NOW)


def test_a_member_who_refuses_guests_is_offered_no_rematch_by_one(guest: User, alice: User) -> None:
    game = make_game(alice, guest)
    set_preferences(user=alice, changes={"guests": False})
    resign(user=guest, game_id=game.public_id, now=NOW)
    with pytest.raises(problems.NotWelcome):
        invitations.invite_again(user=guest, game_id=game.public_id, message="", now=NOW)


def test_a_guest_has_so_many_games_at_once(guest: User, alice: User, settings: Settings) -> None:
    settings.GAMES_PER_GUEST = 2
    make_game(alice, guest)
    invitations.offer_by_link(creator=guest, options=TERMS, now=NOW)
    with pytest.raises(problems.TooManyGames, match="2 games"):
        join(user=guest, game_id=make_offer(alice).public_id, now=NOW)


def test_nobody_chats_in_a_game_with_a_guest(guest: User, alice: User) -> None:
    game = make_game(alice, guest)
    for user in (alice, guest):
        with pytest.raises(problems.MembersOnly, match="no chat"):
            send_message(user=user, game_id=game.public_id, text="Hello!", now=NOW)
    with pytest.raises(problems.MembersOnly):
        play_move(user=alice, game_id=game.public_id, move="11-15", version=0, message="Hello!", now=NOW)
    assert fresh(game).version == 0


def test_a_guest_plans_nothing_asks_no_staff_and_chats_with_nobody(guest: User, alice: User) -> None:
    game = make_game(alice, guest)
    mine = game_state(game, guest, NOW).rights
    assert (mine.chat, mine.plan, mine.appeal, mine.resign) == (False, False, False, True)
    hers = game_state(game, alice, NOW).rights
    assert (hers.chat, hers.plan, hers.appeal, hers.move) == (False, True, True, True)


def test_guests_have_a_rematch_without_words(guest: User, alice: User) -> None:
    game = make_game(alice, guest)
    resign(user=alice, game_id=game.public_id, now=NOW)
    for user in (alice, guest):
        with pytest.raises(problems.MembersOnly):
            invitations.invite_again(user=user, game_id=game.public_id, message="Again?", now=NOW)
    offered = invitations.invite_again(user=guest, game_id=game.public_id, message="", now=NOW)
    assert (offered.invited, offered.rated) == (alice, False)
    again = invitations.invite_again(user=alice, game_id=game.public_id, message="", now=NOW)
    assert (again.status, again.first_player) == ("playing", guest)


def test_nobody_invites_a_guest_by_name(guest: User, alice: User) -> None:
    with pytest.raises(Exception, match="There is no player"):
        invitations.invite(
            creator=alice, opponent=guest.username, options=TERMS, message="", site="", now=NOW
        )


def test_programs_see_that_somebody_is_a_guest(guest: User, alice: User) -> None:
    players = api_of(alice).get(f"/games/{make_game(alice, guest).public_id}").json()["players"]
    assert players["second"]["username"].startswith("guest-")
