"""Directors who play decide nothing about their own games by any way; the staff may."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.models import (
    Director,
    DirectorAction,
    Entrant,
    Pairing,
    PairingGame,
    Tournament,
)
from crownhead.server.core.problems import Conflict, Forbidden
from crownhead.server.play.models import Game, Seat
from tests.server.competitions.factories import (
    enter_players,
    fresh,
    invite_substitute,
    make_running_tournament,
    make_tournament,
    open_rows,
    opponents,
    play_out,
)
from tests.server.conftest import make_user
from tests.server.play.factories import NOW, api_of

pytestmark = pytest.mark.django_db
WHY = "Because it is so."


def playing_director(host: User, count: int = 4, **changes: Any) -> tuple[Tournament, User, User]:
    """A running tournament, a player who directs it, and their first opponent."""
    tournament, users = make_running_tournament(host, count, **changes)
    director = users[0]
    services.set_directors(
        user=host, tournament_id=tournament.public_id, usernames=[director.username], now=NOW
    )
    services.answer_directing(user=director, tournament_id=tournament.public_id, accepted=True)
    rows = Pairing.objects.filter(round__number=1, bye="").select_related("first__user", "second__user")
    pairs = [(row.first.user, row.second.user) for row in rows if row.second]
    first, second = next(pair for pair in pairs if director in pair)
    return tournament, director, second if first == director else first


def expel(tournament: Tournament, user: User, player: User) -> None:
    services.expel(
        user=user, tournament_id=tournament.public_id, username=player.username, reason=WHY, now=NOW
    )


def substitute(tournament: Tournament, user: User, player: User, other: User) -> None:
    invite_substitute(tournament, player, other, by=user)


def pair(tournament: Tournament, user: User, *names: str) -> None:
    services.pair_by_hand(
        user=user,
        tournament_id=tournament.public_id,
        pairs=list(zip(names[::2], names[1::2], strict=True)),
        reason=WHY,
        now=NOW,
    )


@pytest.mark.parametrize("held_rounds", [False, True])
def test_a_director_does_not_expel_whom_they_are_to_play(alice: User, held_rounds: bool) -> None:
    tournament, director, opponent = playing_director(alice, held_rounds=held_rounds)
    with pytest.raises(Forbidden, match="that you play in yourself"):
        expel(tournament, director, opponent)
    assert Entrant.objects.get(user=opponent).left is None
    assert not PairingGame.objects.filter(how="forfeit").exists()
    other = Entrant.objects.exclude(user__in=[director, opponent])[0].user
    expel(tournament, director, other)
    expel(tournament, alice, opponent)


def test_a_director_expels_an_opponent_once_their_game_is_over(alice: User) -> None:
    tournament, director, opponent = playing_director(alice)
    row = next(row for row in open_rows(tournament) if director in opponents(row))
    play_out(row.game_id or "", winner=Seat.FIRST)
    expel(tournament, director, opponent)
    assert Entrant.objects.get(user=opponent).expelled


def test_staff_who_play_expel_their_opponent(alice: User) -> None:
    tournament, director, opponent = playing_director(alice)
    director.is_staff = True
    director.save()
    expel(tournament, director, opponent)
    assert Entrant.objects.get(user=opponent).expelled


@pytest.mark.parametrize("held_rounds", [False, True])
def test_a_director_replaces_neither_themselves_nor_their_opponent(
    alice: User, bob: User, held_rounds: bool
) -> None:
    tournament, director, opponent = playing_director(alice, held_rounds=held_rounds)
    with pytest.raises(Forbidden, match="a substitute for yourself"):
        substitute(tournament, director, director, bob)
    with pytest.raises(Forbidden, match="that you play in yourself"):
        substitute(tournament, director, opponent, bob)
    substitute(tournament, alice, opponent, bob)
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    assert Entrant.objects.filter(user=bob).exists()


def test_a_substitute_waits_while_the_director_who_chose_them_plays_for_the_place(
    alice: User, bob: User
) -> None:
    tournament, director, opponent = playing_director(alice)
    other = Entrant.objects.exclude(user__in=[director, opponent])[0].user
    substitute(tournament, director, other, bob)
    while not (meeting := [row for row in open_rows(tournament) if {director, other} == {*opponents(row)}]):
        for row in open_rows(tournament):
            play_out(row.game_id or "", winner=Seat.FIRST)
        jobs.advance_due(NOW)
    row = meeting[0]
    with pytest.raises(Conflict, match="can't decide about this place now"):
        services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    assert Game.objects.get(public_id=row.game_id).status == "playing"
    play_out(row.game_id or "", winner=Seat.SECOND)
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    assert Entrant.objects.filter(user=bob).exists()


def test_a_director_who_plays_does_not_seed(alice: User) -> None:
    tournament = make_tournament(alice, format="single-elimination")
    names = [user.username for user in enter_players(tournament, 3)]
    services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
    path, api = f"/tournaments/{tournament.public_id}/direct/", api_of(alice)
    client = Client()
    client.force_login(alice)

    assert api.put(f"/tournaments/{tournament.public_id}/seeds", {"usernames": names}).status_code == 403
    with pytest.raises(Forbidden, match="You can't seed a tournament that you play in yourself"):
        services.seed(user=alice, tournament_id=tournament.public_id, usernames=names, now=NOW)
    assert 'value="seed"' not in client.get(path).content.decode()
    assert not Entrant.objects.exclude(seed=0).exists()
    services.withdraw(user=alice, tournament_id=tournament.public_id, now=NOW)
    assert 'value="seed"' in client.get(path).content.decode()
    services.seed(user=alice, tournament_id=tournament.public_id, usernames=names, now=NOW)
    assert Entrant.objects.exclude(seed=0).count() == 3


def test_a_director_who_has_seeded_and_then_plays_has_seeded_nobody(alice: User, bob: User) -> None:
    tournament = make_tournament(alice, format="single-elimination")
    names = [user.username for user in enter_players(tournament, 3)]
    services.seed(user=alice, tournament_id=tournament.public_id, usernames=names, now=NOW)
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    assert Entrant.objects.exclude(seed=0).count() == 3
    services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
    assert not Entrant.objects.exclude(seed=0).exists()
    last = DirectorAction.objects.latest("pk")
    assert (last.verb, last.text) == ("seeded", "")
    assert "seeding was cleared" in last.reason


def test_staff_who_play_seed(alice: User) -> None:
    tournament, judge = make_tournament(alice), make_user("judge", is_staff=True)
    services.enter(user=judge, tournament_id=tournament.public_id, now=NOW)
    services.seed(user=judge, tournament_id=tournament.public_id, usernames=["judge"], now=NOW)
    assert Entrant.objects.get(user=judge).seed == 1


def test_a_director_who_plays_pairs_only_the_others_by_hand(alice: User) -> None:
    tournament, director, opponent = playing_director(alice, count=6, format="swiss", held_rounds=True)
    mine = Pairing.objects.select_related("first__user", "second__user").get(
        first__user__in=[director, opponent]
    )
    assert mine.second is not None
    own = (mine.first.user.username, mine.second.user.username)
    rest = [row.user.username for row in Entrant.objects.exclude(user__in=[director, opponent])]
    for wrong in (rest, [*reversed(own), *rest], [own[0], rest[0], own[1], *rest[1:]]):
        with pytest.raises(Forbidden, match="your own pairing or bye"):
            pair(tournament, director, *wrong)
    pair(tournament, director, *own, *reversed(rest))
    pair(tournament, alice, *rest)
    byes = Pairing.objects.exclude(bye="").values_list("first__user", "bye")
    assert set(byes) == {(director.pk, "absent"), (opponent.pk, "absent")}


def test_a_host_who_plays_gives_themselves_no_bye(alice: User) -> None:
    tournament = make_tournament(alice, format="swiss", held_rounds=True, options={"rounds": 3})
    services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
    users = enter_players(tournament, 4)
    services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    jobs.advance_due(NOW)
    assert Pairing.objects.get(bye="odd").first.user != alice
    with pytest.raises(Forbidden, match="your own pairing or bye"):
        pair(tournament, alice, *(user.username for user in users))


def test_only_one_left_over_gets_a_bye_worth_a_win(alice: User) -> None:
    tournament, users = make_running_tournament(alice, 5, format="swiss", held_rounds=True)
    given = Pairing.objects.get(bye="odd").first.user
    rest = [user.username for user in users if user != given]
    pair(tournament, alice, given.username, rest[0])
    assert list(Pairing.objects.exclude(bye="").values_list("bye", flat=True)) == ["absent"] * 3
    pair(tournament, alice, given.username, rest[0], rest[1], rest[2])
    bye = Pairing.objects.exclude(bye="").get()
    assert (bye.first.user.username, bye.bye) == (rest[3], "odd")


def test_a_bye_by_hand_in_a_round_robin_is_worth_nothing(alice: User) -> None:
    tournament, users = make_running_tournament(alice, 5, held_rounds=True)
    given = Pairing.objects.exclude(bye="").get().first.user
    rest = [user.username for user in users if user != given]
    pair(tournament, alice, given.username, *rest[:3])
    bye = Pairing.objects.exclude(bye="").get()
    assert (bye.first.user.username, bye.bye) == (rest[3], "absent")
    assert fresh(tournament).status == "running"


def test_seeds_of_a_director_who_comes_in_as_a_substitute_are_gone(alice: User, bob: User) -> None:
    tournament = make_tournament(alice, format="single-elimination")
    players = enter_players(tournament, 3)
    names = [user.username for user in players]
    services.seed(user=alice, tournament_id=tournament.public_id, usernames=names, now=NOW)
    Director.objects.create(tournament=tournament, user=bob, accepted=True)
    substitute(tournament, bob, players[0], alice)
    services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
    assert Entrant.objects.filter(user=alice).exists()
    assert not Entrant.objects.exclude(seed=0).exists()
