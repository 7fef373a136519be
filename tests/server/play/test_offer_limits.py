"""Offers are rows and notifications: nobody makes them without end, withdrawn or not."""

from __future__ import annotations

from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.competitions.services import directors, invitations
from crownhead.server.core.problems import TooMany
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.games.services import withdraw_waiting
from crownhead.server.play.invitations.services import invite, invite_again, offer_by_link
from crownhead.server.play.models import Game
from crownhead.server.teams import services as team_services
from tests.server.competitions.factories import make_tournament
from tests.server.conftest import make_user
from tests.server.guests import make_guest
from tests.server.play.factories import NOW, api_of, make_game, make_offer
from tests.server.teams.factories import make_team

pytestmark = pytest.mark.django_db

TERMS = GameOptions(variant="american", colour="random", days_per_move=3)


def test_offering_and_withdrawing_games_ends_somewhere(alice: User, settings: Any) -> None:
    settings.LIMITS = settings.LIMITS | {"offers": "3/h"}
    for _ in range(3):
        withdraw_waiting(user=alice, game_id=make_offer(alice).public_id, now=NOW)
    with pytest.raises(TooMany):
        make_offer(alice)
    body = {"variant": "american", "colour": "first", "days_per_move": 3}
    assert api_of(alice).post("/games", body).status_code == 429
    assert Game.objects.count() == 3


def test_beginning_games_with_the_computer_ends_somewhere(alice: User, settings: Any) -> None:
    settings.LIMITS = settings.LIMITS | {"offers": "3/h"}
    body = {"variant": "american", "colour": "first", "days_per_move": 3, "computer": 1}
    for _ in range(3):
        game = api_of(alice).post("/games", body).json()
        resign(user=alice, game_id=game["id"], now=NOW)
    assert api_of(alice).post("/games", body).status_code == 429
    assert Game.objects.count() == 3


def test_guests_offer_fewer(alice: User, settings: Any) -> None:
    settings.LIMITS = settings.LIMITS | {"guest_offers": "2/h"}
    guest = make_guest()
    for _ in range(2):
        game = offer_by_link(creator=guest, options=TERMS, now=NOW)
        withdraw_waiting(user=guest, game_id=game.public_id, now=NOW)
    with pytest.raises(TooMany):
        offer_by_link(creator=guest, options=TERMS, now=NOW)
    assert offer_by_link(creator=alice, options=TERMS, now=NOW).status == "waiting"


def test_words_to_many_members_do_not_go_out_as_invitations(alice: User, bob: User, settings: Any) -> None:
    """Messages to strangers are limited; an invitation has words, too."""
    settings.LIMITS = settings.LIMITS | {"named_invitations": "2/d"}

    def ask(name: str) -> Game:
        return invite(creator=alice, opponent=name, options=TERMS, message="Buy!", site="", now=NOW)

    for number in range(2):
        withdraw_waiting(user=alice, game_id=ask(make_user(f"member-{number}").username).public_id, now=NOW)
    with pytest.raises(TooMany):
        ask("bob")
    game = make_game(alice, bob)
    resign(user=bob, game_id=game.public_id, now=NOW)
    assert invite_again(user=alice, game_id=game.public_id, message="", now=NOW).invited == bob


def test_a_captain_does_not_invite_the_same_member_over_and_over(
    alice: User, bob: User, settings: Any
) -> None:
    settings.LIMITS = settings.LIMITS | {"repeated_invitations": "2/d"}
    team = make_team(alice)

    def ask() -> None:
        team_services.invite(user=alice, team_id=team.public_id, username="bob", message="Come!", now=NOW)

    for _ in range(2):
        ask()
        team_services.decline(user=bob, team_id=team.public_id)
    with pytest.raises(TooMany):
        ask()


def test_many_teams_are_no_way_to_write_to_everybody(alice: User, bob: User, settings: Any) -> None:
    settings.LIMITS = settings.LIMITS | {"named_invitations": "1/d"}
    dogs, cats = make_team(alice, "Dogs"), make_team(alice, "Cats")
    team_services.invite(user=alice, team_id=dogs.public_id, username="bob", now=NOW)
    with pytest.raises(TooMany):
        team_services.invite(user=alice, team_id=cats.public_id, username="bob", now=NOW)


@pytest.mark.parametrize("is_staff", [False, True])
def test_a_host_invites_so_many_players_and_the_staff_any_number(
    alice: User, bob: User, settings: Any, is_staff: bool
) -> None:
    settings.LIMITS = settings.LIMITS | {"contest_invitations": "1/d"}
    host = make_user("host", is_staff=is_staff)
    tournament = make_tournament(host)
    key = tournament.public_id
    invitations.invite(user=host, tournament_id=key, usernames=["alice"], now=NOW)
    if is_staff:
        invitations.invite(user=host, tournament_id=key, usernames=["bob"], now=NOW)
        return
    with pytest.raises(TooMany):
        invitations.invite(user=host, tournament_id=key, usernames=["bob"], now=NOW)
    with pytest.raises(TooMany):
        directors.set_directors(user=host, tournament_id=key, usernames=["bob"], now=NOW)
