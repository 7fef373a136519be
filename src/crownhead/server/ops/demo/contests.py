"""Contests of the sample club: tournaments, ladders, and teams with a match."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from random import Random
from typing import Any

from crownhead.server.accounts.selectors import User
from crownhead.server.competitions import selectors as tournament_selectors
from crownhead.server.competitions import services as tournaments
from crownhead.server.competitions.choices import Status as TournamentStatus
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core import clock, jobs
from crownhead.server.core.problems import Problem
from crownhead.server.ladders import selectors as ladder_selectors
from crownhead.server.ladders import services as ladders
from crownhead.server.ops.demo.games import DAY, access, add_moves, finish
from crownhead.server.ops.demo.people import Members
from crownhead.server.ops.demo.script import SCRIPT
from crownhead.server.play.choices import Status
from crownhead.server.play.games.options import GameOptions, LiveClock
from crownhead.server.play.selectors import games_of_contest
from crownhead.server.teams import services as teams
from crownhead.server.teams.selectors.terms import hours_per_move

_BLITZ = LiveClock(initial=300, increment=3)
_ARENA_CLOCK = LiveClock(initial=1200, increment=5)  # still running when somebody looks
_MAX_STEPS = 200
_MANY = 20  # members
_HOUR = timedelta(hours=1)


def add_tournaments(members: Members, *, now: datetime, dice: Random) -> None:
    """Some that are over, some that run, an arena among them, and some that are open for entry."""
    few = len(members.everybody) < _MANY
    for row in SCRIPT["held"][:: 2 if few else 1]:
        began = now - row["began"] * DAY
        live = row.get("live", False)
        made = _announce(
            members,
            at=began,
            name=row["name"],
            format=row["format"],
            game=_terms(row["variant"], live=live),
            prizes=("The crown", "The silver man"),
            about="Everybody is welcome. *Be on time, be kind.*",
        )
        entrants = [members.member, *dice.sample(members.everybody[1:], row["players"] - 1)]
        _start(members, made, entrants, at=began)
        _play(
            members, made, since=began, until=now, most=row.get("games"),
            step=_HOUR if live else DAY, dice=dice,
        )  # fmt: skip
    _add_arena(members, SCRIPT["tonight"], now=now, few=few, dice=dice)
    for row in SCRIPT["open"]:
        game = _terms(row["variant"], live=False)
        made = _announce(members, at=now - DAY, name=row["name"], format=row["format"], game=game)
        for user in members.everybody[2 : 2 + row["players"]]:
            tournaments.enter(user=user, tournament_id=made.public_id, now=now - DAY / 2)


def _add_arena(members: Members, row: dict[str, Any], *, now: datetime, few: bool, dice: Random) -> None:
    """An arena that began an hour ago and has another hour to go."""
    began = now - _HOUR
    made = _announce(
        members,
        at=began,
        name=row["name"],
        format=row["format"],
        minutes=120,
        game=GameOptions(variant=row["variant"], colour="first", clock=_ARENA_CLOCK),
        about="Two hours, as many games as you can. Come and go as you like.",
    )
    _start(members, made, members.everybody[1 : 5 if few else 11], at=began)
    _play(members, made, since=began, until=now, most=3 if few else 9, step=_HOUR / 12, dice=dice)


def add_ladders(members: Members, *, now: datetime, dice: Random) -> None:
    """The ladders of all variants; some of them have members and challenges."""
    begun = now - 40 * DAY
    ladders.ensure_defaults(now=begun)
    for ladder in ladder_selectors.open_ladders():
        count = SCRIPT["climbers"].get(ladder.variant, 0)
        on_it = [members.member, *members.everybody[1:count]] if count else []
        dice.shuffle(on_it)
        for place, user in enumerate(on_it):
            at = begun + place * _HOUR
            with clock.stopped(at):
                ladders.join(user=user, ladder_id=ladder.public_id, now=at)
        for number, (upper, lower) in enumerate(zip(on_it[::2], on_it[1::2], strict=False)):
            at = now - (20 - number) * DAY
            with clock.stopped(at), suppress(Problem):  # who may be challenged depends on what was played
                made = ladders.challenge(
                    user=lower, ladder_id=ladder.public_id, opponent=upper.username, now=at, dice=dice
                )
                games = [row.game_id for row in made.games.all()]
                if number:
                    for key in games:
                        finish(access(key), members, at=at + 2 * DAY, dice=dice)


def add_teams(members: Members, *, now: datetime, dice: Random) -> None:
    """Two teams with posts on their boards, and a match of theirs that is running."""
    ours, theirs = members.everybody[:5], members.everybody[5:10]
    begun = now - 60 * DAY
    home = teams.create_team(
        user=ours[0], name="The Long Diagonal", joining="open", now=begun,
        about_text="Slow games and long talks. *New players are welcome.*",
    )  # fmt: skip
    away = teams.create_team(
        user=theirs[0], name="Double Corner Society", joining="open", now=begun,
        about_text="We have never met a draw we did not like.",
    )  # fmt: skip
    for team, side in ((home, ours), (away, theirs)):
        for user in side[1:]:
            teams.join(user=user, team_id=team.public_id, now=begun + DAY)
    posts = (
        "Who is in for the match against the **Double Corner Society**?",
        "I am. Board two, please, board one is too much for my nerves.",
        "Count me in. I have been reading up on the *Cross*.",
    )
    for number, text in enumerate(posts):
        at = now - (8 - number / 2) * DAY
        with clock.stopped(at):
            teams.write(user=ours[number], team_id=home.public_id, text=text, now=at)
    _begin_match(members, home.public_id, away.public_id, (ours[:3], theirs[:3]), at=now - 5 * DAY, dice=dice)


def _begin_match(
    members: Members,
    home_id: str,
    away_id: str,
    sides: tuple[Sequence[User], Sequence[User]],
    *,
    at: datetime,
    dice: Random,
) -> None:
    ours, theirs = sides
    with clock.stopped(at):
        options = _terms(next(iter(SCRIPT["shares"])), live=False)
        match = teams.propose(
            user=ours[0], home_id=home_id, away_id=away_id, options=options,
            boards=len(ours), games_each=2, message="Three boards, two games each?", now=at,
        )  # fmt: skip
        teams.answer_match(user=theirs[0], match_id=match.public_id, accepted=True, now=at)
        for user in (*ours, *theirs):
            teams.be_available(user=user, match_id=match.public_id, available=True, now=at)
        for side in sides:
            names = [user.username for user in side]
            teams.line_up(user=side[0], match_id=match.public_id, usernames=names, now=at)
    games = list(games_of_contest(viewer=members.host, key=match.public_id))
    for number, game in enumerate(games):
        if number % 3 == 0:
            finish(game, members, at=at + 2 * DAY, dice=dice)
        else:
            add_moves(game, members, 8 + 3 * number, at=at + 4 * DAY, dice=dice)


def _terms(variant: str, *, live: bool) -> GameOptions:
    time = _BLITZ if live else hours_per_move(48)
    return GameOptions(variant=variant, colour="first", clock=time, rated=True)


def _announce(members: Members, *, at: datetime, **terms: Any) -> Any:
    wanted = Announcement(min_players=3, max_players=12, start="hand", **terms)
    with clock.stopped(at):
        return tournaments.create(user=members.host, wanted=wanted, now=at)


def _start(members: Members, row: Any, entrants: Sequence[User], *, at: datetime) -> None:
    with clock.stopped(at):
        for user in entrants:
            tournaments.enter(user=user, tournament_id=row.public_id, now=at)
        tournaments.start(user=members.host, tournament_id=row.public_id, now=at)


def _play(
    members: Members,
    row: Any,
    *,
    since: datetime,
    until: datetime,
    most: int | None,
    step: timedelta,
    dice: Random,
) -> None:
    """Play a tournament up to a time, or to so many finished games; the open ones get some moves."""
    work = {job.name: job.run for job in jobs.jobs()}["tournaments"]
    at, played, key = since, 0, row.public_id
    for _ in range(_MAX_STEPS):
        at = min(at + step, until)
        with clock.stopped(at):
            work(at)
            work(at)
        status = tournament_selectors.access_tournament(key).status
        games = list(games_of_contest(viewer=members.host, key=key).filter(status=Status.PLAYING))
        if status != TournamentStatus.RUNNING or played == most or (at >= until and not games):
            break
        for game in games:
            if played == most:
                break
            finish(game, members, at=at, dice=dice)
            played += 1
    for game in games_of_contest(viewer=members.host, key=key).filter(status=Status.PLAYING):
        add_moves(game, members, dice.randint(4, 24), at=max(at, until - DAY / 1440), dice=dice)
