"""When tournaments begin, go on and end: jobs that run twice, start conditions, annulled games, arenas."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.competitions import events, jobs, selectors, services
from crownhead.server.competitions.access import publish_change
from crownhead.server.competitions.models import (
    Entrant,
    Pairing,
    PairingGame,
    Round,
    Tournament,
    Trophy,
)
from crownhead.server.competitions.selectors.starts import cancel_reason
from crownhead.server.competitions.services import beginning
from crownhead.server.core import clock
from crownhead.server.core.events import on
from crownhead.server.core.jobs import jobs as all_jobs
from crownhead.server.core.problems import Conflict
from crownhead.server.live import selectors as live
from crownhead.server.live.services import number_committed
from crownhead.server.notices.models import Notice
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.services.seating import start_game
from crownhead.server.play.models import Game, Seat
from crownhead.server.play.moves.services import play_move
from crownhead.server.play.staff.services import adjudicate, annul
from tests.server.competitions.factories import (
    LIVE,
    Playthrough,
    advance,
    client_of,
    end,
    enter_players,
    fresh,
    make_running_tournament,
    make_tournament,
    open_rows,
    opponents,
    play_out,
)
from tests.server.conftest import make_user
from tests.server.play.factories import DAY, NOW
from tests.server.teams.factories import make_team

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def test_workers_do_the_jobs() -> None:
    names = {job.name for job in all_jobs()}
    assert {"tournaments", "no-shows of tournaments", "appointments of tournaments"} <= names


def test_it_begins_as_soon_as_it_is_full(alice: User) -> None:
    tournament = make_tournament(alice, start="full", max_players=4)
    users = enter_players(tournament, 3)
    assert jobs.advance_due(NOW) == 0
    services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
    assert jobs.advance_due(NOW) == 1
    assert fresh(tournament).status == "running"
    assert Game.objects.filter(status="playing").count() == 2
    assert len(users) == 3


def test_it_begins_at_its_date(alice: User) -> None:
    tournament = make_tournament(alice, start="date", starts_at=NOW + DAY)
    enter_players(tournament, 4)
    assert jobs.advance_due(NOW + DAY - timedelta(seconds=1)) == 0
    jobs.advance_due(NOW + DAY)
    assert fresh(tournament).status == "running"


def test_with_too_few_it_is_cancelled_at_its_date(alice: User) -> None:
    tournament = make_tournament(alice, start="date", starts_at=NOW + DAY, min_players=5)
    enter_players(tournament, 4)
    emitted: list[events.TournamentCancelled] = []
    on(events.TournamentCancelled)(emitted.append)
    for _ in range(2):
        jobs.advance_due(NOW + DAY)
    assert fresh(tournament).status == "cancelled"
    assert cancel_reason(fresh(tournament)) == "It needs at least 5 players; 4 have entered."
    assert len([event for event in emitted if event.tournament_id == tournament.public_id]) == 1


def test_a_tournament_with_more_rounds_than_opponents_cannot_start(alice: User) -> None:
    tournament = make_tournament(alice, format="swiss", options={"rounds": 9}, max_players=12)
    enter_players(tournament, 4)
    with pytest.raises(Conflict, match=r"^4 players are too few for 9 rounds\.$"):
        services.start(user=alice, tournament_id=tournament.public_id, now=NOW)


def test_a_tournament_that_does_not_fill_starts_on_the_last_day_with_enough_players(alice: User) -> None:
    tournament = make_tournament(alice, start="full", starts_at=NOW + DAY, max_players=8)
    enter_players(tournament, 5)
    jobs.advance_due(NOW)
    assert fresh(tournament).status == "entry"
    jobs.advance_due(NOW + DAY)
    assert fresh(tournament).status == "running"


def test_looking_twice_makes_no_round_and_no_game_twice(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 6)
    before = (Round.objects.count(), Pairing.objects.count(), Game.objects.count())
    for _ in range(3):
        advance(tournament)
        jobs.advance_due(NOW)
    assert (Round.objects.count(), Pairing.objects.count(), Game.objects.count()) == before


def test_a_result_counts_in_the_transaction_of_its_game(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4)
    row = open_rows(tournament)[0]
    play_out(row.game_id or "", winner=Seat.SECOND)
    row.refresh_from_db()
    assert (row.first_points, row.second_points, row.how) == (0, 2, "played")
    assert fresh(tournament).due_at == NOW


def test_open_pages_are_told_that_the_tables_changed(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4)
    number_committed()
    place, topic = live.position(), f"game:{tournament.public_id}"
    play_out(open_rows(tournament)[0].game_id or "", winner=Seat.SECOND)
    number_committed()
    heard = live.events_after(place, topics=[topic])
    assert [(event.kind, event.payload) for event in heard] == [("tournament", {"id": tournament.public_id})]


def test_a_player_who_resigns_before_both_have_moved_twice_has_forfeited(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4)
    row = open_rows(tournament)[0]
    first, _second = opponents(row)
    resign(user=first, game_id=row.game_id or "", now=NOW)
    row.refresh_from_db()
    assert (row.first_points, row.second_points, row.how) == (0, 2, "forfeit")


def test_a_game_that_counts_for_nothing_is_played_again_three_times_at_most(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4)
    judge = make_user("judge", is_staff=True)
    row = open_rows(tournament)[0]
    for attempt in (1, 2, 3):
        again = PairingGame.objects.get(pairing=row.pairing, number=1, attempt=attempt)
        assert again.game_id
        adjudicate(by=judge, game_id=again.game_id, result="nothing", reason="A fault.", now=NOW)
        jobs.advance_due(NOW)
    last = PairingGame.objects.get(pairing=row.pairing, number=1, attempt=3)
    assert (last.replaced, last.first_points, last.second_points, last.how) == (False, 0, 0, "annulled")


def test_the_staff_annul_a_game_of_the_latest_round_and_it_is_played_again(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4)
    judge = make_user("judge", is_staff=True)
    row = open_rows(tournament)[0]
    play_out(row.game_id or "", winner=Seat.FIRST)
    annul(staff=judge, game_id=row.game_id or "", reason="A mistake.", now=NOW)
    jobs.advance_due(NOW)
    assert PairingGame.objects.filter(pairing=row.pairing, attempt=2, first_points=None).exists()


def test_a_game_of_an_earlier_round_that_is_annulled_is_set_aside(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4)
    judge = make_user("judge", is_staff=True)
    rows = open_rows(tournament)
    for row in rows:
        play_out(row.game_id or "", winner=Seat.FIRST)
    jobs.advance_due(NOW)
    assert fresh(tournament).rounds_made == 2
    annul(staff=judge, game_id=rows[0].game_id or "", reason="A mistake.", now=NOW)
    rows[0].refresh_from_db()
    assert (rows[0].first_points, rows[0].how) == (0, "annulled")
    Playthrough(tournament).play()


def test_the_end_is_announced_once_with_winners_and_trophies(alice: User) -> None:
    emitted: list[object] = []
    for kind in (events.TournamentFinished, events.TrophyWon):
        on(kind)(emitted.append)
    tournament, _users = make_running_tournament(alice, 4, prizes=("Gold", "Silver"))
    Playthrough(tournament).play()
    ends = [event for event in emitted if isinstance(event, events.TournamentFinished)]
    assert len(ends) == 1
    winners = set(Entrant.objects.filter(place=1).values_list("user_id", flat=True))
    assert set(ends[0].winner_ids) == winners
    assert len(ends[0].player_ids) == 4
    for trophy in Trophy.objects.filter(place=1):
        (mine,) = selectors.trophies_of(trophy.user_id)
        assert (mine.name, mine.tournament, mine.place) == ("Gold", "Spring cup", 1)
    assert len(emitted) == 1 + Trophy.objects.count()


def test_all_players_are_notified_of_their_pairings(alice: User) -> None:
    paired: list[events.Paired] = []
    on(events.Paired)(paired.append)
    tournament, users = make_running_tournament(alice, 5)
    (bye,) = paired
    assert bye.second_id is None
    seats = [user.pk for row in open_rows(tournament) for user in opponents(row)]
    assert sorted([bye.first_id, *seats]) == sorted(user.pk for user in users)
    assert tournament.rounds_made == 1


def test_an_arena_pairs_who_is_free_until_its_time_is_up(alice: User) -> None:
    tournament, users = make_running_tournament(
        alice, 4, format="arena", game=LIVE, minutes=20, max_players=9
    )
    assert len(open_rows(tournament)) == 2
    services.be_here(user=users[0], tournament_id=tournament.public_id, here=False, now=NOW)
    for row in open_rows(tournament):
        end(row.game_id or "", winner=Seat.FIRST, by=alice)
    for seconds in (5, 10, 15):
        jobs.advance_due(NOW + timedelta(seconds=seconds))
    busy = {user.pk for row in open_rows(tournament) for user in opponents(row)}
    assert users[0].pk not in busy
    assert len(busy) == 2
    late = make_user("late")
    services.enter(user=late, tournament_id=tournament.public_id, now=NOW + timedelta(minutes=1))
    jobs.advance_due(NOW + timedelta(minutes=1))
    assert late.pk in {user.pk for row in open_rows(tournament) for user in opponents(row)}
    jobs.advance_due(NOW + timedelta(minutes=20))
    assert fresh(tournament).closed
    assert fresh(tournament).status == "running"
    for row in open_rows(tournament):
        end(row.game_id or "", winner=None, by=alice, now=NOW + timedelta(minutes=20, seconds=5))
    jobs.advance_due(NOW + timedelta(minutes=21))
    assert fresh(tournament).status == "finished"


def test_nobody_is_told_to_resume_in_an_arena_whose_time_is_up(alice: User) -> None:
    arena, _users = make_running_tournament(
        alice, 4, format="arena", game=LIVE, minutes=60, max_players=9, no_show_minutes=2
    )
    now = NOW + timedelta(minutes=3)
    Tournament.objects.filter(pk=arena.pk).update(ends_at=now)
    assert jobs.forfeit_no_shows(now) == 2
    assert not Notice.objects.filter(subject__startswith="You are paused").exists()


@pytest.mark.parametrize("how", ["its time is up", "closed"])
@pytest.mark.parametrize("here", [True, False])
def test_nobody_is_offered_to_pause_or_resume_in_an_arena_that_pairs_no_more(
    alice: User, how: str, here: bool
) -> None:
    arena, users = make_running_tournament(alice, 4, format="arena", game=LIVE, minutes=60)
    facts: dict[str, Any] = {"tournament_id": arena.public_id, "now": NOW}
    services.be_here(user=users[0], here=here, **facts)
    if how == "closed":
        services.close(user=alice, reason="It is late.", **facts)
    with clock.stopped(NOW if how == "closed" else NOW + timedelta(minutes=60)):
        page = client_of(users[0]).get(f"/tournaments/{arena.public_id}/").content.decode()
    assert "Resume" not in page
    assert 'value="pause"' not in page


def test_an_arena_pairs_nobody_who_did_not_come_until_they_are_back(alice: User) -> None:
    arena, users = make_running_tournament(
        alice, 4, format="arena", game=LIVE, minutes=60, max_players=9, no_show_minutes=2
    )
    first_sides = {opponents(row)[0].pk for row in open_rows(arena)}
    now = NOW + timedelta(minutes=3)
    assert jobs.forfeit_no_shows(now) == 2
    jobs.advance_due(now)
    paired = {user.pk for row in open_rows(arena) for user in opponents(row)}
    assert len(paired) == 2
    assert not paired & first_sides
    told = Notice.objects.filter(
        subject="You are paused in Spring cup",
        text__startswith="You lost a game by forfeit. To get new games",
    )
    assert set(told.values_list("user", flat=True)) == first_sides
    with clock.stopped(now):
        for user in users:
            page = client_of(user).get(f"/tournaments/{arena.public_id}/").content.decode()
            assert ("Resume to get new games." in page) == (user.pk in first_sides)
    assert jobs.forfeit_no_shows(now + timedelta(minutes=3)) == 1
    jobs.advance_due(now + timedelta(minutes=3))
    assert open_rows(arena) == []
    for user in users:
        services.be_here(user=user, tournament_id=arena.public_id, here=True, now=now + timedelta(minutes=4))
    jobs.advance_due(now + timedelta(minutes=4))
    assert len(open_rows(arena)) == 2


def test_a_live_round_waits_for_its_pause(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4, game=LIVE, pause_minutes=5, no_show_minutes=10)
    for row in open_rows(tournament):
        end(row.game_id or "", winner=None, by=alice)
    jobs.advance_due(NOW)
    assert fresh(tournament).rounds_made == 2
    assert open_rows(tournament) == []
    jobs.advance_due(NOW + timedelta(minutes=4))
    assert open_rows(tournament) == []
    jobs.advance_due(NOW + timedelta(minutes=5))
    assert len(open_rows(tournament)) == 2


def test_a_player_who_does_not_come_to_a_live_game_loses_it(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4, game=LIVE, no_show_minutes=3)
    here, _there = open_rows(tournament)
    game = Game.objects.with_players().get(public_id=here.game_id)
    assert game.first_player is not None
    later = NOW + timedelta(minutes=2)
    play_move(user=game.first_player, game_id=game.public_id, move="11-15", version=0, now=later)
    assert jobs.forfeit_no_shows(NOW + timedelta(minutes=2, seconds=59)) == 0
    assert jobs.forfeit_no_shows(NOW + timedelta(minutes=3)) == 1
    here.refresh_from_db()
    assert here.first_points is None
    assert jobs.forfeit_no_shows(NOW + timedelta(minutes=5)) == 1
    lost = PairingGame.objects.get(pk=here.pk)
    assert (lost.first_points, lost.second_points, lost.how) == (2, 0, "forfeit")


def test_a_tournament_of_a_team_is_for_its_members(alice: User, bob: User) -> None:
    team = make_team(alice)
    tournament = make_tournament(alice, entry="team", team=team.public_id)
    services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
    with pytest.raises(Exception, match="for members of Blue Dogs"):
        services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    with pytest.raises(Exception, match="captain of Blue Dogs"):
        make_tournament(bob, entry="team", team=team.public_id)
    assert [row.name for row in selectors.tournaments(team=team.public_id)] == ["Spring cup"]


def test_two_live_games_of_a_pair_are_played_one_after_the_other(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4, game=LIVE, options={"games": 2})
    assert [row.number for row in open_rows(tournament)] == [1, 1]
    first = open_rows(tournament)[0]
    end(first.game_id or "", winner=Seat.FIRST, by=alice)
    jobs.advance_due(NOW)
    assert sorted(row.number for row in open_rows(tournament)) == [1, 2]
    again = PairingGame.objects.get(pairing=first.pairing, number=2)
    assert again.swapped != first.swapped
    Playthrough(tournament).play()
    assert PairingGame.objects.count() == 12


def test_a_tournament_that_fails_is_tried_again_in_a_minute_and_delays_no_other(
    alice: User, caplog: pytest.LogCaptureFixture
) -> None:
    broken, _users = make_running_tournament(alice, 4)
    Tournament.objects.filter(pk=broken.pk).update(options={"nonsense": 1}, due_at=NOW)
    other = make_tournament(alice, start="date", starts_at=NOW + HOUR, min_players=8)
    assert jobs.advance_due(NOW + HOUR) == 1
    assert "cannot go on" in caplog.text
    assert fresh(broken).due_at == NOW + HOUR + timedelta(minutes=1)
    assert fresh(other).status == "cancelled"


@pytest.mark.parametrize("players", [4, 6, 8])
def test_open_pages_hear_of_the_last_games_that_begin(
    alice: User, monkeypatch: pytest.MonkeyPatch, players: int
) -> None:
    log: list[str] = []

    def note_start(**facts: Any) -> Game:
        log.append("game")
        return start_game(**facts)

    def note_publish(tournament: Tournament) -> None:
        log.append("publish")
        publish_change(tournament)

    monkeypatch.setattr(beginning, "start_game", note_start)
    monkeypatch.setattr(beginning, "publish_change", note_publish)
    make_running_tournament(alice, players)
    assert log.count("game") == players // 2
    assert log[-1] == "publish"
