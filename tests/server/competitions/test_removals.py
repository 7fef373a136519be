"""A player whom a director has removed enters only by an invitation that stands, whatever came between."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from crownhead.server.accounts.models import User
from crownhead.server.competitions import selectors, services
from crownhead.server.competitions.models import Entrant, Invitation, Tournament
from crownhead.server.core.problems import Conflict, Forbidden
from tests.server.competitions.factories import (
    enter_players,
    fresh,
    invite_substitute,
    make_running_tournament,
    make_tournament,
)
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db

WHY = "They do not answer."


@pytest.fixture
def cup(alice: User, bob: User) -> Tournament:
    """An open tournament from which a director has removed a player."""
    made = make_tournament(alice)
    enter_players(made, 3)
    services.enter(user=bob, tournament_id=made.public_id, now=NOW)
    remove(made, bob)
    return made


def remove(cup: Tournament, player: User) -> None:
    services.expel(user=cup.host, tournament_id=cup.public_id, username=player.username, reason=WHY, now=NOW)


def invite(cup: Tournament, player: User) -> None:
    services.invite(user=cup.host, tournament_id=cup.public_id, usernames=[player.username], now=NOW)


def withdraw(cup: Tournament, player: User) -> None:
    services.withdraw_invitation(
        user=cup.host, tournament_id=cup.public_id, username=player.username, now=NOW
    )


def place_of(cup: Tournament, at: int = 0) -> User:
    return Entrant.objects.filter(tournament=cup).order_by("pk")[at].user


def invited_and_taken_back(cup: Tournament, bob: User) -> None:
    invite(cup, bob)
    withdraw(cup, bob)


def invited_as_substitute_and_taken_back(cup: Tournament, bob: User) -> None:
    invite_substitute(cup, place_of(cup), bob)
    withdraw(cup, bob)


def declined(cup: Tournament, bob: User) -> None:
    invite(cup, bob)
    services.decline(user=bob, tournament_id=cup.public_id, now=NOW)


def declined_as_substitute(cup: Tournament, bob: User) -> None:
    invite_substitute(cup, place_of(cup), bob)
    services.decline(user=bob, tournament_id=cup.public_id, now=NOW)


def place_left(cup: Tournament, bob: User) -> None:
    invite_substitute(cup, place_of(cup), bob)
    services.withdraw(user=place_of(cup), tournament_id=cup.public_id, now=NOW)


def place_expelled(cup: Tournament, bob: User) -> None:
    invite_substitute(cup, place_of(cup), bob)
    remove(cup, place_of(cup))


def declined_and_place_left(cup: Tournament, bob: User) -> None:
    declined_as_substitute(cup, bob)
    services.withdraw(user=place_of(cup), tournament_id=cup.public_id, now=NOW)


def place_taken(cup: Tournament, bob: User) -> None:
    other = User.objects.get(username="charlie")
    invite_substitute(cup, place_of(cup), bob)
    invite_substitute(cup, place_of(cup), other)
    services.enter(user=other, tournament_id=cup.public_id, now=NOW)


@pytest.mark.parametrize(
    "then",
    [
        invited_and_taken_back,
        invited_as_substitute_and_taken_back,
        declined,
        declined_as_substitute,
        place_left,
        place_expelled,
        declined_and_place_left,
        place_taken,
    ],
)
@pytest.mark.usefixtures("charlie")
def test_a_removal_outlasts_other_invitations(
    cup: Tournament, bob: User, then: Callable[[Tournament, User], None]
) -> None:
    then(cup, bob)
    with pytest.raises(Forbidden, match="A director has removed you"):
        services.enter(user=bob, tournament_id=cup.public_id, now=NOW)
    assert not Entrant.objects.filter(user=bob).exists()
    assert selectors.open_invitation(fresh(cup), bob) is None


def test_who_was_removed_can_be_invited_again_once_an_invitation_was_taken_back(
    cup: Tournament, bob: User
) -> None:
    for _ in range(2):
        invited_and_taken_back(cup, bob)
    invite(cup, bob)
    services.enter(user=bob, tournament_id=cup.public_id, now=NOW)
    services.withdraw(user=bob, tournament_id=cup.public_id, now=NOW)
    services.enter(user=bob, tournament_id=cup.public_id, now=NOW)  # they were asked to play, and accepted
    assert Entrant.objects.filter(user=bob).exists()


def test_of_an_expelled_player_the_reason_stays_when_a_substitute_comes(alice: User, bob: User) -> None:
    tournament, users = make_running_tournament(alice, 6, format="swiss", options={"rounds": 3})
    remove(tournament, users[0])
    with pytest.raises(Conflict, match="You have left"):
        services.enter(user=users[0], tournament_id=tournament.public_id, now=NOW)
    invite_substitute(tournament, users[0], bob)
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    assert Invitation.objects.get(user=users[0]).removal == WHY
    with pytest.raises(Forbidden, match="has removed you"):
        services.enter(user=users[0], tournament_id=tournament.public_id, now=NOW)


@pytest.mark.parametrize("then", [declined, declined_as_substitute, declined_and_place_left])
def test_who_was_removed_and_has_declined_is_not_asked_again(
    cup: Tournament, bob: User, then: Callable[[Tournament, User], None]
) -> None:
    then(cup, bob)
    with pytest.raises(Conflict, match="has declined"):
        invite(cup, bob)


def test_a_removal_by_the_version_before_outlasts_other_invitations(cup: Tournament, bob: User) -> None:
    Invitation.objects.update(removed="")
    with pytest.raises(Forbidden, match="A director has removed you"):
        services.enter(user=bob, tournament_id=cup.public_id, now=NOW)
    invited_and_taken_back(cup, bob)
    with pytest.raises(Forbidden, match="A director has removed you"):
        services.enter(user=bob, tournament_id=cup.public_id, now=NOW)


def test_removals_of_before_are_known(cup: Tournament, bob: User, charlie: User) -> None:
    others: dict[str, Any] = {"tournament": cup, "made_at": NOW, "answer": "declined"}
    place = Entrant.objects.filter(tournament=cup)[0]
    Invitation.objects.create(user=charlie, place=place, reason="They can't come.", **others)
    Invitation.objects.create(user=place_of(cup, 1), **others)
    Invitation.objects.update(removed="")
    step = import_module("crownhead.server.competitions.migrations.0013_removed_players")
    step.note_removals(apps, SimpleNamespace(connection=connection))
    assert dict(Invitation.objects.exclude(removed="").values_list("user", "removed")) == {bob.pk: WHY}
