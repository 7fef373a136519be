"""Observes tournaments, ladders, teams and messages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from crownhead.server.competitions import events as tournaments
from crownhead.server.core import clock
from crownhead.server.ladders import events as ladders
from crownhead.server.ladders.models import Member
from crownhead.server.play.models import Game
from crownhead.server.social import events as social
from crownhead.server.teams import events as teams
from crownhead.server.teams.models import Member as TeamMember
from crownhead.server.teams.models import TeamMatch
from tests.server.simulation.expected_notices import ExpectedNotices
from tests.server.simulation.observer import Board, expect, expect_turn, rule

_NOTIFIED = {"edited", "removed", "expelled", "replaced", "forfeited"}


# ----------------------------------------------------------------------------------------- tournaments
def _of_tournament(
    expected: ExpectedNotices,
    event: Any,
    people: Iterable[int | None],
    name: str,
    *,
    kind: str = "tournament",
    page: str = "",
    actor: int | None = None,
) -> None:
    """Expect notifications; ``name`` makes each one unique."""
    link = f"/tournaments/{event.tournament_id}/"
    for user in set(people):
        expected.notify(
            user,
            kind,
            about=f"tournament {event.tournament_id}",
            link=link + page,
            at=clock.now(),
            actor=actor,
            once=("tournament", event.tournament_id, name),
        )


@rule(tournaments.InvitedToTournament)
def _invited(expected: ExpectedNotices, event: tournaments.InvitedToTournament) -> None:
    _of_tournament(expected, event, event.user_ids, "invited", kind="invited", actor=event.by_id)


@rule(tournaments.InvitationAnswered)
def _answered(expected: ExpectedNotices, event: tournaments.InvitationAnswered) -> None:
    about = f"tournament {event.tournament_id}"
    expected.withdraw(about, ["invited"], [event.user_id])
    expected.mark_seen(event.user_id, about)
    name = f"answered {event.user_id} {event.accepted}"
    _of_tournament(expected, event, [event.by_id], name, kind="answered", actor=event.user_id)


@rule(tournaments.TournamentStarted)
def _begun(expected: ExpectedNotices, event: tournaments.TournamentStarted) -> None:
    _of_tournament(expected, event, event.player_ids, "begun")


@rule(tournaments.TournamentCancelled)
def _cancelled(expected: ExpectedNotices, event: tournaments.TournamentCancelled) -> None:
    _of_tournament(expected, event, event.player_ids, "cancelled")


@rule(tournaments.RoundStarted)
def _round(expected: ExpectedNotices, event: tournaments.RoundStarted) -> None:
    if event.starts_at > clock.now():
        _of_tournament(expected, event, event.player_ids, f"round {event.round}")


@rule(tournaments.Paired)
def _paired(expected: ExpectedNotices, event: tournaments.Paired) -> None:
    name = f"paired {event.round} {event.table}"
    if event.second_id is None:
        _of_tournament(expected, event, [event.first_id], name)
    elif event.by_appointment:
        both = [event.first_id, event.second_id]
        _of_tournament(expected, event, both, name, kind="paired", page=f"rounds/{event.round}/")


@rule(tournaments.AppointmentProposed, tournaments.AppointmentAnswered)
def _proposed(expected: ExpectedNotices, event: Any) -> None:
    name = f"{type(event).__name__} {clock.now()}"
    _of_tournament(expected, event, [event.to_id], name, kind="paired", page=f"rounds/{event.round}/")


@rule(tournaments.AppointmentSoon)
def _soon(expected: ExpectedNotices, event: tournaments.AppointmentSoon) -> None:
    name = f"soon {event.round} {event.table} {event.at}"
    _of_tournament(expected, event, event.player_ids, name, kind="paired", page=f"rounds/{event.round}/")


@rule(tournaments.DirectorActed)
def _directed(expected: ExpectedNotices, event: tournaments.DirectorActed) -> None:
    if event.verb in _NOTIFIED:
        _of_tournament(expected, event, event.player_ids, f"{event.verb} {clock.now()}")


@rule(tournaments.Paused)
def _paused(expected: ExpectedNotices, event: tournaments.Paused) -> None:
    _of_tournament(expected, event, event.player_ids, f"paused {clock.now()}")


@rule(tournaments.DirectorNeeded)
def _needed(expected: ExpectedNotices, event: tournaments.DirectorNeeded) -> None:
    _of_tournament(expected, event, [event.host_id], f"needed {clock.now()}")


@rule(tournaments.HandedOver)
def _handed_over(expected: ExpectedNotices, event: tournaments.HandedOver) -> None:
    _of_tournament(expected, event, [event.host_id], f"host {clock.now()}")


@rule(tournaments.TournamentFinished)
def _finished(expected: ExpectedNotices, event: tournaments.TournamentFinished) -> None:
    _of_tournament(expected, event, event.player_ids, "finished")


@rule(tournaments.TrophyWon)
def _trophy(expected: ExpectedNotices, event: tournaments.TrophyWon) -> None:
    _of_tournament(expected, event, [event.user_id], "trophy", kind="trophy")


# ----------------------------------------------------------------------------------------- ladders
def _of_ladder(expected: ExpectedNotices, event: ladders.LadderEvent, user: int | None, name: str) -> None:
    expected.notify(
        user,
        "tournament",
        about=f"ladder {event.ladder_id}",
        link=event.link,
        at=clock.now(),
        once=("ladder", event.ladder_id, name, event.at),
    )


@rule(ladders.Challenged)
def _challenged(expected: ExpectedNotices, event: ladders.Challenged) -> None:
    """The challenged player is notified once, with the game that waits for them."""
    boards = [Board(game) for game in Game.objects.filter(public_id__in=event.game_ids).order_by("pk")]
    mine = [here for here in boards if here.player(here.game.turn) == event.challenged_id]
    first = mine[0] if mine else boards[0]
    expect(expected, first, event.challenged_id, *(["challenged", "turn"] if mine else ["challenged"]))
    for here in boards:
        if here is not first or not mine:
            expect_turn(expected, here, here.game.turn)


@rule(ladders.PlaceTaken)
def _moved(expected: ExpectedNotices, event: ladders.PlaceTaken) -> None:
    for user in (event.user_id, event.taken_from):
        _of_ladder(expected, event, user, f"place of {event.user_id}")


@rule(ladders.LadderLeft)
def _taken_off(expected: ExpectedNotices, event: ladders.LadderLeft) -> None:
    if event.by_staff:
        _of_ladder(expected, event, event.user_id, "left")


@rule(ladders.LadderClosed)
def _closed(expected: ExpectedNotices, event: ladders.LadderClosed) -> None:
    there = Member.objects.filter(ladder__public_id=event.ladder_id)
    for user in there.values_list("user_id", flat=True):
        _of_ladder(expected, event, user, "closed")


# ----------------------------------------------------------------------------------------- teams
def _of_team(
    expected: ExpectedNotices,
    event: teams.TeamChanged,
    user: int,
    *,
    actor: int | None = None,
    page: str = "",
) -> None:
    expected.notify(
        user,
        "team",
        about=f"team {event.team_id}",
        link=f"/teams/{event.team_id}/{page}",
        at=clock.now(),
        actor=actor,
        once=_once(event, event.team_id),
    )


def _once(event: Any, thing: str) -> tuple[Any, ...]:
    """What is asked and taken back is notified once a day, and members are asked once to play in a match."""
    asked = (teams.AskedToJoin, teams.InvitedToTeam, teams.AvailabilityChanged)
    once = (type(event).__name__, thing, getattr(event, "user_id", None))
    if isinstance(event, teams.MembersAskedToPlay):
        return once
    now = clock.now()
    return (*once, now.date() if isinstance(event, asked) else now)


def _of_match(
    expected: ExpectedNotices, event: teams.MatchChanged, people: Iterable[int], *, actor: int | None = None
) -> None:
    for user in set(people):
        expected.notify(
            user,
            "team",
            about=f"team match {event.match_id}",
            link=f"/team-matches/{event.match_id}/",
            at=clock.now(),
            actor=actor,
            once=_once(event, event.match_id),
        )


@rule(teams.AskedToJoin)
def _asked(expected: ExpectedNotices, event: teams.AskedToJoin) -> None:
    about, link, today = f"team {event.team_id}", f"/teams/{event.team_id}/members/", clock.now().date()
    expected.say_again(about, link, event.user_id, event.captain_id, today)
    _of_team(expected, event, event.captain_id, actor=event.user_id, page="members/")


@rule(teams.AskingWithdrawn)
def _asking_withdrawn(expected: ExpectedNotices, event: teams.AskingWithdrawn) -> None:
    about, link = f"team {event.team_id}", f"/teams/{event.team_id}/members/"
    expected.take_back(about, link, event.user_id)


@rule(teams.InvitedToTeam)
def _invited_to_team(expected: ExpectedNotices, event: teams.InvitedToTeam) -> None:
    _of_team(expected, event, event.user_id, actor=event.by_id)


@rule(teams.AskingAnswered)
def _asking_answered(expected: ExpectedNotices, event: teams.AskingAnswered) -> None:
    _of_team(expected, event, event.user_id, actor=event.captain_id)


@rule(teams.InvitationAnswered)
def _invitation_answered(expected: ExpectedNotices, event: teams.InvitationAnswered) -> None:
    expected.mark_seen(event.user_id, f"team {event.team_id}")
    _of_team(expected, event, event.captain_id, actor=event.user_id)


@rule(teams.MemberLeft)
def _sent(expected: ExpectedNotices, event: teams.MemberLeft) -> None:
    if event.removed:
        _of_team(expected, event, event.user_id)
    else:
        _of_team(expected, event, event.captain_id, actor=event.user_id)


@rule(teams.CaptainChanged)
def _captain(expected: ExpectedNotices, event: teams.CaptainChanged) -> None:
    _of_team(expected, event, event.captain_id)


@rule(teams.TeamMatchProposed)
def _match_proposed(expected: ExpectedNotices, event: teams.TeamMatchProposed) -> None:
    _of_match(expected, event, [event.away_captain_id], actor=event.home_captain_id)


@rule(teams.TeamMatchAnswered)
def _match_answered(expected: ExpectedNotices, event: teams.TeamMatchAnswered) -> None:
    expected.mark_seen(event.away_captain_id, f"team match {event.match_id}")
    _of_match(expected, event, [event.home_captain_id], actor=event.away_captain_id)


@rule(teams.MembersAskedToPlay)
def _members_asked(expected: ExpectedNotices, event: teams.MembersAskedToPlay) -> None:
    match = TeamMatch.objects.get(public_id=event.match_id)
    rows = TeamMember.objects.filter(team__in=[match.home_id, match.away_id])
    captains = {event.home_captain_id, event.away_captain_id}
    assert set(event.user_ids) <= set(rows.values_list("user_id", flat=True)) - captains
    _of_match(expected, event, event.user_ids, actor=event.captain_id)


@rule(teams.AvailabilityChanged)
def _available(expected: ExpectedNotices, event: teams.AvailabilityChanged) -> None:
    if event.captain_id != event.user_id:
        _of_match(expected, event, [event.captain_id], actor=event.user_id)


@rule(teams.TeamMatchWithdrawn)
def _match_withdrawn(expected: ExpectedNotices, event: teams.TeamMatchWithdrawn) -> None:
    _of_match(expected, event, {event.home_captain_id, event.away_captain_id} - {event.by_id})


@rule(teams.TeamMatchStarted)
def _match_started(expected: ExpectedNotices, event: teams.TeamMatchStarted) -> None:
    _of_match(expected, event, {event.home_captain_id, event.away_captain_id} - set(event.player_ids))


@rule(teams.TeamMatchFinished)
def _match_finished(expected: ExpectedNotices, event: teams.TeamMatchFinished) -> None:
    _of_match(expected, event, [*event.player_ids, event.home_captain_id, event.away_captain_id])


# ----------------------------------------------------------------------------------------- people
@rule(social.MessageSent)
def _message(expected: ExpectedNotices, event: social.MessageSent) -> None:
    about = f"talk {event.conversation_id}"
    expected.mark_seen(event.sender_id, about)
    link = f"/messages/{event.conversation_id}/"
    expected.notify(
        event.recipient_id, "message", about=about, link=link, at=clock.now(), actor=event.sender_id
    )


@rule(social.ReportMade)
def _reported(expected: ExpectedNotices, event: social.ReportMade) -> None:
    for member in expected.people.values():
        if member.user.is_staff:
            about = f"report {event.report_id}"
            expected.notify(member.key, "staff", about=about, link="/staff/", at=clock.now())


@rule(social.ReportDecided)
def _decided(expected: ExpectedNotices, event: social.ReportDecided) -> None:
    about = f"report {event.report_id}"
    expected.withdraw(about, ["staff"])
    expected.notify(event.reporter_id, "report", about=about, link="/reports/", at=clock.now())


@rule(social.NewsPublished)
def _news(expected: ExpectedNotices, event: social.NewsPublished) -> None:
    """News go to the members who asked for them; the worker sends them at the same simulated time."""
    for member in expected.people.values():
        about, link = f"news {event.news_id}", f"/news/{event.news_id}/"
        expected.notify(member.key, "news", about=about, link=link, at=clock.now())
