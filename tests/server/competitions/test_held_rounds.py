"""Rounds that a director releases: all that begin together, and with notice where players are away."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.access import NOTICE
from crownhead.server.competitions.models import DirectorAction, Pairing, PairingGame, Round, Tournament
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict, Unprocessable
from crownhead.server.notices.models import Notice
from crownhead.server.play.models import Seat
from tests.server.competitions.factories import (
    LIVE,
    Playthrough,
    client_of,
    end,
    enter_players,
    fresh,
    invite_substitute,
    make_tournament,
    open_rows,
)
from tests.server.competitions.test_attended import arrive
from tests.server.competitions.test_told_starts import edit
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)
AT_ONCE: dict[str, Any] = {"format": "round-robin", "options": {"at_once": True}}


def test_no_round_is_checked_where_all_rounds_start_together(alice: User) -> None:
    with pytest.raises(Unprocessable, match=r"^held_rounds: All rounds start together"):
        make_tournament(alice, held_rounds=True, **AT_ONCE)
    page = client_of(alice).post(
        "/tournaments/new/",
        {
            "name": "Spring cup",
            "variant": "american",
            "pace": "main",
            "format": "round-robin",
            "options_sent": "round-robin",
            "option-at_once": "on",
            "held_rounds": "on",
        },
    )
    assert "All rounds start together here" in page.content.decode()
    assert not Tournament.objects.exists()


def test_one_that_an_older_version_has_stored_so_gets_other_words(alice: User) -> None:
    tournament = make_tournament(alice, **AT_ONCE)
    enter_players(tournament, 4)
    with pytest.raises(Conflict, match="can't be changed once players have entered"):
        edit(fresh(tournament), held_rounds=True, **AT_ONCE)
    Tournament.objects.update(held_rounds=True)
    edit(fresh(tournament), held_rounds=True, about="Bring a cake.", **AT_ONCE)
    assert fresh(tournament).about == "Bring a cake."


@pytest.mark.parametrize("options", [{}, AT_ONCE["options"]], ids=["to be released", "at once"])
def test_no_edit_holds_rounds_that_start_together(alice: User, options: dict[str, Any]) -> None:
    tournament = make_tournament(alice, options=options, held_rounds=not options)
    with pytest.raises(Unprocessable, match=r"^held_rounds: All rounds start together"):
        edit(tournament, held_rounds=True, **AT_ONCE)


@pytest.mark.parametrize("earlier", [False, True], ids=["new", "the latest was released alone"])
def test_all_rounds_that_start_together_are_released_together(alice: User, earlier: bool) -> None:
    tournament = make_tournament(alice, **AT_ONCE)
    Tournament.objects.update(held_rounds=True)  # as older versions stored it
    enter_players(tournament, 4)
    services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    jobs.advance_due(NOW)
    if earlier:
        Round.objects.filter(number=3).update(starts_at=NOW)
    page = client_of(alice).get(f"/tournaments/{tournament.public_id}/direct/").content.decode()
    assert 'value="release"' in page
    services.release(user=alice, tournament_id=tournament.public_id, now=NOW)
    assert DirectorAction.objects.get(verb="released").text == ("1–2" if earlier else "1–3")
    jobs.advance_due(NOW)
    assert len(open_rows(tournament)) == 6
    assert Playthrough(tournament).play().status == "finished"


def make_evening(host: User) -> tuple[Tournament, list[User]]:
    """A live cup of friends whose only director plays; the second of its held rounds is paired."""
    tournament = make_tournament(
        host, game=LIVE, format="swiss", options={"rounds": 3}, held_rounds=True, max_players=6
    )
    users = enter_players(tournament, 3)
    services.enter(user=host, tournament_id=tournament.public_id, now=NOW)
    arrive(*users, host)
    with clock.stopped(NOW):
        services.start(user=host, tournament_id=tournament.public_id, now=NOW)
        jobs.advance_due(NOW)
        services.release(user=host, tournament_id=tournament.public_id, now=NOW)
        jobs.advance_due(NOW)
    for row in open_rows(tournament):
        end(row.game_id or "", winner=Seat.FIRST, by=host)
    jobs.advance_due(NOW)
    return fresh(tournament), users


def games_of(number: int) -> int:
    return PairingGame.objects.filter(pairing__round__number=number).count()


def test_a_host_who_plays_lets_a_live_round_start_with_notice_while_players_are_away(alice: User) -> None:
    tournament, users = make_evening(alice)
    direct = f"/tournaments/{tournament.public_id}/direct/"
    at = NOW + timedelta(hours=1)
    arrive(*users[:2], alice, at=at)
    with clock.stopped(at):
        with pytest.raises(Conflict, match=r"Not here yet: player-3\..* start in 20 hours"):
            services.release(user=alice, tournament_id=tournament.public_id, now=at)
        client = client_of(alice)
        assert 'value="release_later"' in client.get(direct).content.decode()
        client.post(direct, {"do": "release_later"})
        client.post(direct, {"do": "release_later"})
        page = client.get(direct).content.decode()
        assert "Round 2 starts later" in page
        assert 'value="release_later"' not in page
        jobs.advance_due(at)
    starts_at = at + NOTICE
    assert Round.objects.get(number=2).starts_at == starts_at
    log = DirectorAction.objects.filter(verb="released", text__startswith="2").get()
    assert log.text == f"2, {starts_at:%Y-%m-%d %H:%M} UTC"
    for user in users:
        assert Notice.objects.filter(user=user, subject__contains="Round 2").count() == 1
    jobs.advance_due(starts_at - MINUTE)
    assert games_of(2) == 0
    jobs.advance_due(starts_at)
    assert games_of(2) == 2


def test_a_round_with_notice_starts_sooner_once_all_its_players_are_here(alice: User) -> None:
    tournament, users = make_evening(alice)
    facts: dict[str, Any] = {"user": alice, "tournament_id": tournament.public_id}
    at = NOW + timedelta(hours=1)
    with clock.stopped(at):
        arrive(*users[:2], alice, at=at)
        services.release(later=True, now=at, **facts)
        with pytest.raises(Conflict, match=r"Not here yet: player-3\."):
            services.release(now=at, **facts)
        staff = User.objects.create(username="judge", is_staff=True)
        with pytest.raises(Conflict, match="Players were told when this round starts"):
            services.release(now=at, **facts | {"user": staff})
        arrive(users[2], at=at)
        services.release(now=at, **facts)
        jobs.advance_due(at)
    assert games_of(2) == 2
    assert Round.objects.get(number=2).starts_at == at


def test_who_has_given_notice_of_a_round_joins_in(alice: User) -> None:
    tournament = make_tournament(
        alice, game=LIVE, format="swiss", max_players=8, late_rounds=2, held_rounds=True
    )
    users = enter_players(tournament, 4)
    arrive(*users)
    facts: dict[str, Any] = {"user": alice, "tournament_id": tournament.public_id, "now": NOW}
    with clock.stopped(NOW):
        services.start(**facts)
        jobs.advance_due(NOW)
        services.release(later=True, **facts)
        services.enter(**facts)
    assert fresh(tournament).size == 5


def make_held_cup(host: User) -> tuple[Tournament, dict[str, Any]]:
    """A live cup of four whose rounds are held, open for entry; and what a call of its host has in common."""
    tournament = make_tournament(
        host, game=LIVE, format="swiss", max_players=8, late_rounds=2, held_rounds=True
    )
    enter_players(tournament, 4)
    return tournament, {"user": host, "tournament_id": tournament.public_id, "now": NOW}


def test_who_has_started_a_held_cup_while_players_were_away_joins_in(alice: User) -> None:
    tournament, facts = make_held_cup(alice)
    with clock.stopped(NOW):
        services.start(**facts)
        jobs.advance_due(NOW)
        assert games_of(1) == 0
        services.enter(**facts)
    assert fresh(tournament).size == 5


def test_a_host_who_plays_starts_a_held_cup_while_players_are_away(alice: User) -> None:
    tournament, facts = make_held_cup(alice)
    direct = f"/tournaments/{tournament.public_id}/direct/"
    with clock.stopped(NOW):
        services.enter(**facts)
        assert "You play in this live tournament" not in client_of(alice).get(direct).content.decode()
        services.start(**facts)
        jobs.advance_due(NOW)
        assert games_of(1) == 0
        with pytest.raises(Conflict, match="Not here yet"):
            services.release(**facts)
        assert "You play in this live tournament" in client_of(alice).get(direct).content.decode()


@pytest.mark.parametrize("away", [True, False])
def test_any_director_is_offered_to_give_notice_while_players_are_away(alice: User, away: bool) -> None:
    tournament, facts = make_held_cup(alice)
    with clock.stopped(NOW):
        services.start(**facts)
        jobs.advance_due(NOW)
        players = [entrant.user for entrant in tournament.entrants.select_related("user")]
        arrive(*players[away:])
        page = client_of(alice).get(f"/tournaments/{tournament.public_id}/direct/").content.decode()
    assert ("If a player is away, let it start in 20 hours" in page) == away
    assert ('value="release_later"' in page) == away


def test_a_substitute_is_told_when_the_round_starts_that_was_released_with_notice(
    alice: User, bob: User
) -> None:
    tournament, users = make_evening(alice)
    with clock.stopped(NOW):
        services.release(user=alice, tournament_id=tournament.public_id, now=NOW, later=True)
        services.withdraw(user=users[0], tournament_id=tournament.public_id, now=NOW)
        judge = User.objects.create(username="judge", is_staff=True)
        invite_substitute(tournament, users[0], bob, by=judge)
        services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    told = Notice.objects.filter(subject="Round 2 of Spring cup is paired")
    assert told.get(user=bob).text == told.get(user=users[1]).text
    assert all(told.filter(user=user).count() == 1 for user in (*users, alice))


def test_a_substitute_is_told_no_start_of_a_game_that_is_lost_already(alice: User, bob: User) -> None:
    tournament, users = make_evening(alice)
    with clock.stopped(NOW):
        services.release(user=alice, tournament_id=tournament.public_id, now=NOW, later=True)
        services.withdraw(user=users[0], tournament_id=tournament.public_id, now=NOW)
        jobs.advance_due(NOW)
        judge = User.objects.create(username="judge", is_staff=True)
        invite_substitute(tournament, users[0], bob, by=judge)
        services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    assert not Notice.objects.filter(user=bob, subject__startswith="Round 2").exists()


@pytest.mark.parametrize("other", ["forfeited", "withdrawn"])
def test_a_pairing_that_is_resumed_before_the_time_of_its_round_begins_then(alice: User, other: str) -> None:
    tournament, _users = make_evening(alice)
    judge = User.objects.create(username="judge", is_staff=True)
    facts: dict[str, Any] = {"user": judge, "tournament_id": tournament.public_id, "now": NOW}
    first, second = Pairing.objects.filter(round__number=2).order_by("table")
    table: dict[str, Any] = {"number": 2, "table": first.table, "reason": "Later."}
    with clock.stopped(NOW):
        services.release(later=True, **facts)
        services.adjourn(until=NOW + 2 * NOTICE, **table | facts)
        if other == "forfeited":
            loser = second.first.user.username
            services.forfeit(loser=loser, **table | facts | {"table": second.table})
        else:
            services.withdraw(**facts | {"user": second.first.user})
        for _ in range(3):
            jobs.advance_due(NOW)
        services.adjourn(until=None, **table | facts)
        jobs.advance_due(NOW)
    assert fresh(tournament).rounds_made == 3
    starts_at = NOW + NOTICE
    with clock.stopped(starts_at):
        jobs.advance_due(starts_at)
    assert PairingGame.objects.filter(pairing=first).exists()


def test_a_round_by_hand_with_notice_starts_sooner_though_rounds_are_not_held(alice: User) -> None:
    tournament = make_tournament(alice, game=LIVE, format="swiss", pause_minutes=60)
    users = enter_players(tournament, 4)
    facts: dict[str, Any] = {"user": alice, "tournament_id": tournament.public_id, "now": NOW}
    with clock.stopped(NOW):
        services.start(**facts)
        Tournament.objects.update(waiting_for="No pairing.")
        pairs = [("player-1", "player-2"), ("player-3", "player-4")]
        services.pair_by_hand(pairs=pairs, reason="By hand.", **facts)
        services.release(later=True, **facts)
        page = client_of(alice).get(f"/tournaments/{tournament.public_id}/direct/").content.decode()
        assert "Round 1 starts later" in page
        with pytest.raises(Conflict, match="Players were told when this round starts"):
            services.release(**facts)
        arrive(*users)
        services.release(**facts)
        jobs.advance_due(NOW)
    assert games_of(1) == 2


def test_a_round_after_a_pause_does_not_start_sooner(alice: User) -> None:
    tournament = make_tournament(alice, game=LIVE, format="swiss", pause_minutes=60)
    arrive(*enter_players(tournament, 4))
    facts: dict[str, Any] = {"user": alice, "tournament_id": tournament.public_id, "now": NOW}
    with clock.stopped(NOW):
        services.start(**facts)
        jobs.advance_due(NOW)
        for row in open_rows(tournament):
            end(row.game_id or "", winner=Seat.FIRST, by=alice)
        jobs.advance_due(NOW)
        services.release(**facts)
    assert Round.objects.get(number=2).starts_at == NOW + 60 * MINUTE


def test_a_round_of_games_by_days_starts_at_once(alice: User) -> None:
    tournament = make_tournament(alice, format="swiss", held_rounds=True)
    enter_players(tournament, 4)
    facts: dict[str, Any] = {"user": alice, "tournament_id": tournament.public_id, "now": NOW}
    services.start(**facts)
    jobs.advance_due(NOW)
    services.release(later=True, **facts)
    assert Round.objects.get().starts_at == NOW
