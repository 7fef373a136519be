"""Directors who play decide no results and no places in their tournament by any way; the staff may."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.access import lock_tournament
from crownhead.server.competitions.models import (
    Director,
    DirectorAction,
    Entrant,
    Pairing,
    PairingGame,
    Tournament,
)
from crownhead.server.competitions.services import adjudication, hosting
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core.problems import Conflict, Forbidden
from crownhead.server.play.models import Seat
from tests.server.competitions.factories import (
    LIVE,
    MAIN,
    client_of,
    enter_players,
    fresh,
    invite_substitute,
    make_running_tournament,
    make_tournament,
    open_rows,
    opponents,
    play_out,
)
from tests.server.competitions.test_gone_hosts import direct_with
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
    other = Entrant.objects.exclude(user__in=[director, opponent])[0].user
    for player in (opponent, other):  # one whom they play now, and one of a round to come
        with pytest.raises(Forbidden, match="you decide no results and no places"):
            expel(tournament, director, player)
    assert not Entrant.objects.exclude(left=None).exists()
    assert not PairingGame.objects.filter(how="forfeit").exists()
    expel(tournament, alice, opponent)


def test_a_director_expels_nobody_whom_they_have_played(alice: User) -> None:
    tournament, director, opponent = playing_director(alice)
    row = next(row for row in open_rows(tournament) if director in opponents(row))
    play_out(row.game_id or "", winner=Seat.FIRST)
    with pytest.raises(Forbidden, match="you decide no results and no places"):
        expel(tournament, director, opponent)


def test_a_director_who_has_left_expels_again_once_their_games_are_over(alice: User) -> None:
    tournament, director, opponent = playing_director(alice, withdrawal="play_on")
    services.withdraw(user=director, tournament_id=tournament.public_id, now=NOW)
    with pytest.raises(Forbidden, match="you decide no results and no places"):
        expel(tournament, director, opponent)
    row = next(row for row in open_rows(tournament) if director in opponents(row))
    play_out(row.game_id or "", winner=Seat.FIRST)
    expel(tournament, director, opponent)
    assert Entrant.objects.get(user=opponent).expelled


def test_a_host_who_plays_takes_people_off_the_list_before_the_start(alice: User) -> None:
    tournament = make_tournament(alice)
    services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
    (player,) = enter_players(tournament, 1)
    expel(tournament, alice, player)
    assert not Entrant.objects.filter(user=player).exists()


def test_a_director_wins_no_bracket_by_the_other_half_of_it(alice: User) -> None:
    tournament, director, _opponent = playing_director(alice, format="single-elimination", prizes=("Cup",))
    mine, other = sorted(open_rows(tournament), key=lambda row: director not in opponents(row))
    play_out(mine.game_id or "", winner=Seat.FIRST if opponents(mine)[0] == director else Seat.SECOND)
    jobs.advance_due(NOW)
    for player in opponents(other):
        with pytest.raises(Forbidden, match="you decide no results and no places"):
            expel(tournament, director, player)
    table = {"number": 1, "table": other.pairing.table, "loser": "both"}
    game = {"game_id": other.game_id}
    decide: list[tuple[Any, dict[str, Any]]] = [
        (services.forfeit, table),
        (services.adjudicate, game | {"result": opponents(other)[0].username}),
        (services.annul, game | {"again": False}),
        (services.adjourn, {"number": 1, "table": other.pairing.table, "until": NOW + timedelta(days=365)}),
        (services.close, {}),
    ]
    for service, what in decide:
        with pytest.raises(Forbidden, match="you decide no results and no places"):
            service(user=director, tournament_id=tournament.public_id, reason=WHY, now=NOW, **what)
    jobs.advance_due(NOW)
    assert (fresh(tournament).status, fresh(tournament).rounds_made) == ("running", 1)


def test_a_director_who_plays_lets_an_adjourned_pairing_of_others_go_on(alice: User) -> None:
    tournament, director, _opponent = playing_director(alice)
    other = next(row for row in open_rows(tournament) if director not in opponents(row))
    what: dict[str, Any] = {"number": 1, "table": other.pairing.table, "reason": WHY, "now": NOW}
    key = tournament.public_id
    services.adjourn(user=alice, tournament_id=key, until=NOW + timedelta(days=2), **what)
    services.adjourn(user=director, tournament_id=key, until=None, **what)
    assert not Pairing.objects.filter(adjourned=True).exists()


def test_the_page_offers_a_director_who_plays_nothing_that_is_refused(alice: User) -> None:
    tournament, director, _opponent = playing_director(alice, format="swiss", held_rounds=True)
    path = f"/tournaments/{tournament.public_id}/direct/"
    refused = ["pair", "forfeit", "adjourn", "adjudicate", "annul", "expel", "replace", "close"]
    page = client_of(director).get(path).content.decode()
    assert [name for name in refused if f'value="{name}"' in page] == []
    assert "You play in this tournament yourself" in page
    assert 'value="release"' in page
    assert 'value="resume"' in page
    page = client_of(alice).get(path).content.decode()
    assert [name for name in refused if f'value="{name}"' in page] == refused
    assert "You play in this tournament yourself" not in page


@pytest.mark.parametrize("as_substitute", [False, True])
def test_who_has_decided_in_it_does_not_come_in_afterwards(
    alice: User, bob: User, as_substitute: bool
) -> None:
    tournament, users = make_running_tournament(alice, 4, format="swiss", max_players=8, late_rounds=3)
    expel(tournament, alice, users[0])
    if as_substitute:
        Director.objects.create(tournament=tournament, user=bob, accepted=True)
        substitute(tournament, bob, users[1], alice)
    with pytest.raises(Forbidden, match="so you can't play in it now"):
        services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
    assert not Entrant.objects.filter(user=alice).exists()


@pytest.mark.parametrize("act", ["pair", "adjourn"])
def test_who_has_paired_or_adjourned_others_does_not_come_in_afterwards(alice: User, act: str) -> None:
    tournament, users = make_running_tournament(
        alice, 4, format="swiss", max_players=8, late_rounds=3, held_rounds=True
    )
    if act == "pair":
        pair(tournament, alice, *(user.username for user in users))
    else:
        services.adjourn(
            user=alice,
            tournament_id=tournament.public_id,
            number=1,
            table=1,
            until=NOW + timedelta(days=1),
            reason=WHY,
            now=NOW,
        )
    with pytest.raises(Forbidden, match="so you can't play in it now"):
        services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
    assert not Entrant.objects.filter(user=alice).exists()


def test_who_has_extended_an_arena_does_not_come_in_afterwards(alice: User) -> None:
    tournament, _users = make_running_tournament(
        alice, 4, game=LIVE, format="arena", minutes=60, max_players=8
    )
    until = NOW + timedelta(hours=2)
    services.extend(user=alice, tournament_id=tournament.public_id, until=until, reason=WHY, now=NOW)
    with pytest.raises(Forbidden, match="You have decided things"):
        services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)


@pytest.mark.parametrize("as_substitute", [False, True])
def test_who_has_extended_a_round_by_appointment_may_come_in_afterwards(
    alice: User, bob: User, as_substitute: bool
) -> None:
    tournament, users = make_running_tournament(
        alice, 4, game=LIVE, format="swiss", appointment_days=3, late_rounds=3, max_players=8
    )
    direct_with(tournament, bob)
    until = NOW + timedelta(days=6)
    services.extend(user=bob, tournament_id=tournament.public_id, until=until, reason=WHY, now=NOW)
    if as_substitute:
        invite_substitute(tournament, users[0], bob)
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    assert Entrant.objects.filter(tournament=tournament, user=bob).exists()


@pytest.mark.parametrize("act", ["adjudicate", "correct", "annul", "forfeit", "adjourn"])
def test_who_comes_in_while_they_decide_decides_nothing(
    alice: User, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    tournament, _users = make_running_tournament(
        alice, 4, format="swiss", max_players=8, late_rounds=5, options={"rounds": 3}
    )
    row, *_others = open_rows(tournament)
    game_id = row.game_id or ""
    if act == "correct":
        play_out(game_id, winner=Seat.FIRST)
    where: dict[str, Any] = {"number": 1, "table": row.pairing.table}
    decide: dict[str, Callable[..., None]] = {
        "adjudicate": partial(services.adjudicate, game_id=game_id, result="draw"),
        "correct": partial(services.adjudicate, game_id=game_id, result="draw"),
        "annul": partial(services.annul, game_id=game_id, again=False),
        "forfeit": partial(services.forfeit, loser="both", **where),
        "adjourn": partial(services.adjourn, until=NOW + timedelta(days=2), **where),
    }

    def enter_first(key: str) -> Tournament:
        monkeypatch.setattr(adjudication, "lock_tournament", lock_tournament)
        services.enter(user=alice, tournament_id=key, now=NOW)
        return lock_tournament(key)

    monkeypatch.setattr(adjudication, "lock_tournament", enter_first)
    with pytest.raises(Forbidden, match="you decide no results and no places"):
        decide[act](user=alice, tournament_id=tournament.public_id, reason=WHY, now=NOW)


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
    for player in Entrant.objects.exclude(user=director):
        with pytest.raises(Forbidden, match="you decide no results and no places"):
            substitute(tournament, director, player.user, bob)
    substitute(tournament, alice, opponent, bob)
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    assert Entrant.objects.filter(user=bob).exists()


def test_a_substitute_stays_out_once_the_director_who_chose_them_plays(alice: User, bob: User) -> None:
    tournament, users = make_running_tournament(alice, 4, format="swiss", max_players=8, late_rounds=3)
    substitute(tournament, alice, users[0], bob)
    services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
    with pytest.raises(Conflict, match="can't decide about this place now"):
        services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    assert not Entrant.objects.filter(user=bob).exists()


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


def test_seeds_that_another_director_has_set_since_stand_when_one_enters(alice: User, bob: User) -> None:
    tournament = make_tournament(alice, format="swiss", max_players=8, late_rounds=3)
    direct_with(tournament, bob)
    names = [user.username for user in enter_players(tournament, 4)]
    key = tournament.public_id
    services.seed(user=alice, tournament_id=key, usernames=names, now=NOW)
    services.seed(user=bob, tournament_id=key, usernames=names[::-1], now=NOW)
    services.enter(user=alice, tournament_id=key, now=NOW)
    assert Entrant.objects.exclude(seed=0).count() == 4
    services.withdraw(user=alice, tournament_id=key, now=NOW)
    services.start(user=bob, tournament_id=key, now=NOW)
    jobs.advance_due(NOW)
    services.enter(user=alice, tournament_id=key, now=NOW)
    with pytest.raises(Forbidden, match="so you can't play in it now"):
        services.enter(user=bob, tournament_id=key, now=NOW)


def test_a_director_who_has_seeded_does_not_come_in_once_it_is_running(alice: User, bob: User) -> None:
    tournament = make_tournament(alice, format="swiss", max_players=8, late_rounds=3)
    users = enter_players(tournament, 4)
    names = [user.username for user in users]
    services.seed(user=alice, tournament_id=tournament.public_id, usernames=names, now=NOW)
    services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    jobs.advance_due(NOW)
    with pytest.raises(Forbidden, match="so you can't play in it now"):
        services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)


def test_a_director_who_plays_lets_nobody_in_once_entry_is_closed(
    alice: User, bob: User, charlie: User
) -> None:
    tournament, director, _opponent = playing_director(
        alice, format="swiss", max_players=8, late_rounds=2, options={"rounds": 3}
    )
    key = tournament.public_id
    services.invite(user=director, tournament_id=key, usernames=["bob"], now=NOW)
    path, button = f"/tournaments/{key}/direct/", 'value="invite"'
    assert button in client_of(director).get(path).content.decode()
    for row in open_rows(tournament):
        play_out(row.game_id or "", winner=None)
    jobs.advance_due(NOW)
    assert fresh(tournament).rounds_made == 2

    with pytest.raises(Forbidden, match="only while entry is open"):
        services.invite(user=director, tournament_id=key, usernames=["charlie"], now=NOW)
    assert button not in client_of(director).get(path).content.decode()
    assert button in client_of(alice).get(path).content.decode()
    with pytest.raises(Conflict, match="Entry is closed"):
        services.enter(user=bob, tournament_id=key, now=NOW)
    services.invite(user=alice, tournament_id=key, usernames=["charlie"], now=NOW)
    services.enter(user=charlie, tournament_id=key, now=NOW)
    assert Entrant.objects.filter(user=charlie).exists()


def test_staff_who_play_seed(alice: User) -> None:
    tournament, judge = make_tournament(alice), make_user("judge", is_staff=True)
    services.enter(user=judge, tournament_id=tournament.public_id, now=NOW)
    services.seed(user=judge, tournament_id=tournament.public_id, usernames=["judge"], now=NOW)
    assert Entrant.objects.get(user=judge).seed == 1


@pytest.mark.parametrize("kind", ["swiss", "single-elimination", "round-robin"])
def test_a_director_who_plays_pairs_nobody_by_hand(alice: User, kind: str) -> None:
    tournament, director, opponent = playing_director(alice, count=4, format=kind, held_rounds=True)
    mine = Pairing.objects.select_related("first__user", "second__user").get(
        first__user__in=[director, opponent]
    )
    assert mine.second is not None
    before = list(Pairing.objects.order_by("pk").values_list("first", "second", "bye"))
    own = (mine.first.user.username, mine.second.user.username)
    rest = [row.user.username for row in Entrant.objects.exclude(user__in=[director, opponent])]
    for names in (own, (*own, *reversed(rest)), rest):  # all rivals get a bye; they meet others; no own game
        with pytest.raises(Forbidden, match="you decide no results and no places"):
            pair(tournament, director, *names)
    assert list(Pairing.objects.order_by("pk").values_list("first", "second", "bye")) == before


def test_a_round_that_others_pair_by_hand_has_byes_for_who_is_not_named(alice: User) -> None:
    tournament, director, opponent = playing_director(alice, count=6, format="swiss", held_rounds=True)
    rest = [row.user.username for row in Entrant.objects.exclude(user__in=[director, opponent])]
    pair(tournament, alice, *rest)
    byes = Pairing.objects.exclude(bye="").values_list("first__user", "bye")
    assert set(byes) == {(director.pk, "absent"), (opponent.pk, "absent")}


def test_staff_who_play_pair_by_hand() -> None:
    judge = make_user("judge", is_staff=True)
    tournament = make_tournament(judge, format="swiss", held_rounds=True, options={"rounds": 3})
    services.enter(user=judge, tournament_id=tournament.public_id, now=NOW)
    users = enter_players(tournament, 3)
    services.start(user=judge, tournament_id=tournament.public_id, now=NOW)
    jobs.advance_due(NOW)
    pair(tournament, judge, *(user.username for user in users[:2]))
    assert Pairing.objects.filter(bye="absent").count() == 2


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


def test_who_has_left_but_finishes_games_is_shown_no_decisions(alice: User) -> None:
    tournament, director, opponent = playing_director(alice, withdrawal="play_on")
    services.withdraw(user=director, tournament_id=tournament.public_id, now=NOW)
    page = client_of(director).get(f"/tournaments/{tournament.public_id}/direct/").content.decode()
    assert "Declare a forfeit" not in page
    with pytest.raises(Forbidden):
        expel(tournament, director, opponent)


def test_pairs_of_a_director_who_plays_are_not_looked_at(alice: User) -> None:
    tournament, director, _opponent = playing_director(alice, held_rounds=True)
    with pytest.raises(Forbidden):
        pair(tournament, director, "nobody", "no-one")


def test_the_page_of_a_finished_live_tournament_tells_nobody_to_start_it(alice: User) -> None:
    tournament, director, _opponent = playing_director(alice, game=LIVE, held_rounds=True)
    path, hint = f"/tournaments/{tournament.public_id}/direct/", "so you start it, or its rounds"
    assert hint in client_of(director).get(path).content.decode()
    Tournament.objects.filter(pk=tournament.pk).update(status="finished")
    assert hint not in client_of(director).get(path).content.decode()


def test_no_text_of_others_is_rendered_for_an_edit_that_is_refused(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = make_tournament(alice)
    rendered: list[str] = []
    monkeypatch.setattr(hosting, "render_ahead", rendered.append)
    wanted = Announcement(
        name="Spring cup", game=MAIN, format="swiss", min_players=3, max_players=8, start="hand", about="*a*"
    )
    with pytest.raises(Forbidden):
        services.edit(user=bob, tournament_id=tournament.public_id, wanted=wanted, now=NOW)
    assert not rendered
