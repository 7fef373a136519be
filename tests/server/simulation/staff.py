"""The staff, tournament directors, appeals, reports, and members who leave."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

from crownhead.server.competitions import services as tournaments
from crownhead.server.competitions.models import PairingGame, Tournament
from crownhead.server.core.problems import Problem
from crownhead.server.ladders import services as ladders
from crownhead.server.ladders.models import Member as Climber
from crownhead.server.people.services import closing
from crownhead.server.play.models import Appeal, Game
from crownhead.server.play.staff import services as staff_services
from crownhead.server.play.staff.services import annul, answer_appeal
from crownhead.server.social.models import News, Report
from crownhead.server.social.services import moderation as moderators
from crownhead.server.social.services import news, reports
from tests.server.simulation.calendar import HOUR
from tests.server.simulation.club import Club
from tests.server.simulation.people import Member

_SECOND = timedelta(seconds=1)


def run_the_club(club: Club, staff: Member) -> None:
    """A day of staff work; each action advances the clock."""
    assert club.api(staff).get("/me").status_code == 200
    for act in (_answer_appeals, _annul, _decide_reports, _publish, _direct):
        club.calendar.advance(3 * _SECOND)
        act(club, staff)


def complain(club: Club, member: Member) -> None:
    """A member appeals in one of their games, and reports another."""
    rows = Game.objects.played_by(member.user).filter(status="playing").order_by("pk")
    game = rows.first()
    if game is not None:
        with suppress(Problem):
            staff_services.appeal(
                user=member.user,
                game_id=game.public_id,
                claim=club.dice.choice(("win", "draw")),
                reason="They do not move.",
                now=club.calendar.now,
            )
    club.calendar.advance(_SECOND)
    other = club.dice.choice(club.here)
    with suppress(Problem):
        reports.report(user=member.user, kind="player", key=other.name, reason="Rude.", now=club.calendar.now)


def leave(club: Club, member: Member) -> None:
    """A member requests their data and closes their account the same day."""
    api = club.api(member)
    assert api.post("/me/archives").status_code in {200, 201, 202}
    club.work()
    club.calendar.advance(_SECOND)
    row = club.row(member)
    closing.close_confirmed(user=row, now=club.calendar.now)
    club.count["left"] += 1
    assert api.get("/me").status_code == 401


def close_a_ladder(club: Club, staff: Member, ladder_id: str) -> None:
    """Close a ladder with open challenges."""
    club.calendar.advance(_SECOND)
    ladders.close_ladder(staff=staff.user, ladder_id=ladder_id, now=club.calendar.now)
    club.work()  # the worker notifies them at once
    assert Climber.objects.filter(ladder__public_id=ladder_id).exists()


def stop_letters(club: Club) -> None:
    """A member unsubscribes by the link of a recent e-mail, without signing in."""
    if not club.stops:
        return
    key, path = club.dice.choice(club.stops[-50:])
    member = club.people[key]
    if member.gone:
        return
    before = {
        kind for (kind, channel), when in member.timings.items() if channel == "mail" and when != "never"
    }
    answer = club.client.post(path, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200, (path, answer.status_code)
    timings = club.api(member).get("/notices/preferences").json()["kinds"]
    stopped = {kind for kind in before if timings[kind]["mail"] == "never"}
    if not stopped:  # a letter from before the one by which the same was stopped
        assert key in club.stopped
        return
    club.stopped.add(key)
    assert stopped != before or len(before) < 4
    for kind in stopped:
        member.timings[kind, "mail"] = "never"


def _answer_appeals(club: Club, staff: Member) -> None:
    for appeal in Appeal.objects.filter(answered_at=None).order_by("pk")[:3]:
        club.calendar.advance(_SECOND)
        with suppress(Problem):
            answer_appeal(
                staff=staff.user,
                appeal_id=appeal.pk,
                granted=club.dice.random() < 0.4,
                answer="We have looked at it.",
                now=club.calendar.now,
            )


def _annul(club: Club, staff: Member) -> None:
    over = Game.objects.filter(status="finished", annulled=False, rated=True).order_by("-ended_at", "-pk")
    rows = list(over[:30])
    if rows:
        game = club.dice.choice(rows)
        annul(staff=staff.user, game_id=game.public_id, reason="It was arranged.", now=club.calendar.now)
        club.count["annulled"] += 1


def _decide_reports(club: Club, staff: Member) -> None:
    for row in Report.objects.filter(decided_at=None).order_by("pk")[:3]:
        club.calendar.advance(_SECOND)
        moderators.decide(
            staff=staff.user,
            report_id=row.public_id,
            decision="nothing",
            note="Thank you.",
            now=club.calendar.now,
        )


def _publish(club: Club, staff: Member) -> None:
    if club.calendar.day % 4 == 1:
        now = club.calendar.now
        row = News.objects.create(
            title="A new tournament", text="Enter today.", author=staff.user, written_at=now, changed_at=now
        )
        news.publish(staff=staff.user, news=row, now=club.calendar.now)
        club.work()  # the worker sends them at once


def _direct(club: Club, staff: Member) -> None:
    """Directors adjourn, forfeit, expel, and release held rounds."""
    for tournament in Tournament.objects.filter(status="running").order_by("pk"):
        club.calendar.advance(_SECOND)
        facts: dict[str, Any] = {"user": staff.user, "tournament_id": tournament.public_id}
        if tournament.held_rounds:
            with suppress(Problem):
                tournaments.release(**facts, now=club.calendar.now)
        rows = PairingGame.objects.filter(
            pairing__round__tournament=tournament, first_points=None, replaced=False
        ).select_related("pairing__round", "pairing__first__user")
        game = rows.order_by("pk").first()
        if game is not None:
            club.calendar.advance(_SECOND)
            _decide(club, staff, tournament, game)


def _decide(club: Club, staff: Member, tournament: Tournament, row: PairingGame) -> None:
    now, roll = club.calendar.now, club.dice.randrange(12)
    facts: dict[str, Any] = {
        "user": staff.user,
        "tournament_id": tournament.public_id,
        "reason": "By the rules.",
        "now": now,
    }
    table: dict[str, Any] = {"number": row.pairing.round.number, "table": row.pairing.table}
    someone = row.pairing.first.user.username
    with suppress(Problem):
        if roll == 0:
            tournaments.adjourn(**facts, **table, until=now + 9 * HOUR)
        elif roll == 1:
            tournaments.forfeit(**facts, **table, loser=someone)
        elif roll == 2:
            tournaments.adjudicate(**facts, game_id=row.game_id or "", result="draw")
        elif roll == 3:
            tournaments.expel(**facts, username=someone)
