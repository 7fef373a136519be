"""What directors can do, what they cannot, and what is written in the log."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from crownhead.server.accounts.models import User
from crownhead.server.competitions import events, jobs, services
from crownhead.server.competitions.models import DirectorAction, Entrant, Pairing, PairingGame, Round
from crownhead.server.competitions.selectors import entrants
from crownhead.server.core.events import on
from crownhead.server.core.problems import Conflict, Forbidden, NotFound, TooMany, Unprocessable
from crownhead.server.core.processes.queues import GENERAL
from crownhead.server.play.choices import NO_SHOW
from crownhead.server.play.models import Game, Seat
from tests.server.competitions.factories import (
    LIVE,
    Playthrough,
    check_invariants,
    end,
    enter_players,
    fresh,
    invite_substitute,
    make_running_tournament,
    make_tournament,
    open_rows,
    opponents,
    play_out,
    state,
)
from tests.server.conftest import make_user
from tests.server.play.factories import DAY, NOW
from tests.server.tasks import run_tasks

pytestmark = pytest.mark.django_db
WHY = "Because it is so."


def names(users: list[User]) -> list[str]:
    return [user.username for user in users]


def meeting(number: int = 1) -> set[frozenset[str]]:
    """Who meets whom in a round."""
    rows = Pairing.objects.filter(round__number=number, bye="").select_related("first__user", "second__user")
    return {frozenset((row.first.user.username, row.second.user.username)) for row in rows if row.second}


def test_a_round_on_hold_is_paired_by_hand_and_released(alice: User) -> None:
    tournament, users = make_running_tournament(alice, 6, format="swiss", held_rounds=True)
    assert Round.objects.get().starts_at is None
    assert Game.objects.count() == 0
    one = names(users)
    pairs = [(one[0], one[1]), (one[2], one[3])]
    services.pair_by_hand(user=alice, tournament_id=tournament.public_id, pairs=pairs, reason=WHY, now=NOW)
    jobs.advance_due(NOW)
    assert Game.objects.count() == 0
    services.release(user=alice, tournament_id=tournament.public_id, now=NOW)
    for _ in range(2):
        jobs.advance_due(NOW)
    assert meeting() == {frozenset(pair) for pair in pairs}
    assert Pairing.objects.filter(bye="absent").count() == 2
    assert Game.objects.count() == 2
    game = Game.objects.with_players().get(public_id=open_rows(tournament)[0].game_id)
    assert game.first_player == users[0]


@pytest.mark.parametrize(
    ("pairs", "wrong"),
    [
        ([("player-1", "player-1")], "^pairs: player-1 is named twice.$"),
        ([("player-1", "player-2"), ("Player-2", "player-3")], "^pairs: Player-2 is named twice.$"),
        ([("player-1", "nobody")], "^pairs: nobody does not play in this tournament.$"),
    ],
)
def test_pairs_that_make_no_sense_are_refused(alice: User, pairs: list[tuple[str, str]], wrong: str) -> None:
    tournament, _users = make_running_tournament(alice, 4, format="swiss", held_rounds=True)
    before = meeting()
    with pytest.raises((Unprocessable, Conflict), match=wrong):
        services.pair_by_hand(
            user=alice, tournament_id=tournament.public_id, pairs=pairs, reason=WHY, now=NOW
        )
    assert meeting() == before


def test_a_player_who_has_left_is_not_paired_by_hand(alice: User) -> None:
    tournament, users = make_running_tournament(alice, 5, format="swiss", held_rounds=True)
    services.release(user=alice, tournament_id=tournament.public_id, now=NOW)
    jobs.advance_due(NOW)
    for row in open_rows(tournament):
        end(row.game_id or "", winner=None, by=alice)
    services.withdraw(user=users[0], tournament_id=tournament.public_id, now=NOW)
    jobs.advance_due(NOW)
    with pytest.raises(Unprocessable, match=r"^pairs: player-1 does not play in this round\.$"):
        services.pair_by_hand(
            user=alice,
            tournament_id=tournament.public_id,
            pairs=[("player-1", "player-2")],
            reason=WHY,
            now=NOW,
        )


def test_a_round_that_has_begun_is_not_paired_by_hand(alice: User) -> None:
    tournament, users = make_running_tournament(alice, 4, format="swiss")
    with pytest.raises(Conflict, match="no round on hold"):
        services.pair_by_hand(
            user=alice,
            tournament_id=tournament.public_id,
            pairs=[(users[0].username, users[1].username)],
            reason=WHY,
            now=NOW,
        )


def test_a_tournament_with_rounds_on_hold_can_be_finished(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 5, format="swiss", held_rounds=True)
    playthrough = Playthrough(tournament)
    for _ in range(30):
        services.release(user=alice, tournament_id=tournament.public_id, now=playthrough.now)
        playthrough.work()
        for row in open_rows(tournament):
            end(row.game_id or "", winner=Seat.FIRST, by=alice, now=playthrough.now)
        playthrough.work()
        if fresh(tournament).status == "finished":
            break
    assert fresh(tournament).status == "finished"
    check_invariants(tournament)


def test_seeds_order_the_field(alice: User) -> None:
    tournament = make_tournament(alice, format="single-elimination", max_players=4)
    users = enter_players(tournament, 4)
    wanted = [names(users)[at] for at in (3, 1, 0, 2)]
    services.seed(user=alice, tournament_id=tournament.public_id, usernames=wanted, now=NOW)
    services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    jobs.advance_due(NOW)
    assert meeting() == {frozenset((wanted[0], wanted[3])), frozenset((wanted[1], wanted[2]))}
    with pytest.raises(Conflict):
        services.seed(user=alice, tournament_id=tournament.public_id, usernames=wanted, now=NOW)


def test_seeds_write_the_rows_that_change_by_one_statement(alice: User) -> None:
    tournament = make_tournament(alice)
    users = names(enter_players(tournament, 6))

    def changed(usernames: list[str]) -> list[str]:
        with CaptureQueriesContext(connection) as captured:
            services.seed(user=alice, tournament_id=tournament.public_id, usernames=usernames, now=NOW)
        written = [row["sql"] for row in captured if 'UPDATE "competitions_entrant"' in row["sql"]]
        return [sql.partition(" ")[0] for sql in written]  # how often, of several rows

    assert changed(users) == ["6"]
    assert changed(users) == []
    assert changed([users[1], users[0], *users[2:]]) == ["2"]
    assert list(entrants(tournament).order_by("seed").values_list("user__username", flat=True))[:2] == [
        users[1],
        users[0],
    ]
    assert changed(users[1:2]) == ["5"]


def test_seeds_name_players_once(alice: User) -> None:
    tournament = make_tournament(alice)
    enter_players(tournament, 3)
    for wrong in (["player-1", "player-1"], ["alice"]):
        with pytest.raises(Unprocessable):
            services.seed(user=alice, tournament_id=tournament.public_id, usernames=wrong, now=NOW)


def test_seeding_as_it_is_and_closing_twice_are_no_more_lines_of_the_log(alice: User) -> None:
    tournament = make_tournament(alice, format="swiss")
    users = names(enter_players(tournament, 4))
    where: dict[str, Any] = {"user": alice, "tournament_id": tournament.public_id, "now": NOW}
    for _ in range(3):
        services.seed(usernames=users, **where)
    services.start(**where)
    for _ in range(3):
        services.close(reason=WHY, **where)
    verbs = DirectorAction.objects.order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["seeded", "started", "closed"]


def test_an_adjourned_pairing_holds_up_no_round_but_the_end(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4)
    first, second = open_rows(tournament)
    where: dict[str, Any] = {"tournament_id": tournament.public_id, "number": 1, "reason": WHY, "now": NOW}
    services.adjourn(user=alice, table=first.pairing.table, until=NOW + 5 * DAY, **where)
    end(second.game_id or "", winner=None, by=alice)
    jobs.advance_due(NOW)
    assert fresh(tournament).rounds_made == 2
    game = Game.objects.get(public_id=first.game_id)
    assert game.deadline_at is not None
    assert game.deadline_at > NOW + 5 * DAY
    for _ in range(4):
        for row in open_rows(tournament):
            if row.pk != first.pk:
                end(row.game_id or "", winner=None, by=alice)
        jobs.advance_due(NOW)
    assert fresh(tournament).status == "running"
    services.adjourn(user=alice, table=first.pairing.table, until=None, **where)
    end(first.game_id or "", winner=None, by=alice)
    jobs.advance_due(NOW)
    assert fresh(tournament).status == "finished"


def test_a_pairing_is_declared_forfeit_for_one_or_both(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4, options={"games": 2})
    tables = {row.pairing.table: row for row in open_rows(tournament)}
    one, other = sorted(tables)
    loser = opponents(tables[one])[0]
    where: dict[str, Any] = {"tournament_id": tournament.public_id, "number": 1, "reason": WHY, "now": NOW}
    services.forfeit(user=alice, table=one, loser=loser.username, **where)
    services.forfeit(user=alice, table=other, loser="both", **where)
    jobs.advance_due(NOW)
    pairings = {pairing.table: pairing for pairing in state(tournament).rounds[0].pairings}
    assert all(pairings[table].over for table in (one, other))
    key = str(Entrant.objects.get(user=loser).pk)
    assert pairings[one].points_of(key) == 0
    assert sum(pairings[one].points_of(player) for player in pairings[one].players) == 4
    assert sum(pairings[other].points_of(player) for player in pairings[other].players) == 0
    with pytest.raises(Unprocessable, match="does not play at this table"):
        services.forfeit(user=alice, table=other, loser=alice.username, **where)
    with pytest.raises(NotFound):
        services.forfeit(user=alice, table=99, loser="both", **where)


@pytest.mark.parametrize("name", ["both", "draw"])
def test_a_player_whose_name_means_something_to_directors_is_a_player(alice: User, name: str) -> None:
    tournament, _users = make_running_tournament(alice, 4)
    row = open_rows(tournament)[0]
    first = opponents(row)[0]
    first.username = name  # which was no reserved name before
    first.save()
    where: dict[str, Any] = {"tournament_id": tournament.public_id, "reason": WHY, "now": NOW}
    if name == "both":
        services.forfeit(user=alice, number=1, table=row.pairing.table, loser=name, **where)
    else:
        services.adjudicate(user=alice, game_id=row.game_id or "", result=name, **where)
    winner = Seat.SECOND if name == "both" else Seat.FIRST
    assert Game.objects.get(public_id=row.game_id).winner == winner


def test_games_are_adjudicated_while_they_continue_and_corrected_when_over(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4)
    first, second = open_rows(tournament)
    winner = opponents(first)[1].username
    where: dict[str, Any] = {"tournament_id": tournament.public_id, "reason": WHY, "now": NOW}
    services.adjudicate(user=alice, game_id=first.game_id or "", result=winner, **where)
    first.refresh_from_db()
    assert (first.first_points, first.second_points, first.how) == (0, 2, "adjudicated")
    play_out(second.game_id or "", winner=Seat.FIRST)
    services.adjudicate(user=alice, game_id=second.game_id or "", result="draw", **where)
    second.refresh_from_db()
    assert (second.first_points, second.second_points, second.how) == (1, 1, "adjudicated")
    assert Game.objects.get(public_id=second.game_id).winner == "first"


@pytest.mark.parametrize("again", [True, False])
def test_a_game_is_annulled_and_played_again_or_not(alice: User, again: bool) -> None:
    tournament, _users = make_running_tournament(alice, 4)
    row = open_rows(tournament)[0]
    where: dict[str, Any] = {"tournament_id": tournament.public_id, "reason": WHY, "now": NOW}
    services.annul(user=alice, game_id=row.game_id or "", again=again, **where)
    jobs.advance_due(NOW)
    row.refresh_from_db()
    assert row.replaced == again
    assert PairingGame.objects.filter(pairing=row.pairing, attempt=2).exists() == again
    if not again:
        assert (row.first_points, row.how) == (0, "annulled")


def test_the_first_of_two_games_that_continue_is_played_again_in_its_place(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4, options={"games": 2})
    first, second = open_rows(tournament)[:2]
    assert (first.pairing, first.number, second.number) == (second.pairing, 1, 2)
    where: dict[str, Any] = {"tournament_id": tournament.public_id, "reason": WHY, "now": NOW}
    services.annul(user=alice, game_id=first.game_id or "", again=True, **where)
    jobs.advance_due(NOW)
    again = PairingGame.objects.get(pairing=first.pairing, number=1, replaced=False)
    assert again.attempt == 2
    assert opponents(again) == opponents(first)


def test_only_the_staff_direct_their_own_games(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 3)
    judge = make_user("judge", is_staff=True)
    player = opponents(open_rows(tournament)[0])[0]
    services.set_directors(
        user=alice, tournament_id=tournament.public_id, usernames=[player.username], now=NOW
    )
    services.answer_directing(user=player, tournament_id=tournament.public_id, accepted=True)
    row = open_rows(tournament)[0]
    where: dict[str, Any] = {"tournament_id": tournament.public_id, "reason": WHY, "now": NOW}
    with pytest.raises(Forbidden, match="that you play in yourself"):
        services.adjudicate(user=player, game_id=row.game_id or "", result=player.username, **where)
    with pytest.raises(Forbidden, match="that you play in yourself"):
        services.forfeit(user=player, number=1, table=row.pairing.table, loser="both", **where)
    services.adjudicate(user=judge, game_id=row.game_id or "", result=player.username, **where)


def test_an_expelled_player_loses_open_games_and_is_not_paired_again(alice: User) -> None:
    tournament, users = make_running_tournament(alice, 6, format="swiss")
    services.expel(
        user=alice,
        tournament_id=tournament.public_id,
        username=users[0].username,
        reason=WHY,
        now=NOW,
    )
    run_tasks(GENERAL)
    assert Game.objects.filter(termination="forfeit").count() == 1
    Playthrough(tournament).play()
    row = Entrant.objects.get(user=users[0])
    assert (row.expelled, row.left) == (True, 1)
    assert not Pairing.objects.filter(round__number__gt=1, first=row).exists()
    with pytest.raises(Conflict):
        services.expel(
            user=alice, tournament_id=tournament.public_id, username="player-2", reason=WHY, now=NOW
        )


def test_a_substitute_takes_over_a_place(alice: User, bob: User) -> None:
    tournament, users = make_running_tournament(alice, 4)
    gone = users[0]
    invite_substitute(tournament, gone, bob)
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    jobs.advance_due(NOW)
    players = {user.pk for row in open_rows(tournament) for user in opponents(row)}
    assert bob.pk in players
    assert gone.pk not in players
    assert len(open_rows(tournament)) == 2
    Playthrough(tournament).play()
    assert Entrant.objects.filter(user=bob).exclude(place=None).exists()


def test_time_is_given(alice: User) -> None:
    tournament = make_tournament(alice, start="date", starts_at=NOW + DAY)
    enter_players(tournament, 4)
    where: dict[str, Any] = {"tournament_id": tournament.public_id, "reason": WHY}
    services.extend(user=alice, until=NOW + 2 * DAY, now=NOW, **where)
    jobs.advance_due(NOW + DAY)
    assert fresh(tournament).status == "entry"
    jobs.advance_due(NOW + 2 * DAY)
    assert fresh(tournament).status == "running"
    with pytest.raises(Conflict):
        services.extend(user=alice, until=NOW + 4 * DAY, now=NOW + 2 * DAY, **where)
    with pytest.raises(Unprocessable):
        services.extend(user=alice, until=NOW, now=NOW, **where)


def test_an_arena_is_extended(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4, format="arena", game=LIVE, minutes=20)
    services.extend(
        user=alice,
        tournament_id=tournament.public_id,
        until=NOW + timedelta(minutes=40),
        reason=WHY,
        now=NOW,
    )
    jobs.advance_due(NOW + timedelta(minutes=20))
    assert not fresh(tournament).closed
    jobs.advance_due(NOW + timedelta(minutes=40))
    assert fresh(tournament).closed


def test_the_log_of_a_tournament_does_not_grow_without_end(alice: User, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"directing": "2/h"}
    tournament, _users = make_running_tournament(alice, 4, format="arena", game=LIVE, minutes=20)

    def extend(minutes: int) -> None:
        until = NOW + timedelta(minutes=minutes)
        services.extend(user=alice, tournament_id=tournament.public_id, until=until, reason=WHY, now=NOW)

    extend(40)
    with pytest.raises(TooMany):
        extend(50)


def test_a_closed_tournament_ends_with_what_is_open(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 6)
    services.close(user=alice, tournament_id=tournament.public_id, reason=WHY, now=NOW)
    for row in open_rows(tournament):
        end(row.game_id or "", winner=None, by=alice)
    jobs.advance_due(NOW)
    assert fresh(tournament).status == "finished"
    assert fresh(tournament).rounds_made == 1


def test_decisions_are_logged_with_their_reason_and_players_are_notified(alice: User) -> None:
    emitted: list[events.DirectorActed] = []
    on(events.DirectorActed)(emitted.append)
    tournament, _users = make_running_tournament(alice, 4)
    row = open_rows(tournament)[0]
    services.annul(
        user=alice,
        tournament_id=tournament.public_id,
        game_id=row.game_id or "",
        again=True,
        reason="A power cut.",
        now=NOW,
    )
    action = DirectorAction.objects.latest("pk")
    assert (action.by, action.verb, action.reason) == (alice, "annulled", "A power cut.")
    first, second = opponents(row)
    assert f"{first.username} – {second.username}" in action.text or f"{second.username}" in action.text
    assert set(emitted[-1].player_ids) == {first.pk, second.pk}


@pytest.mark.parametrize("reason", ["", "  ", "x" * 501, f" {NO_SHOW} "])
def test_no_action_without_a_reason_of_ones_own(alice: User, reason: str) -> None:
    tournament, _users = make_running_tournament(alice, 3)
    with pytest.raises(Unprocessable, match="reason"):
        services.close(user=alice, tournament_id=tournament.public_id, reason=reason, now=NOW)
    assert not DirectorAction.objects.filter(verb="closed").exists()


def test_a_tournament_is_cancelled_before_it_starts(alice: User) -> None:
    emitted: list[events.TournamentCancelled] = []
    on(events.TournamentCancelled)(emitted.append)
    tournament = make_tournament(alice)
    users = enter_players(tournament, 3)
    services.cancel(user=alice, tournament_id=tournament.public_id, reason="The playthrough burns.", now=NOW)
    assert fresh(tournament).status == "cancelled"
    assert set(emitted[-1].player_ids) == {user.pk for user in users}
    with pytest.raises(Conflict):
        services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
