"""Team matches: captains propose and accept, each submits a line-up, then the games start."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import check_may_write, players_named
from crownhead.server.accounts.selectors import User
from crownhead.server.core import limits
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict, Forbidden, Unprocessable
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.games.selectors import blocking
from crownhead.server.teams import selectors
from crownhead.server.teams.access import checked_text, expect_leads, lock_two_teams
from crownhead.server.teams.access.matches import (
    about_match,
    expect_both_there,
    expect_status,
    led_side,
    lock_match,
    lock_match_and_teams,
    may_call_off,
    team_of,
)
from crownhead.server.teams.events import TeamMatchProposed
from crownhead.server.teams.models import LineUp, MatchStatus, Side, Team, TeamMatch
from crownhead.server.teams.selectors import matches as match_selectors
from crownhead.server.teams.selectors.terms import as_json, expect_not_live
from crownhead.server.teams.services import availability
from crownhead.server.teams.services.calling_off import mark_answered, mark_withdrawn
from crownhead.server.teams.services.match_games import begin

MAX_BOARDS = 50
LONGEST_MESSAGE = 500
MAX_PROPOSED = 10  # unanswered ones of one team
MAX_RECEIVED = 20  # unanswered ones proposed to one team that its captain sees
MAX_LINING_UP = 10  # accepted ones of one team whose games have not started
MAX_REFUSED = 5  # of one captain to the same team: unanswered, and declined or withdrawn within a day


def propose(
    *,
    user: User,
    home_id: str,
    away_id: str,
    options: GameOptions,
    boards: int,
    games_each: int,
    message: str = "",
    now: datetime,
) -> TeamMatch:
    """Propose a match to another team; its games start when both have lined up, so none is live.

    Raises ``NotWelcome`` where the captain of the other team takes no invitations from the user, ``TooMany``
    for somebody who proposes many.
    """
    stored, text = as_json(options), checked_text("message", message, longest=LONGEST_MESSAGE)
    expect_not_live(stored)
    check_may_write(user=user, now=now, text=text)
    if games_each not in (1, 2):
        raise Unprocessable(_("Choose 1 or 2 games per board."), field="games_each")
    with transaction.atomic():
        home, away = lock_two_teams(home_id, away_id)
        expect_leads(user, home)
        if home == away:
            raise Unprocessable(_("Choose a team other than your own."), field="away")
        if away.captain_id != user.pk:
            blocking.expect_may_invite(user, by=away.captain)
        _check_boards(boards, home, away)
        _check_waiting(home, away)
        _check_repeated(home, away, now)
        limits.spend(scope="team_matches", who=f"user:{user.pk}")
        match = TeamMatch.objects.create(
            home=home,
            away=away,
            variant=options.variant,
            terms=stored,
            boards=boards,
            games_each=games_each,
            message=text,
            proposed_at=now,
        )
        emit(about_match(TeamMatchProposed, match))
    return match


def answer(*, user: User, match_id: str, accepted: bool, now: datetime) -> TeamMatch:
    """Accept or decline a match, as the captain of the challenged team."""
    with transaction.atomic():
        match = lock_match_and_teams(match_id)
        if match.away.captain_id != user.pk:
            raise Forbidden(_("Only the captain of %(name)s can do this.") % {"name": match.away.name})
        expect_status(match, MatchStatus.PROPOSED)
        if accepted:
            expect_both_there(match)
            expect_not_live(match.terms)
            _check_lining_up(match)
        mark_answered(match, accepted=accepted, now=now)
    return match


def withdraw(*, user: User, match_id: str, now: datetime) -> TeamMatch:
    """Withdraw a match before its games start, as a captain of either side or of the staff."""
    with transaction.atomic():
        match = lock_match(match_id)
        if not may_call_off(match, user):
            raise Forbidden(_("Only the captains of the two teams can do this."))
        if match.status == MatchStatus.WITHDRAWN:
            return match
        expect_status(match, MatchStatus.PROPOSED, MatchStatus.LINING_UP)
        mark_withdrawn(match, by_id=user.pk, now=now)
    return match


def line_up(
    *, user: User, match_id: str, usernames: Sequence[str], side: Side | None = None, now: datetime
) -> TeamMatch:
    """Submit the players in the order of the boards; with both line-ups the games start.

    Captains see the other line-up only after submitting their own, and choose members who have said that they
    can play, or themselves. ``side``: for a captain of both teams. Nobody leaves one of them meanwhile.
    """
    with transaction.atomic():
        match = lock_match_and_teams(match_id)
        ours = led_side(match, user) if side is None else side
        if team_of(match, ours).captain_id != user.pk:
            raise Forbidden(_("Only the captain of the team can do this."))
        expect_status(match, MatchStatus.LINING_UP)
        expect_not_live(match.terms)
        players = _players(match, ours, usernames, captain=user)
        theirs = match_selectors.line_ups([match]).get((match.pk, ours.opponent))
        if theirs is not None and set(theirs) & set(players):
            raise Unprocessable(_("One of your players already plays for the other team."), field="players")
        LineUp.objects.update_or_create(
            match=match, side=ours, defaults={"players": players, "filed_at": now}
        )
        if theirs is not None:
            begin(match, now=now, dice=secrets.SystemRandom())
    return match


def _players(match: TeamMatch, side: Side, usernames: Sequence[str], *, captain: User) -> list[int]:
    if len(usernames) != match.boards:
        raise Unprocessable(
            _("Choose %(boards)s players, one per board.") % {"boards": match.boards}, field="players"
        )
    players = players_named(usernames)
    keys = [player.pk for player in players]
    if len(keys) != len(usernames):
        raise Unprocessable(_("Choose each player only once."), field="players")
    members = selectors.member_ids(team_of(match, side).public_id, among=keys)
    if strangers := [player.username for player in players if player.pk not in members]:
        raise Unprocessable(
            _("Not in your team: %(names)s.") % {"names": ", ".join(strangers)[:100]}, field="players"
        )
    availability.expect_available(match, side, [player for player in players if player.pk != captain.pk])
    return keys


def _check_waiting(home: Team, away: Team) -> None:
    """Raise ``Conflict`` if enough proposals of a locked team, or to the other one, are unanswered."""
    if TeamMatch.objects.filter(home=home, status=MatchStatus.PROPOSED).count() >= MAX_PROPOSED:
        raise Conflict(
            _("Your team has already proposed %(most_proposed)s matches. Cancel one first.")
            % {"most_proposed": MAX_PROPOSED}
        )
    if match_selectors.proposals_to(away).count() >= MAX_RECEIVED:
        raise Conflict(
            _("%(name)s already has %(most)s proposals to answer. Try again in a few days.")
            % {"name": away.name, "most": MAX_RECEIVED}
        )


def _check_repeated(home: Team, away: Team, now: datetime) -> None:
    """Raise ``Conflict`` if enough matches of this captain wait for the other team, or were refused today."""
    refused = Q(status__in=[MatchStatus.DECLINED, MatchStatus.WITHDRAWN])
    refused &= Q(proposed_at__gt=now - timedelta(days=1))
    rows = TeamMatch.objects.filter(home__captain=home.captain_id, away=away)
    if rows.filter(refused | Q(status=MatchStatus.PROPOSED)).count() >= MAX_REFUSED:
        raise Conflict(
            _("You have proposed enough matches to %(name)s. Wait for an answer, or until tomorrow.")
            % {"name": away.name}
        )


def _check_lining_up(match: TeamMatch) -> None:
    """Raise ``Conflict`` if a team has accepted as many matches as it may line up for at once."""
    rows = TeamMatch.objects.filter(status=MatchStatus.LINING_UP)
    for team in (match.home, match.away):
        if rows.filter(Q(home=team) | Q(away=team)).count() >= MAX_LINING_UP:
            raise Conflict(
                _("%(name)s is already choosing line-ups for %(most)s matches. Start or cancel one first.")
                % {"name": team.name, "most": MAX_LINING_UP}
            )


def _check_boards(boards: int, home: Team, away: Team) -> None:
    most = min(len(selectors.members(team)[:MAX_BOARDS].values_list("pk")) for team in (home, away))
    if not 1 <= boards <= most:
        raise Unprocessable(
            _("Choose 1 to %(most)s boards, as many as both teams can fill.") % {"most": most}, field="boards"
        )
