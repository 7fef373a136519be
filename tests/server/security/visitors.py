"""The kinds of visitor that the permission matrix knows, and a club that has one of everything to ask for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import Q
from django.test import Client

from crownhead.server.accounts.contacts import services as contacts
from crownhead.server.accounts.models import ApiToken, User
from crownhead.server.accounts.services import invitation_opt_out
from crownhead.server.analysis.models import Study
from crownhead.server.analysis.studies.services import AnalysisRequest, create_study
from crownhead.server.competitions import jobs as tournament_jobs
from crownhead.server.competitions import services as tournaments
from crownhead.server.competitions.models import Pairing, PairingGame
from crownhead.server.ladders import services as ladders
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.models import Device, Notice
from crownhead.server.notices.selectors.unsubscribe import unsubscribe_link
from crownhead.server.notices.services import notify
from crownhead.server.people.models import ToldFriend
from crownhead.server.people.services import data_export, friends
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.invitations.services import invite
from crownhead.server.play.models import Invitation
from crownhead.server.play.vacation import services as vacations
from crownhead.server.social.models import News
from crownhead.server.social.services import bans, messages, moderation, news, reports
from crownhead.server.teams import services as teams
from tests.server.accounts.proven import show_factors
from tests.server.accounts.software_keys import new_key
from tests.server.competitions.factories import LIVE, make_tournament
from tests.server.conftest import Api, make_user
from tests.server.guests import browser_of, make_guest
from tests.server.ladders.factories import make_ladder
from tests.server.play.factories import DAY, NOW, make_game, make_offer, play_moves
from tests.server.teams.factories import make_proposed_match, make_team

# In the order of the columns of the tables.
VISITORS = {
    "guest": "is not signed in",
    "playing_guest": "plays a game without an account; but for that game answered as a `guest` is",
    "suspended": "was signed in until the staff suspended their account",
    "member": "has nothing to do with what is asked for",
    "unconfirmed": "a member who has not confirmed their address",
    "muted": "a member whom the staff have muted",
    "owner": "began the game, leads the team, holds the tournament, wrote the message",
    "other": "is the opponent, the invited, the other captain, a player of the tournament",
    "director": "directs the tournament together with the owner",
    "staff": "is of the staff, with no rights in the back office",
    "unprotected": "is of the staff and may do everything, but has no second factor, which the club requires",
    "host": "may do everything",
}
PROTECTED = ("staff", "host")  # have a second factor, and have shown it


@dataclass(slots=True)
class Visitors:
    """``users`` by kind; ``facts``: the values of the parameters of addresses."""

    users: dict[str, User] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)

    def browser(self, kind: str) -> Client:
        """The browser of a visitor."""
        if kind == "playing_guest":
            return browser_of(self.users[kind])
        client = Client(raise_request_exception=False)
        if kind in self.users:
            client.force_login(self.users[kind])
        if kind in PROTECTED:
            show_factors(client, self.users[kind])
        return client

    def program(self, kind: str) -> Api:
        """A program with a token of the visitor; a guest has none, but the session of their browser."""
        if kind == "playing_guest":
            return Api(client=self.browser(kind))
        if kind not in self.users:
            return Api()
        program = Api().as_(self.users[kind])
        if kind in PROTECTED:
            ApiToken.objects.filter(user=self.users[kind]).update(with_factor=True)
        return program


def make_club() -> Visitors:
    """One of everything; made in a few hundred milliseconds."""
    club = Visitors({kind: make_user(f"{kind}-1") for kind in VISITORS if "guest" not in kind})
    users = club.users
    users["playing_guest"] = make_guest()
    make_game(users["owner"], users["playing_guest"])
    staff = [users[kind].pk for kind in ("staff", "unprotected", "host")]
    User.objects.filter(pk__in=staff).update(is_staff=True)
    User.objects.filter(pk__in=staff[1:]).update(is_superuser=True)
    EmailAddress.objects.filter(user=users["unconfirmed"]).update(verified=False)
    for kind in ("staff", "unprotected", "host"):
        users[kind].refresh_from_db()
    for kind in PROTECTED:
        data = {"name": "key", "credential": new_key("AAAA")}
        Authenticator.objects.create(user=users[kind], type="webauthn", data=data)
    moderation.mute(staff=users["host"], user=users["muted"], until=None, reason="Too loud.", now=NOW)
    for add in (_add_games, _add_talk, _add_people, _add_teams, _add_contests, _add_analysis):
        add(club)
    return club


def suspend(club: Visitors) -> None:
    """Suspend the account that is to be; call it when it has signed in."""
    user = club.users["suspended"]
    bans.ban(staff=club.users["host"], user=user, until=None, reason="Sold pills.", now=NOW)


def _add_games(club: Visitors) -> None:
    owner, other = club.users["owner"], club.users["other"]
    options = GameOptions(variant="american", colour="first", days_per_move=3)
    link = invite(
        creator=owner, opponent="a.friend@club.example", options=options, message="", site="http://x", now=NOW
    )
    invited = invite(creator=owner, opponent=other.username, options=options, message="", site="", now=NOW)
    match = make_game(owner, other, games=3)
    over = play_moves(make_game(owner, other), "11-15", "23-19", "8-11", "22-17")
    resign(user=other, game_id=over.public_id, now=NOW)
    club.facts |= {
        "game": play_moves(make_game(owner, other), "11-15", "23-19").public_id,
        "hidden_game": play_moves(make_game(owner, other, hidden=True), "11-15", "23-19").public_id,
        "over": over.public_id,
        "offer": make_offer(owner).public_id,
        "invited": invited.public_id,
        "join": Invitation.objects.get(game=link).token,
        "match": match.match.public_id if match.match else "",
    }


def _add_talk(club: Visitors) -> None:
    owner, other, host = club.users["owner"], club.users["other"], club.users["host"]
    row = messages.write(user=owner, to=other.username, subject="", text="Good game!", now=NOW)
    told = News.objects.create(title="Spring", text="Cup.", author=host, written_at=NOW, changed_at=NOW)
    news.publish(staff=host, news=told, now=NOW)
    reports.report(user=owner, kind="player", key="muted-1", reason="Loud.", now=NOW)
    notify(user_id=owner.pk, kind=Kind.TURN, key="k", subject="s", text="t", link="/", now=NOW)
    device = Device.objects.create(
        user=owner, endpoint="https://push.example/x", p256dh="x", auth="y", name="phone", created_at=NOW
    )
    club.facts |= {
        "conversation": row.conversation.public_id,
        "message": row.public_id,
        "news": told.public_id,
        "notice": Notice.objects.filter(user=owner).latest("pk").public_id,
        "device": device.public_id,
        "stop": unsubscribe_link(user=owner, kinds=[Kind.TURN]).split("/")[-2],
    }


def _add_people(club: Visitors) -> None:
    owner, other = club.users["owner"], club.users["other"]
    contacts.add_buddy(user=owner, other=other, now=NOW)
    friends.invite(user=owner, address="a.friend@club.example", message="", site="http://x", now=NOW)
    archive = data_export.ask(user=owner, now=NOW)
    data_export.make(archive_id=archive.pk, now=NOW)
    (vacation, *_rest) = vacations.plan(user=owner, begins=NOW + 2 * DAY, ends=NOW + 4 * DAY, now=NOW)
    token = ApiToken.objects.create(user=owner, digest="0" * 64, created_at=NOW)
    club.facts |= {
        "player": owner.username,
        "second": other.username,
        "friend": ToldFriend.objects.get().token,
        "no_more": invitation_opt_out.token_for("somebody@club.example"),
        "archive": archive.public_id,
        "vacation": str(vacation.pk),
        "token": str(token.pk),
    }


def _add_teams(club: Visitors) -> None:
    owner, other = club.users["owner"], club.users["other"]
    home, away = make_team(owner, joining="ask"), make_team(other, "Red Cats")
    asking, invited = make_user("asking"), make_user("invited")
    player = make_user("player")
    teams.join(user=asking, team_id=home.public_id, message="", now=NOW)
    teams.invite(user=owner, team_id=home.public_id, username=invited.username, now=NOW)
    teams.join(user=player, team_id=home.public_id, message="", now=NOW)
    teams.answer(user=owner, team_id=home.public_id, username=player.username, accepted=True, now=NOW)
    post = teams.write(user=owner, team_id=home.public_id, text="Who plays?", now=NOW)
    match = make_proposed_match(home, away, boards=1)
    club.facts |= {
        "team": home.public_id,
        "rivals": away.public_id,
        "asking": asking.username,
        "team_player": player.username,
        "post": str(post.pk),
        "team_match": match.public_id,
    }


def _add_contests(club: Visitors) -> None:
    owner, other, director = (club.users[kind] for kind in ("owner", "other", "director"))
    players = [other, *(make_user(f"rival-{number}") for number in range(3))]
    by_appointment: dict[str, Any] = {"game": LIVE, "appointment_days": 5, "no_show_minutes": 10}
    cups = [
        make_tournament(owner, name=f"Cup {number}", **terms)
        for number, terms in enumerate(({}, by_appointment, {}))
    ]
    for cup in cups:
        names = [director.username]
        tournaments.set_directors(user=owner, tournament_id=cup.public_id, usernames=names, now=NOW)
        tournaments.answer_directing(user=director, tournament_id=cup.public_id, accepted=True)
        for user in players:
            tournaments.enter(user=user, tournament_id=cup.public_id, now=NOW)
    running, live, entry = cups
    for cup in (running, live):
        tournaments.start(user=owner, tournament_id=cup.public_id, now=NOW)
    tournament_jobs.advance_due(NOW)
    theirs = Q(first__user=other) | Q(second__user=other)
    table = Pairing.objects.get(theirs, round__tournament=live, round__number=1).table
    tournaments.propose_appointment(
        user=other, tournament_id=live.public_id, number=1, table=table, at=NOW + DAY, now=NOW
    )
    tournaments.invite(user=owner, tournament_id=entry.public_id, usernames=[club.facts["asking"]], now=NOW)
    ladder = make_ladder()
    for user in (owner, other):
        ladders.join(user=user, ladder_id=ladder.public_id, now=NOW)
    club.facts |= {
        "tournament": running.public_id,
        "cup_game": str(PairingGame.objects.filter(pairing__round__tournament=running)[0].game_id),
        "live": live.public_id,
        "table": str(table),
        "entry": entry.public_id,
        "entrant": "rival-0",
        "ladder": ladder.public_id,
    }


def _add_analysis(club: Visitors) -> None:
    owner = club.users["owner"]
    query = AnalysisRequest(variant="turkish", fen="", lines=1, seconds=1)  # no engine on games in progress
    study = create_study(user=owner, caller=f"user:{owner.pk}", query=query, now=NOW)
    club.facts["study"] = Study.objects.get(pk=study.pk).public_id
