"""What follows from what happens in tournaments, ladders and teams, and between people."""

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
from tests.server.month.ledger import Ledger
from tests.server.month.witness import Board, rule, tell, tell_turn

_TOLD = {"entered", "edited", "removed", "expelled", "replaced", "forfeited"}


# ----------------------------------------------------------------------------------------- tournaments
def _of_tournament(
    ledger: Ledger,
    event: Any,
    people: Iterable[int | None],
    name: str,
    *,
    kind: str = "tournament",
    page: str = "",
    actor: int | None = None,
) -> None:
    """Tell some people; ``name``: of the thing, which is told once."""
    link = f"/tournaments/{event.tournament_id}/"
    for user in set(people):
        ledger.tell(
            user,
            kind,
            about=f"tournament {event.tournament_id}",
            link=link + page,
            at=clock.now(),
            actor=actor,
            once=("tournament", event.tournament_id, name),
        )


@rule(tournaments.InvitedToTournament)
def _invited(ledger: Ledger, event: tournaments.InvitedToTournament) -> None:
    _of_tournament(ledger, event, [event.user_id], "invited", kind="invited", actor=event.host_id)


@rule(tournaments.Entered)
def _entered(ledger: Ledger, event: tournaments.Entered) -> None:
    about = f"tournament {event.tournament_id}"
    ledger.over(about, ["invited"], [event.user_id])
    ledger.seen(event.user_id, about)


@rule(tournaments.TournamentStarted)
def _begun(ledger: Ledger, event: tournaments.TournamentStarted) -> None:
    _of_tournament(ledger, event, event.player_ids, "begun")


@rule(tournaments.TournamentCancelled)
def _cancelled(ledger: Ledger, event: tournaments.TournamentCancelled) -> None:
    _of_tournament(ledger, event, event.player_ids, "cancelled")


@rule(tournaments.RoundStarted)
def _round(ledger: Ledger, event: tournaments.RoundStarted) -> None:
    if event.starts_at > clock.now():
        _of_tournament(ledger, event, event.player_ids, f"round {event.round}")


@rule(tournaments.Paired)
def _paired(ledger: Ledger, event: tournaments.Paired) -> None:
    name = f"paired {event.round} {event.table}"
    if event.second_id is None:
        _of_tournament(ledger, event, [event.first_id], name)
    elif event.by_appointment:
        both = [event.first_id, event.second_id]
        _of_tournament(ledger, event, both, name, kind="paired", page=f"rounds/{event.round}/")


@rule(tournaments.AppointmentProposed, tournaments.AppointmentAnswered)
def _proposed(ledger: Ledger, event: Any) -> None:
    name = f"{type(event).__name__} {clock.now()}"
    _of_tournament(ledger, event, [event.to_id], name, kind="paired", page=f"rounds/{event.round}/")


@rule(tournaments.AppointmentSoon)
def _soon(ledger: Ledger, event: tournaments.AppointmentSoon) -> None:
    name = f"soon {event.round} {event.table} {event.at}"
    _of_tournament(ledger, event, event.player_ids, name, kind="paired", page=f"rounds/{event.round}/")


@rule(tournaments.DirectorActed)
def _directed(ledger: Ledger, event: tournaments.DirectorActed) -> None:
    if event.verb in _TOLD:
        _of_tournament(ledger, event, event.player_ids, f"{event.verb} {clock.now()}")


@rule(tournaments.DirectorNeeded)
def _needed(ledger: Ledger, event: tournaments.DirectorNeeded) -> None:
    _of_tournament(ledger, event, [event.host_id], f"needed {clock.now()}")


@rule(tournaments.TournamentFinished)
def _finished(ledger: Ledger, event: tournaments.TournamentFinished) -> None:
    _of_tournament(ledger, event, event.player_ids, "finished")


@rule(tournaments.TrophyWon)
def _trophy(ledger: Ledger, event: tournaments.TrophyWon) -> None:
    _of_tournament(ledger, event, [event.user_id], "trophy", kind="trophy")


# ----------------------------------------------------------------------------------------- ladders
def _of_ladder(ledger: Ledger, event: ladders.LadderEvent, user: int | None, name: str) -> None:
    ledger.tell(
        user,
        "tournament",
        about=f"ladder {event.ladder_id}",
        link=event.link,
        at=clock.now(),
        once=("ladder", event.ladder_id, name, event.at),
    )


@rule(ladders.Challenged)
def _challenged(ledger: Ledger, event: ladders.Challenged) -> None:
    """The challenged hears of it once, with the game that waits for him; the rest is whose turn it is."""
    boards = [Board(game) for game in Game.objects.filter(public_id__in=event.game_ids).order_by("pk")]
    mine = [here for here in boards if here.player(here.game.turn) == event.challenged_id]
    told = mine[0] if mine else boards[0]
    tell(ledger, told, event.challenged_id, *(["challenged", "turn"] if mine else ["challenged"]))
    for here in boards:
        if here is not told or not mine:
            tell_turn(ledger, here, here.game.turn)


@rule(ladders.PlaceTaken)
def _moved(ledger: Ledger, event: ladders.PlaceTaken) -> None:
    for user in (event.user_id, event.taken_from):
        _of_ladder(ledger, event, user, f"place of {event.user_id}")


