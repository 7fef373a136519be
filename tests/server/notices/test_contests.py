"""Notifications about ladders, tournaments and teams: one for each event and its games."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from crownhead.server.accounts.contacts.services import block
from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs as tournaments
from crownhead.server.competitions import services as competitions
from crownhead.server.competitions.events import (
    DirectorActed,
    StartSet,
    TournamentCancelled,
    TournamentStarted,
    TrophyWon,
    Why,
    about,
)
from crownhead.server.competitions.models import Tournament
from crownhead.server.competitions.selectors import director_actions
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core import clock
from crownhead.server.core.background.killed_tasks import repeat_killed
from crownhead.server.core.events import emit
from crownhead.server.ladders import events
from crownhead.server.ladders import services as ladders
from crownhead.server.ladders.access import event_fields
from crownhead.server.notices import tasks as notice_tasks
from crownhead.server.notices.handlers import tournaments as handlers
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.selectors.reading import notices_of, unread_count
from crownhead.server.notices.services import reading
from crownhead.server.notices.tasks import notify_ladder_closed
from crownhead.server.play.models import Game, Seat
from crownhead.server.teams import services as teams
from tests.server.competitions import factories as tournament_factories
from tests.server.conftest import make_user
from tests.server.ladders import factories as ladder_factories
from tests.server.notices.factories import DAY, HOUR, MINUTE, kinds, letters, set_timing, subjects
from tests.server.play.factories import NOW
from tests.server.tasks import kill_worker, run_tasks
from tests.server.teams import factories as team_factories

pytestmark = pytest.mark.django_db


# ----------------------------------------------------------------------------------------- ladders


def test_a_challenge_is_one_notice_with_its_game(alice: User, bob: User) -> None:
    ladder = ladder_factories.make_ladder()
    challenger, other = ladder_factories.make_members(2, ladder)
    (game,) = ladder_factories.games_of(ladder_factories.challenge(ladder, other, challenger))
    assert kinds(challenger) == ["challenged"]
    assert kinds(other) == (["turn"] if game.turn and game.first_player == other else [])
    (notice,) = notices_of(challenger)
    assert notice.subject.endswith(": p02 challenged you")
    assert notice.link == f"/games/{game.public_id}/"


@pytest.mark.parametrize("seed", range(4))
def test_a_challenge_to_two_games_is_announced_once_with_the_game_that_waits(seed: int) -> None:
    ladder = ladder_factories.make_ladder(games=2)
    challenger, other = ladder_factories.make_members(2, ladder)
    ladder_factories.challenge(ladder, other, challenger, seed=seed)
    assert kinds(challenger) == ["challenged"]
    assert kinds(other) == ["turn"]
    (notice,), (turn,) = notices_of(challenger), notices_of(other)
    assert notice.about != turn.about
    assert Game.objects.get(public_id=notice.about.removeprefix("game:")).turn is not None


def test_a_player_who_wants_no_challenges_by_mail_but_their_turns_gets_the_turn(alice: User) -> None:
    ladder = ladder_factories.make_ladder()
    first, second = ladder_factories.make_members(2, ladder)
    set_timing(first, Kind.CHALLENGED, Channel.MAIL, Timing.NEVER)
    (game,) = ladder_factories.games_of(ladder_factories.challenge(ladder, second, first))
    emails = letters(NOW + HOUR)
    assert any(line.startswith("p01:") for line in emails) == (game.first_player == first)


def test_a_place_that_is_taken_is_announced_to_both(alice: User) -> None:
    ladder = ladder_factories.make_ladder()
    above, below = ladder_factories.make_members(2, ladder)
    ladder_factories.make_finished_challenge(ladder, below, above, below)
    assert any(subject.endswith(": you moved from 2 to 1") for subject in subjects(below))
    assert any(subject.endswith(": p02 took your place") for subject in subjects(above))


def test_a_step_up_the_stairs_reads_as_a_climb_and_a_step_down_as_none(alice: User) -> None:
    ladder = ladder_factories.make_ladder(style="stairs")
    first, second = ladder_factories.make_members(2, ladder)
    ladder_factories.make_finished_challenge(ladder, first, second, first)
    assert any(subject.endswith(": you climbed from step 1 to step 2") for subject in subjects(first))
    emit(events.PlaceTaken(**event_fields(ladder, NOW), user_id=second.pk, before=3, after=2, is_step=True))
    assert subjects(second)[0].endswith(": you went down from step 3 to step 2")


def test_a_player_who_stands_on_a_ladder_that_is_closed_is_notified_once_and_of_their_open_challenge(
    django_user_model: type[User],
) -> None:
    dora = django_user_model.objects.create_superuser("dora", "dora@example.org", "a long passphrase")
    ladder = ladder_factories.make_ladder()
    first, second, third = ladder_factories.make_members(3, ladder)
    ladder_factories.challenge(ladder, second, first)
    ladders.close_ladder(staff=dora, ladder_id=ladder.public_id, now=NOW + HOUR)
    for _ in range(2):  # repeated by another worker
        assert notify_ladder_closed.func(ladder.public_id) == 3
    texts = {
        user: [row for row in notices_of(user) if "is closed" in row.subject]
        for user in (first, second, third)
    }
    assert [len(rows) for rows in texts.values()] == [1, 1, 1]
    said = {user.username: rows[0].text for user, rows in texts.items()}
    assert (
        said["p01"]
        == said["p02"]
        == "Your open challenge no longer counts on the ladder, but you can finish the game."
    )
    assert said["p03"] == "The standings stay as they are."


# ----------------------------------------------------------------------------------------- tournaments


def test_a_tournament_tells_its_players_that_it_has_begun_and_of_their_games(alice: User) -> None:
    _, users = tournament_factories.make_running_tournament(alice, 4)
    for user in users:
        told = subjects(user)
        assert "The tournament Spring cup has started" in told
        begun = [
            subject for subject in told if subject.endswith("has started") and "tournament" not in subject
        ]
        assert len(begun) == 1  # one for the first game
        assert told.count("More of your games in Spring cup have started") <= 1
        games = Game.objects.filter(first_player=user) | Game.objects.filter(second_player=user)
        on_turn = games.filter(first_player=user, turn=Seat.FIRST).count()
        assert kinds(user).count("turn") in {on_turn, on_turn - 1}  # one of them may be told with the first


def test_everything_about_a_start_is_one_email(alice: User) -> None:
    _, users = tournament_factories.make_running_tournament(alice, 4)
    emails = letters(NOW + HOUR)
    assert sorted(line.partition(":")[0] for line in emails) == sorted(user.username for user in users)
    assert letters(NOW + DAY) == []


def test_a_finished_tournament_tells_the_result_and_the_trophies(alice: User) -> None:
    tournament, users = tournament_factories.make_running_tournament(alice, 3, prizes=["Gold", "Silver"])
    tournament_factories.Playthrough(tournament).play()
    assert all("The tournament Spring cup is over" in subjects(user) for user in users)
    trophies = [subject for user in users for subject in subjects(user) if "trophy" in subject]
    assert "You won a trophy: Gold" in trophies


def test_a_player_who_is_expelled_is_notified_of_the_reason(alice: User) -> None:
    tournament, users = tournament_factories.make_running_tournament(alice, 4)
    competitions.expel(
        user=alice,
        tournament_id=tournament.public_id,
        username=users[0].username,
        reason="Never came.",
        now=NOW,
    )
    found = notices_of(users[0]).get(subject="A director expelled you from Spring cup")
    assert found.text == "Never came."


def test_a_tournament_that_does_not_take_place_is_announced_with_its_reason(alice: User) -> None:
    tournament = tournament_factories.make_tournament(alice)
    users = tournament_factories.enter_players(tournament, 3)
    competitions.cancel(user=alice, tournament_id=tournament.public_id, reason="No hall.", now=NOW)
    for user in users:
        assert subjects(user) == ["The tournament Spring cup was cancelled"]


def test_who_has_blocked_the_director_is_notified_without_their_reason(alice: User) -> None:
    tournament = tournament_factories.make_tournament(alice)
    users = tournament_factories.enter_players(tournament, 3)
    for user in users[:2]:
        block(user=user, other=alice, now=NOW)
    insult, key = "I know where you live.", tournament.public_id
    name = users[0].username
    competitions.expel(user=alice, tournament_id=key, username=name, reason=insult, now=NOW)
    competitions.cancel(user=alice, tournament_id=key, reason=insult, now=NOW)
    told = [[(notice.subject, notice.text) for notice in notices_of(user)] for user in users]
    assert told == [
        [("A director removed you from Spring cup", "")],
        [("The tournament Spring cup was cancelled", "")],
        [("The tournament Spring cup was cancelled", insult)],
    ]


def test_who_has_blocked_the_director_is_notified_of_a_result_without_their_reason(alice: User) -> None:
    tournament, _ = tournament_factories.make_running_tournament(alice, 4)
    game = Game.objects.get(public_id=tournament_factories.open_rows(tournament)[0].game_id)
    players = [player for player in (game.first_player, game.second_player) if player is not None]
    block(user=players[0], other=alice, now=NOW)
    competitions.adjudicate(
        user=alice,
        tournament_id=tournament.public_id,
        game_id=game.public_id,
        result="draw",
        reason="Too late.",
        now=NOW,
    )
    told = [notices_of(player).filter(text__contains="Too late.").count() for player in players]
    assert told == [0, 1]


def test_a_director_speaks_for_themselves_in_one_line(alice: User) -> None:
    tournament, _ = tournament_factories.make_running_tournament(alice, 4)
    game = Game.objects.get(public_id=tournament_factories.open_rows(tournament)[0].game_id)
    assert game.first_player is not None
    assert game.second_player is not None
    competitions.adjudicate(
        user=alice,
        tournament_id=tournament.public_id,
        game_id=game.public_id,
        result=game.second_player.username,
        reason="Too late.\r\n\r\n-- \r\nThe \u202estaff\x1b[31m of\u2066 the club",
        now=NOW,
    )
    assert notices_of(game.first_player)[0].text == (
        "American checkers (Spring cup): You lost by adjudication. "
        "From the director alice: Too late. -- The staff[31m of the club"
    )


def test_a_round_to_come_is_announced_with_its_time(alice: User) -> None:
    tournament, users = tournament_factories.make_running_tournament(
        alice, 4, format="swiss", options={"rounds": 3}, game=tournament_factories.LIVE, pause_minutes=10
    )
    for row in tournament_factories.open_rows(tournament):
        tournament_factories.end(row.game_id or "", winner=Seat.FIRST, by=alice)
    tournaments.advance_due(NOW + timedelta(minutes=1))
    assert "Round 2 of Spring cup is paired" in subjects(users[0])


# ----------------------------------------------------------------------------------------- teams


def test_a_player_who_is_invited_into_a_team_is_notified_and_the_captain_hears_the_answer(
    alice: User, bob: User
) -> None:
    team = team_factories.make_team(alice, joining="invited")
    teams.invite(user=alice, team_id=team.public_id, username="bob", message="Come!", now=NOW)
    assert subjects(bob) == ["alice invites you to join the team Blue Dogs"]
    teams.join(user=bob, team_id=team.public_id, now=NOW)
    assert subjects(alice) == ["bob joined Blue Dogs"]
    assert unread_count(bob) == 0


def test_a_player_who_asks_to_join_is_notified_of_the_answer(alice: User, bob: User) -> None:
    team = team_factories.make_team(alice, joining="ask")
    teams.join(user=bob, team_id=team.public_id, now=NOW)
    assert subjects(alice) == ["bob wants to join Blue Dogs"]
    teams.answer(user=alice, team_id=team.public_id, username="bob", accepted=False, now=NOW)
    assert subjects(bob) == ["Blue Dogs declined your request to join"]


def test_who_has_blocked_the_captain_is_not_notified_of_their_team(alice: User, bob: User) -> None:
    team = team_factories.make_team(alice)
    teams.join(user=bob, team_id=team.public_id, now=NOW)
    block(user=bob, other=alice, now=NOW)
    teams.remove(user=alice, team_id=team.public_id, username="bob")
    assert subjects(bob) == []


def test_a_captain_who_has_blocked_the_other_is_not_notified_of_a_match_withdrawn(alice: User) -> None:
    home, ours = team_factories.make_team_of("Lions", 2)
    away, theirs = team_factories.make_team_of("Tigers", 2)
    match = team_factories.make_proposed_match(home, away)
    block(user=theirs[0], other=ours[0], now=NOW)
    before = subjects(theirs[0])
    teams.withdraw(user=ours[0], match_id=match.public_id, now=NOW)
    assert subjects(theirs[0]) == before


def test_a_match_of_teams_is_announced_to_captains_and_players(alice: User) -> None:
    home, ours = team_factories.make_team_of("Lions", 3)
    away, theirs = team_factories.make_team_of("Tigers", 3)
    match = team_factories.make_proposed_match(home, away)
    assert subjects(theirs[0])[0] == "Lions proposes a match to Tigers"
    teams.answer_match(user=theirs[0], match_id=match.public_id, accepted=True, now=NOW)
    assert subjects(ours[0])[0] == "Tigers accepted the match against Lions"
    for captain, players in ((ours[0], ours[1:]), (theirs[0], theirs[1:])):
        team_factories.let_play(match, *players)
        names = [player.username for player in players]
        teams.line_up(user=captain, match_id=match.public_id, usernames=names, now=NOW)
    assert subjects(ours[0])[0] == "The match between Lions and Tigers has started"
    run_tasks("default")  # begins the other games
    assert "paired" in kinds(ours[1])
    for game in Game.objects.all():
        tournament_factories.end(game.public_id, winner=Seat.FIRST, by=alice)
    for user in (*ours, *theirs):
        assert "The match between Lions and Tigers is over: 2 to 2" in subjects(user)


def test_who_has_blocked_a_captain_does_not_read_the_name_of_that_team(alice: User) -> None:
    home, ours = team_factories.make_team_of("Lions", 3)
    away, theirs = team_factories.make_team_of("Rude Tigers", 3)
    match = team_factories.make_proposed_match(home, away)
    for member in (ours[1], theirs[1]):
        block(user=member, other=theirs[0], now=NOW)
    teams.answer_match(user=theirs[0], match_id=match.public_id, accepted=True, now=NOW)
    run_tasks("default")
    assert subjects(ours[1]) == ["Lions plays a match against another team"]
    assert subjects(ours[2]) == ["Lions plays a match against Rude Tigers"]
    assert subjects(theirs[2]) == ["Lions plays a match against Rude Tigers"]
    assert subjects(theirs[1]) == []  # for the captain of their own team asks them


def test_who_has_blocked_the_host_reads_no_name_given_since(alice: User) -> None:
    tournament = tournament_factories.make_tournament(alice, prizes=["Rude cup"])
    users = tournament_factories.enter_players(tournament, 3)
    block(user=users[0], other=alice, now=NOW)
    players = (users[0].pk, users[1].pk)
    edited = {"by_id": alice.pk, "verb": "edited", "text": "", "reason": "", "player_ids": players}
    emit(about(DirectorActed, tournament, **edited))
    emit(about(TrophyWon, tournament, user_id=users[0].pk, trophy="Rude cup", place=1))
    assert subjects(users[0]) == ["You won a trophy", "The terms of one of your tournaments have changed"]
    assert "The terms of the tournament Spring cup have changed" in subjects(users[1])


def test_nobody_is_asked_to_direct_what_somebody_blocked_has_named(alice: User, bob: User) -> None:
    tournament = tournament_factories.make_tournament(alice)
    block(user=bob, other=alice, now=NOW)
    judge = make_user("judge", is_staff=True)
    competitions.set_directors(user=judge, tournament_id=tournament.public_id, usernames=["bob"], now=NOW)
    assert subjects(bob) == []


def _edit(tournament: Tournament, host: User, **changes: Any) -> None:
    wanted: dict[str, Any] = {
        "name": "Spring cup",
        "format": "round-robin",
        "game": tournament_factories.MAIN,
        "min_players": 3,
        "max_players": 8,
        "start": "hand",
    }
    announcement = Announcement(**wanted | changes)
    competitions.edit(user=host, tournament_id=tournament.public_id, wanted=announcement, now=NOW)


def test_an_edit_that_changes_no_terms_is_told_to_nobody(alice: User) -> None:
    tournament = tournament_factories.make_tournament(alice)
    (player,) = tournament_factories.enter_players(tournament, 1)
    _edit(tournament, alice)
    assert not director_actions(tournament).exists()
    _edit(tournament, alice, about="Bring your own board.")
    assert [row.verb for row in director_actions(tournament)] == ["edited"]
    assert subjects(player) == []


def test_one_edit_after_another_is_told_once_until_it_is_read(alice: User) -> None:
    tournament = tournament_factories.make_tournament(alice)
    (player,) = tournament_factories.enter_players(tournament, 1)
    block(user=player, other=alice, now=NOW)
    for most in range(2400, 2410):
        _edit(tournament, alice, max_rating=most)
    assert subjects(player) == ["The terms of one of your tournaments have changed"]
    reading.mark_all_read(user=player, now=NOW)
    with clock.stopped(NOW + HOUR):
        _edit(tournament, alice, max_rating=2500)
    assert len(subjects(player)) == 2


def test_a_field_is_told_by_as_many_queries_however_large_it_is(alice: User) -> None:
    def queries(count: int) -> int:
        tournament = tournament_factories.make_tournament(alice, name=f"Cup of {count}")
        users = [make_user(f"cup-{count}-{number}") for number in range(count)]
        players = tuple(user.pk for user in users)
        block(user=users[0], other=alice, now=NOW)
        edited = {"by_id": alice.pk, "verb": "edited", "text": "", "reason": "", "player_ids": players}
        with CaptureQueriesContext(connection) as captured:
            emit(about(DirectorActed, tournament, **edited))
        assert all(len(subjects(user)) == 1 for user in users)
        return len(captured)

    assert queries(12) == queries(3)


@pytest.mark.parametrize("kind", [StartSet, TournamentStarted, TournamentCancelled, DirectorActed])
def test_a_large_field_is_told_by_the_worker(alice: User, kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handlers, "MAX_AT_ONCE", 2)
    tournament = tournament_factories.make_tournament(alice)
    users = tournament_factories.enter_players(tournament, 3)
    block(user=users[0], other=alice, now=NOW)
    facts: dict[str, Any] = {"player_ids": tuple(user.pk for user in users)}
    if kind is StartSet:
        facts |= {"starts_at": NOW, "why": Why.FULL}
    elif kind is not TournamentStarted:
        facts |= {"by_id": alice.pk, "reason": "A storm."}
    if kind is DirectorActed:
        facts |= {"verb": "edited", "text": ""}
    emit(about(kind, tournament, **facts))
    assert not any(subjects(user) for user in users)
    assert run_tasks("default") == 1
    assert [len(subjects(user)) for user in users] == [1, 1, 1]
    said = {TournamentStarted: "", StartSet: "It starts once all players are here"}.get(kind, "A storm.")
    assert [notices_of(user)[0].text[: len(said)] for user in users[1:]] == [said, said]
    assert bool(notices_of(users[0])[0].text) == (kind is StartSet)


def _field(alice: User, count: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Tournament, list[User]]:
    """A tournament whose players a worker notifies, two at a time."""
    monkeypatch.setattr(handlers, "MAX_AT_ONCE", 2)
    monkeypatch.setattr(notice_tasks, "_AT_ONCE", 2)
    tournament = tournament_factories.make_tournament(alice)
    return tournament, tournament_factories.enter_players(tournament, count)


@pytest.mark.parametrize("kind", [StartSet, TournamentStarted, TournamentCancelled, DirectorActed])
def test_a_worker_that_is_killed_while_it_tells_a_large_field_leaves_nobody_out_and_tells_nobody_twice(
    alice: User, kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, users = _field(alice, 5, monkeypatch)
    facts: dict[str, Any] = {"player_ids": tuple(user.pk for user in users)}
    if kind is StartSet:
        facts |= {"starts_at": NOW, "why": Why.FULL}
    elif kind is not TournamentStarted:
        facts |= {"by_id": alice.pk, "reason": "A storm."}
    if kind is DirectorActed:
        facts |= {"verb": "replaced", "text": "Ann for Bob"}
    emit(about(kind, tournament, **facts))
    kill_worker(monkeypatch, notice_tasks, "notify_players", turn=2)
    assert [len(subjects(user)) for user in users] == [1, 1, 0, 0, 0]

    now = clock.now()
    assert repeat_killed(now + MINUTE) == 0  # it may be at work still
    assert repeat_killed(now + 6 * MINUTE) == 1
    assert repeat_killed(now + 6 * MINUTE) == 0
    with clock.stopped(now + 6 * MINUTE):
        assert run_tasks("default") == 1
    assert [len(subjects(user)) for user in users] == [1, 1, 1, 1, 1]


def test_what_a_worker_left_long_ago_is_told_to_nobody(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament, users = _field(alice, 3, monkeypatch)
    emit(about(TournamentStarted, tournament, player_ids=tuple(user.pk for user in users)))
    kill_worker(monkeypatch, notice_tasks, "notify_players", turn=1)
    assert repeat_killed(clock.now() + 2 * DAY) == 0
    assert repeat_killed(clock.now() + 6 * MINUTE) == 1


def test_a_task_that_is_done_is_not_repeated(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament, users = _field(alice, 3, monkeypatch)
    emit(about(TournamentStarted, tournament, player_ids=tuple(user.pk for user in users)))
    now = clock.now()
    DBTaskResult.objects.update(status=TaskResultStatus.SUCCESSFUL, enqueued_at=now, started_at=now)
    assert repeat_killed(clock.now() + HOUR) == 0


def test_a_worker_that_is_killed_while_it_notifies_of_news_leaves_nobody_out(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notice_tasks, "_AT_ONCE", 1)
    for user in (alice, bob):
        set_timing(user, Kind.NEWS, Channel.SITE, Timing.NOW)
    notice_tasks.notify_news_subscribers.enqueue("1", "The hall is heated")
    kill_worker(monkeypatch, notice_tasks, "notify_users", turn=2)
    assert len(subjects(alice) + subjects(bob)) == 1
    assert repeat_killed(clock.now() + HOUR) == 1
    run_tasks("default")
    assert subjects(alice) == subjects(bob) == ["The hall is heated"]
