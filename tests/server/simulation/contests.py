"""The ladders, tournaments and teams of the simulation."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from crownhead.contest.formats import FORMATS
from crownhead.server.competitions import services as tournaments
from crownhead.server.competitions.models import Pairing, Tournament
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core.problems import Problem
from crownhead.server.ladders import services as ladders
from crownhead.server.ladders.models import Ladder
from crownhead.server.ladders.models import Member as Climber
from crownhead.server.play.games.options import GameOptions, LiveClock
from crownhead.server.teams import services as teams
from crownhead.server.teams.models import JoinRequest, LineUp, MatchStatus, Side, Team, TeamMatch
from crownhead.server.teams.models import Member as TeamMember
from crownhead.server.teams.selectors.terms import hours_per_move
from tests.server.simulation.calendar import DAY, HOUR
from tests.server.simulation.club import Club
from tests.server.simulation.people import Member

_SECOND = timedelta(seconds=1)
LIVE = LiveClock(initial=300, increment=3)
_LADDERS: tuple[dict[str, Any], ...] = (
    {"variant": "american", "style": "places", "time": 2, "idle_days": 6},
    {"variant": "american", "style": "stairs", "time": 2, "games": 2, "idle_days": 8},
    {"variant": "russian", "style": "places", "time": 2, "games": 2, "idle_days": 0},
    {"variant": "pro", "style": "stairs", "time": 1, "games": 2, "idle_days": 5},
)
_TEAMS = (("Blue Dogs", "open"), ("Old Masters", "ask"), ("Seven Kings", "invited"))
_PRIZES = ("Gold", "Silver", "Bronze")
_CHOSEN: tuple[dict[str, Any], ...] = (
    {"format": "round-robin", "variant": "pro", "options": {"games": 2}, "hours": 28},
    {"format": "swiss", "variant": "american", "options": {"rounds": 4}, "late_rounds": 2},
    {"format": "sections", "variant": "russian", "options": {"section_size": 4, "games": 1}},
    {"format": "single-elimination", "variant": "international", "withdrawal": "play_on"},
    {"format": "arena", "variant": "brazilian", "minutes": 120},
    {"format": "double-elimination", "variant": "frisian"},
    {"format": "swiss", "variant": "italian", "live": True, "appointment_days": 2, "rounds": 3},
    {"format": "round-robin", "variant": "turkish", "live": True, "no_show_minutes": 30, "pause": 60},
    {"format": "swiss", "variant": "anti", "entry": "invited", "options": {"games": 2}, "hours": 24},
    {"format": "round-robin", "variant": "american", "entry": "team", "hours": 24},
    {"format": "single-elimination", "variant": "pro", "held_rounds": True, "hours": 24},
)
# Every other format of the registry is held, too, as a host finds it.
_OTHERS = set(FORMATS) - {wanted["format"] for wanted in _CHOSEN}
_HELD = (*_CHOSEN, *({"format": key, "variant": "american"} for key in sorted(_OTHERS)))


@dataclass(slots=True)
class Contests:
    """The ladders and teams by public id, and the number of announced tournaments."""

    ladders: list[str] = field(default_factory=list)
    teams: list[str] = field(default_factory=list)
    announced: int = 0

    def take_part(self, club: Club, member: Member) -> None:
        """What a member does in contests during a visit."""
        habit, dice = member.habit, club.dice
        for chance, act in (
            (habit.climbs, self._climb),
            (habit.enters, _enter),
            (8, self._team_up),
            (2, _withdraw),
            (60, _meet),
        ):
            if dice.randrange(100) < chance:
                club.calendar.advance(3 * _SECOND)
                act(club, member)

    def open_ladders(self, club: Club, staff: Member) -> None:
        """Open the ladders of the simulation."""
        for terms in _LADDERS:
            made = ladders.open_ladder(staff=staff.user, now=club.calendar.now, **terms)
            self.ladders.append(made.public_id)

    def announce(self, club: Club, host: Member) -> None:
        """Announce the next tournament of the list, in small and large sizes."""
        wanted = dict(_HELD[self.announced % len(_HELD)])
        size = 6 if len(club.people) < 100 else club.dice.choice((8, 12, 24))
        self.announced += 1
        key, live = wanted["format"], wanted.pop("live", False) or FORMATS[wanted["format"]].live
        hours = wanted.pop("hours", 48)
        game = GameOptions(
            variant=wanted.pop("variant"),
            colour="first",
            clock=LIVE if live else hours_per_move(hours),
            rated=host.user.is_staff,
        )
        facts = {"pause_minutes": wanted.pop("pause", 0)}
        if "rounds" in wanted:
            facts["options"] = {"rounds": wanted.pop("rounds")}
        if wanted.get("entry") == "team":
            wanted["team"] = self.teams[0]
            host = club.people[Team.objects.get(public_id=self.teams[0]).captain_id]
        announcement = Announcement(
            name=f"Cup {self.announced}",
            game=game,
            min_players=4,
            max_players=size,
            start="date",
            starts_at=club.calendar.now + (1 if live else 2) * DAY,
            prizes=_PRIZES,
            **{**wanted, **facts, "format": key},
        )
        made = tournaments.create(user=host.user, wanted=announcement, now=club.calendar.now)
        if announcement.entry == "invited":
            names = [one.name for one in club.dice.sample(club.here, min(size, len(club.here)))]
            club.calendar.advance(_SECOND)
            _try(club, tournaments.invite, user=host.user, tournament_id=made.public_id, usernames=names)

    def found_teams(self, club: Club) -> None:
        """Create the teams with their captains."""
        captains = club.dice.sample(club.here, len(_TEAMS))
        for (name, joining), captain in zip(_TEAMS, captains, strict=True):
            made = teams.create_team(
                user=captain.user, name=name, about_text="", joining=joining, now=club.calendar.now
            )
            self.teams.append(made.public_id)

    def lead(self, club: Club) -> None:
        """The daily work of captains: invite, answer, propose matches, choose line-ups."""
        for team in Team.objects.filter(public_id__in=self.teams, disbanded_at=None).order_by("pk"):
            captain = club.people[team.captain_id]
            club.calendar.advance(_SECOND)
            assert club.api(captain).get("/me").status_code == 200
            for join_request in JoinRequest.objects.filter(team=team, kind="asked").select_related("user"):
                yes = club.dice.random() < 0.8
                _try(
                    club,
                    teams.answer,
                    user=captain.user,
                    team_id=team.public_id,
                    username=join_request.user.username,
                    accepted=yes,
                )
            guest = club.dice.choice(club.here)
            _try(club, teams.invite, user=captain.user, team_id=team.public_id, username=guest.name)
            self._propose(club, team, captain)
            _answer_matches(club, captain)

    def _propose(self, club: Club, team: Team, captain: Member) -> None:
        others = Team.objects.filter(public_id__in=self.teams, disbanded_at=None).exclude(pk=team.pk)
        other = club.dice.choice(list(others.order_by("pk")))
        if club.dice.random() < 0.5:
            options = GameOptions(
                variant=club.dice.choice(("american", "pro", "russian")),
                colour="first",
                clock=hours_per_move(36),
                rated=True,
            )
            _try(
                club,
                teams.propose,
                user=captain.user,
                home_id=team.public_id,
                away_id=other.public_id,
                options=options,
                boards=2,
                games_each=club.dice.choice((1, 2)),
            )

    def _climb(self, club: Club, member: Member) -> None:
        key = club.dice.choice(self.ladders)
        ladder = Ladder.objects.get(public_id=key)
        if ladder.closed_at is not None:
            return
        if not Climber.objects.filter(ladder=ladder, user=member.user).exists():
            _try(club, ladders.join, user=member.user, ladder_id=key)
            return
        if club.dice.random() < 0.04:
            _try(club, ladders.leave, user=member.user, ladder_id=key)
            return
        rows = Climber.objects.filter(ladder=ladder).exclude(user=member.user).select_related("user")
        others = list(rows.order_by("pk"))
        for other in club.dice.sample(others, min(3, len(others))):
            made = _try(
                club,
                ladders.challenge,
                user=member.user,
                ladder_id=key,
                opponent=other.user.username,
                dice=club.dice,
            )
            if made is not _REFUSED:
                theirs = club.people[other.user_id].ignored
                assert member.key not in theirs, f"{member.name} challenges {other.user.username}"
                return

    def _team_up(self, club: Club, member: Member) -> None:
        key = club.dice.choice(self.teams)
        mine = TeamMember.objects.filter(team__public_id=key, user=member.user).exists()
        if mine and club.dice.random() < 0.1:
            _try(club, teams.leave, user=member.user, team_id=key)
        elif not mine and club.dice.random() < 0.25:
            club.count["declined"] += 1
            with suppress(Problem):
                teams.decline(user=member.user, team_id=key)
        elif not mine:
            _try(club, teams.join, user=member.user, team_id=key)


def _enter(club: Club, member: Member) -> None:
    rows = Tournament.objects.filter(status__in=["entry", "running"]).order_by("-pk")
    for tournament in rows[:4]:
        _try(club, tournaments.enter, user=member.user, tournament_id=tournament.public_id)


def _withdraw(club: Club, member: Member) -> None:
    row = Tournament.objects.filter(status="running", entrants__user=member.user, entrants__left=None).first()
    if row is not None:
        _try(club, tournaments.withdraw, user=member.user, tournament_id=row.public_id)


def _meet(club: Club, member: Member) -> None:
    """Propose a time to an opponent, who answers."""
    rows = Pairing.objects.filter(
        round__tournament__status="running",
        round__deadline__gt=club.calendar.now,
        first__user=member.user,
        games=None,
        bye="",
        starts_at=None,
    ).select_related("round__tournament", "second__user")
    pairing = rows.order_by("pk").first()
    if pairing is None or pairing.second is None:
        return
    facts: dict[str, Any] = {
        "tournament_id": pairing.round.tournament.public_id,
        "number": pairing.round.number,
        "table": pairing.table,
    }
    at = club.calendar.now + 5 * HOUR
    if _try(club, tournaments.propose_appointment, user=member.user, at=at, **facts) is not _REFUSED:
        club.calendar.advance(_SECOND)
        other, agreed = pairing.second.user, club.dice.random() < 0.8
        _try(club, tournaments.answer_appointment, user=other, agreed=agreed, at=at, **facts)


def _answer_matches(club: Club, captain: Member) -> None:
    """Answer proposed matches, and set the line-ups of accepted ones."""
    led = Team.objects.filter(captain=captain.user)
    for match in TeamMatch.objects.filter(away__in=led, status=MatchStatus.PROPOSED).order_by("pk"):
        yes = club.dice.random() < 0.8
        _try(club, teams.answer_match, user=captain.user, match_id=match.public_id, accepted=yes)
    for side, column in ((Side.HOME, "home"), (Side.AWAY, "away")):
        rows = TeamMatch.objects.filter(**{f"{column}__in": led}, status=MatchStatus.LINING_UP)
        for match in rows.exclude(pk__in=LineUp.objects.filter(side=side).values("match")).order_by("pk"):
            if club.dice.random() < 0.1:
                _try(club, teams.withdraw, user=captain.user, match_id=match.public_id)
                continue
            ours = match.home_id if side is Side.HOME else match.away_id
            members = TeamMember.objects.filter(team=ours).order_by("pk")
            names = list(members.values_list("user__username", flat=True))
            club.dice.shuffle(names)
            for member in members.filter(user__username__in=names[: match.boards]).select_related("user"):
                _try(
                    club,
                    teams.be_available,
                    user=member.user,
                    match_id=match.public_id,
                    available=True,
                    side=side,
                )
            _try(
                club,
                teams.line_up,
                user=captain.user,
                match_id=match.public_id,
                usernames=names[: match.boards],
                side=side,
            )


_REFUSED = object()


def _try(club: Club, act: Any, **facts: Any) -> Any:
    """Do something a second later; the server may refuse it."""
    club.calendar.advance(_SECOND)
    try:
        return act(**facts, now=club.calendar.now)
    except Problem:
        return _REFUSED