@rule(ladders.LadderLeft)
def _taken_off(ledger: Ledger, event: ladders.LadderLeft) -> None:
    if event.by_staff:
        _of_ladder(ledger, event, event.user_id, "left")


@rule(ladders.LadderClosed)
def _closed(ledger: Ledger, event: ladders.LadderClosed) -> None:
    there = Member.objects.filter(ladder__public_id=event.ladder_id)
    for user in there.values_list("user_id", flat=True):
        _of_ladder(ledger, event, user, "closed")


# ----------------------------------------------------------------------------------------- teams
def _of_team(
    ledger: Ledger, event: teams.TeamChanged, user: int, *, actor: int | None = None, page: str = ""
) -> None:
    ledger.tell(
        user,
        "team",
        about=f"team {event.team_id}",
        link=f"/teams/{event.team_id}/{page}",
        at=clock.now(),
        actor=actor,
    )


def _of_match(
    ledger: Ledger, event: teams.MatchChanged, people: Iterable[int], *, actor: int | None = None
) -> None:
    for user in set(people):
        ledger.tell(
            user,
            "team",
            about=f"team match {event.match_id}",
            link=f"/team-matches/{event.match_id}/",
            at=clock.now(),
            actor=actor,
        )


@rule(teams.AskedToJoin)
def _asked(ledger: Ledger, event: teams.AskedToJoin) -> None:
    _of_team(ledger, event, event.captain_id, actor=event.user_id, page="members/")


@rule(teams.InvitedToTeam)
def _invited_to_team(ledger: Ledger, event: teams.InvitedToTeam) -> None:
    _of_team(ledger, event, event.user_id, actor=event.by_id)


@rule(teams.AskingAnswered)
def _asking_answered(ledger: Ledger, event: teams.AskingAnswered) -> None:
    _of_team(ledger, event, event.user_id, actor=event.captain_id)


@rule(teams.InvitationAnswered)
def _invitation_answered(ledger: Ledger, event: teams.InvitationAnswered) -> None:
    ledger.seen(event.user_id, f"team {event.team_id}")
    _of_team(ledger, event, event.captain_id, actor=event.user_id)


@rule(teams.MemberLeft)
def _left(ledger: Ledger, event: teams.MemberLeft) -> None:
    if event.removed:
        _of_team(ledger, event, event.user_id)
    else:
        _of_team(ledger, event, event.captain_id, actor=event.user_id)


@rule(teams.CaptainChanged)
def _captain(ledger: Ledger, event: teams.CaptainChanged) -> None:
    _of_team(ledger, event, event.captain_id)


@rule(teams.TeamMatchProposed)
def _match_proposed(ledger: Ledger, event: teams.TeamMatchProposed) -> None:
    _of_match(ledger, event, [event.away_captain_id], actor=event.home_captain_id)


@rule(teams.TeamMatchAnswered)
def _match_answered(ledger: Ledger, event: teams.TeamMatchAnswered) -> None:
    ledger.seen(event.away_captain_id, f"team match {event.match_id}")
    _of_match(ledger, event, [event.home_captain_id], actor=event.away_captain_id)


@rule(teams.TeamMatchWithdrawn)
def _match_withdrawn(ledger: Ledger, event: teams.TeamMatchWithdrawn) -> None:
    _of_match(ledger, event, {event.home_captain_id, event.away_captain_id} - {event.by_id})


@rule(teams.TeamMatchStarted)
def _match_started(ledger: Ledger, event: teams.TeamMatchStarted) -> None:
    _of_match(ledger, event, {event.home_captain_id, event.away_captain_id} - set(event.player_ids))


@rule(teams.TeamMatchFinished)
def _match_finished(ledger: Ledger, event: teams.TeamMatchFinished) -> None:
    _of_match(ledger, event, [*event.player_ids, event.home_captain_id, event.away_captain_id])


# ----------------------------------------------------------------------------------------- people
@rule(social.MessageSent)
def _message(ledger: Ledger, event: social.MessageSent) -> None:
    about = f"talk {event.conversation_id}"
    ledger.seen(event.sender_id, about)
    link = f"/messages/{event.conversation_id}/"
    ledger.tell(event.recipient_id, "message", about=about, link=link, at=clock.now(), actor=event.sender_id)


@rule(social.ReportMade)
def _reported(ledger: Ledger, event: social.ReportMade) -> None:
    for member in ledger.people.values():
        if member.user.is_staff:
            about = f"report {event.report_id}"
            ledger.tell(member.key, "staff", about=about, link="/staff/", at=clock.now())


@rule(social.ReportDecided)
def _decided(ledger: Ledger, event: social.ReportDecided) -> None:
    about = f"report {event.report_id}"
    ledger.over(about, ["staff"])
    ledger.tell(event.reporter_id, "report", about=about, link="/reports/", at=clock.now())


@rule(social.NewsPublished)
def _news(ledger: Ledger, event: social.NewsPublished) -> None:
    """To those who have asked for it; the worker tells them in the same moment of the model."""
    for member in ledger.people.values():
        about, link = f"news {event.news_id}", f"/news/{event.news_id}/"
        ledger.tell(member.key, "news", about=about, link=link, at=clock.now())
