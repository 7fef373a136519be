"""Matches of teams: the captains agree on the terms, each files a line-up, then the games begin."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict, Forbidden, Unprocessable
from crownhead.server.play.games.options import GameOptions
from crownhead.server.teams.access import checked_text, locked, locked_for_captain, named
from crownhead.server.teams.access.matches import (
    about_match,
    expect_status,
    led_side,
    locked_match,
    may_call_off,
    team_of,
)
from crownhead.server.teams.events import TeamMatchAnswered, TeamMatchProposed, TeamMatchWithdrawn
from crownhead.server.teams.models import LineUp, MatchStatus, Member, Side, Team, TeamMatch
from crownhead.server.teams.services import terms
from crownhead.server.teams.services.match_games import begin

MOST_BOARDS = 50
LONGEST_MESSAGE = 500
MOST_PROPOSED = 10  # of one team, without an answer


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
    """Propose a match to another team, for its captain to answer."""
    kept, text = terms.kept(options), checked_text("message", message, longest=LONGEST_MESSAGE)
    if games_each not in (1, 2):
        raise Unprocessable(
            "games_each: " + _("expected 1 or 2, got %(games_each)s") % {"games_each": games_each}
        )
    with transaction.atomic():
        home = locked_for_captain(user, home_id)
        if home_id == away_id:
            raise Unprocessable("away: " + _("expected another team than one's own"))
        away = locked(away_id)
        _check_boards(boards, home, away)
        if TeamMatch.objects.filter(home=home, status=MatchStatus.PROPOSED).count() >= MOST_PROPOSED:
            raise Conflict(
                _("expected fewer than %(most_proposed)s matches without an answer; withdraw one")
                % {"most_proposed": MOST_PROPOSED}
            )
        match = TeamMatch.objects.create(
            home=home,
            away=away,
            variant=options.variant,
            terms=kept,
            boards=boards,
            games_each=games_each,
            message=text,
            proposed_at=now,
        )
        emit(about_match(TeamMatchProposed, match))
    return match


def answer(*, user: User, match_id: str, accepted: bool, now: datetime) -> TeamMatch:
    """Agree to a match or not, as the captain of the team that was asked."""
    with transaction.atomic():
        match = locked_match(match_id)
        if match.away.captain_id != user.pk:
            raise Forbidden(_("expected the captain of %(name)s") % {"name": match.away.name})
        expect_status(match, MatchStatus.PROPOSED)
        match.status = MatchStatus.LINING_UP if accepted else MatchStatus.DECLINED
        match.answered_at = now
        if not accepted:
            match.ended_at = now
        match.save(update_fields=["status", "answered_at", "ended_at"])
        emit(about_match(TeamMatchAnswered, match, accepted=accepted))
    return match


def withdraw(*, user: User, match_id: str, now: datetime) -> TeamMatch:
    """Call a match off before its games begin, as a captain of either side or of the staff."""
    with transaction.atomic():
        match = locked_match(match_id)
        if not may_call_off(match, user):
            raise Forbidden(_("expected a captain of one of the two teams, or a member of the staff"))
        if match.status == MatchStatus.WITHDRAWN:
            return match
        expect_status(match, MatchStatus.PROPOSED, MatchStatus.LINING_UP)
        match.status, match.ended_at = MatchStatus.WITHDRAWN, now
        match.save(update_fields=["status", "ended_at"])
        emit(about_match(TeamMatchWithdrawn, match, by_id=user.pk))
    return match


def line_up(
    *, user: User, match_id: str, usernames: Sequence[str], side: Side | None = None, now: datetime
) -> TeamMatch:
    """File who plays on which board, the first on the first; once both have filed, the games begin.

    Neither captain sees the other's line-up before he has filed his own. ``side``: for one who leads both.
    """
    with transaction.atomic():
        match = locked_match(match_id)
        ours = led_side(match, user) if side is None else side
        if team_of(match, ours).captain_id != user.pk:
            raise Forbidden(_("expected the captain of the team"))
        expect_status(match, MatchStatus.LINING_UP)
        players = _players(match, ours, usernames)
        theirs = LineUp.objects.filter(match=match, side=ours.opponent).first()
        if theirs is not None and set(theirs.players) & set(players):
            raise Unprocessable("players: " + _("expected nobody who plays for the other team in this match"))
        LineUp.objects.update_or_create(
            match=match, side=ours, defaults={"players": players, "filed_at": now}
        )
        if theirs is not None:
            begin(match, now=now, dice=secrets.SystemRandom())
    return match


def _players(match: TeamMatch, side: Side, usernames: Sequence[str]) -> list[int]:
    if len(usernames) != match.boards:
        raise Unprocessable(
            "players: "
            + _("expected %(boards)s members, one a board, got %(count)s")
            % {"boards": match.boards, "count": len(usernames)}
        )
    players = [named(name) for name in usernames]
    keys = [player.pk for player in players]
    if len(set(keys)) != len(keys):
        raise Unprocessable("players: " + _("expected everybody once"))
    members = set(
        Member.objects.filter(team=team_of(match, side), user__in=keys).values_list("user", flat=True)
    )
    if strangers := [player.username for player in players if player.pk not in members]:
        raise Unprocessable(
            "players: "
            + _("expected members of the team, got %(choices)s")
            % {"choices": repr(", ".join(strangers)[:100])}
        )
    return keys


def _check_boards(boards: int, home: Team, away: Team) -> None:
    most = min(home.size, away.size, MOST_BOARDS)
    if not 1 <= boards <= most:
        raise Unprocessable(
            "boards: "
            + _("expected 1 to %(most)s, as many as both teams can fill, got %(boards)s")
            % {"most": most, "boards": boards}
        )
