"""Whether ladders fit together with their histories, and challenges with their games."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count

from crownhead.server.core.background.checks import Finding
from crownhead.server.ladders.models import ChallengeGame, Ladder, Line, Member
from crownhead.server.ladders.services.retracing import Score, retrace
from crownhead.server.play.games.selectors.results import Counted, counted_otherwise, first_seats

AT_ONCE = 500


def findings(repair: bool) -> Iterator[Finding]:
    """What does not fit together."""
    for ladder in Ladder.objects.annotate(people=Count("members")).order_by("pk").iterator(AT_ONCE):
        if ladder.size != ladder.people:
            if repair:
                Ladder.objects.filter(pk=ladder.pk).update(size=ladder.people)
            yield Finding(
                f"Ladder {ladder.public_id}: it has {ladder.people} members, not {ladder.size}.", repair
            )
        yield from _of_members(ladder, repair)
    after = 0
    rows = ChallengeGame.objects.filter(over=True).select_related("challenge").order_by("pk")
    while part := list(rows.filter(pk__gt=after)[:AT_ONCE]):
        yield from _of_games(part)
        after = part[-1].pk


def _of_members(ladder: Ladder, repair: bool) -> Iterator[Finding]:
    """Members who are not where the history left them, or whose challenges are counted otherwise."""
    lines = Line.objects.filter(ladder=ladder).order_by("pk")
    standings = retrace(ladder.style, lines.iterator(AT_ONCE))
    ranks = standings.ranks()
    for member in Member.objects.filter(ladder=ladder).order_by("pk").iterator(AT_ONCE):
        where = f"Ladder {ladder.public_id}: member {member.user_id}"
        score = standings.scores.get(member.user_id)
        if score is None:
            yield Finding(f"{where} never joined.")
            continue
        if member.rank != ranks[member.user_id]:
            yield Finding(f"{where} is on {member.rank}, the history says {ranks[member.user_id]}.")
        if Score(member.won, member.drawn, member.lost) != score:
            if repair:
                Member.objects.filter(pk=member.pk).update(won=score.won, drawn=score.drawn, lost=score.lost)
            yield Finding(
                f"{where} has won, drawn and lost {member.won}, {member.drawn} and {member.lost} challenges, "
                f"the history says {score.won}, {score.drawn} and {score.lost}.",
                repair,
            )
    missing = standings.scores.keys() - set(
        Member.objects.filter(ladder=ladder).values_list("user_id", flat=True)
    )
    for user in sorted(missing):
        yield Finding(f"Ladder {ladder.public_id}: member {user} joined and is not there.")


def _of_games(rows: list[ChallengeGame]) -> Iterator[Finding]:
    seats = first_seats([row.game_id for row in rows])
    games = [
        Counted(
            f"Challenge {row.challenge_id}",
            row.game_id,
            (row.points, row.opponent_points),
            turned=seats.get(row.game_id) != row.challenge.challenger_id,
        )
        for row in rows
    ]
    yield from map(Finding, counted_otherwise(games))
