"""Whether teams and their matches fit together with their members and games."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count

from crownhead.server.core.background.checks import Finding
from crownhead.server.play.games.selectors.results import Counted, counted_otherwise
from crownhead.server.teams.models import BoardGame, MatchStatus, Team, TeamMatch
from crownhead.server.teams.services.match_games import standing_of

AT_ONCE = 500
_COUNTED = (MatchStatus.PLAYING, MatchStatus.FINISHED)


def findings(repair: bool) -> Iterator[Finding]:
    """What does not fit together."""
    teams = Team.objects.filter(disbanded_at=None).annotate(people=Count("members"))
    for team in teams.order_by("pk").iterator(AT_ONCE):
        if team.size != team.people:
            if repair:
                Team.objects.filter(pk=team.pk).update(size=team.people)
            yield Finding(f"Team {team.public_id}: it has {team.people} members, not {team.size}.", repair)
    for match in TeamMatch.objects.filter(status__in=_COUNTED).order_by("pk").iterator(AT_ONCE):
        yield from _of_points(match, repair)
    after = 0
    rows = BoardGame.objects.select_related("board__match").order_by("pk")
    while part := list(rows.filter(pk__gt=after)[:AT_ONCE]):
        yield from _of_games(part)
        after = part[-1].pk


def _of_points(match: TeamMatch, repair: bool) -> Iterator[Finding]:
    right, points = standing_of(match).points(), (match.home_points, match.away_points)
    if points == right:
        return
    if repair:
        TeamMatch.objects.filter(pk=match.pk).update(home_points=right[0], away_points=right[1])
    yield Finding(
        f"Team match {match.public_id}: it stands {points} half points, its games give {right}.", repair
    )


def _of_games(rows: list[BoardGame]) -> Iterator[Finding]:
    games = [
        Counted(
            f"Team match {row.board.match.public_id}",
            row.game_id,
            (row.home_points, row.away_points),
            turned=not row.home_is_first,
        )
        for row in rows
    ]
    yield from map(Finding, counted_otherwise(games))
