"""The facts that decide whom a member may challenge, fetched for many opponents at once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from crownhead.contest.ladders import Challenger
from crownhead.server.accounts import selectors as accounts
from crownhead.server.ladders.choices import Side
from crownhead.server.ladders.models import Challenge, ChallengeGame, Ladder, Member
from crownhead.server.ladders.selectors.styles import MOST_RETURNED, REST
from crownhead.server.play.vacation import selectors as vacation_selectors

_DAY = timedelta(days=1)
# Those of closed accounts, which the worker ends, hold up nobody.
_WITH_ACCOUNTS = {"challenger__closed_at__isnull": True, "challenged__closed_at__isnull": True}


@dataclass(frozen=True, slots=True)
class Facts:
    """The challenger and the others by user as the rules see them; who is away; who blocks whom.

    ``returned``: for those whom the challenger has met lately, how many of the open challenges to them are
    from others who had just met them, too.
    """

    me: Challenger
    others: Mapping[int, Challenger]
    away: Mapping[int, datetime]
    ignored: frozenset[int]
    ignoring: frozenset[int]
    returned: Mapping[int, int]


def gather(ladder: Ladder, me: Member, others: Sequence[Member], *, now: datetime) -> Facts:
    """The facts, in a few queries whatever the number of the others."""
    keys, user = {member.user_id for member in others}, me.user
    rows = Challenge.objects.filter(ladder=ladder)
    mine = Q(challenger=user) | Q(challenged=user)
    running = rows.filter(mine | Q(challenged__in=keys), ended_at__isnull=True, **_WITH_ACCOUNTS)
    by: dict[int, set[str]] = defaultdict(set)
    of: dict[int, set[str]] = defaultdict(set)
    waiting: dict[tuple[int, int], datetime] = {}
    for challenger, challenged, made_at in running.values_list("challenger_id", "challenged_id", "made_at"):
        waiting[challenger, challenged] = made_at
        by[challenger].add(str(challenged))
        of[challenged].add(str(challenger))
    met: dict[str, float] = {}
    fled: dict[str, float] = {}
    games = ChallengeGame.objects.filter(challenge=OuterRef("pk"), fled=Side.CHALLENGER)
    ended = rows.filter(mine, ended_at__gt=now - REST).annotate(fled=Exists(games)).order_by("ended_at")
    for challenger, challenged, ended_at, was_fled in ended.values_list(
        "challenger_id", "challenged_id", "ended_at", "fled"
    ):
        assert ended_at is not None
        other = str(challenged if challenger == user.pk else challenger)
        met[other] = days = (now - ended_at) / _DAY
        if was_fled and challenger == user.pk:
            fled[other] = days
    away = vacation_selectors.away_until(user_ids=keys, now=now)
    sought = {key for key in keys if str(key) in met and len(of[key]) >= MOST_RETURNED}

    def climber(member: Member, **past: Mapping[str, float]) -> Challenger:
        key = member.user_id
        return Challenger(
            key=str(key),
            rank=member.rank,
            challenging=frozenset(by[key]),
            challenged_by=frozenset(of[key]),
            away=key in away,
            **past,
        )

    return Facts(
        me=climber(me, met=met, fled=fled),
        others={member.user_id: climber(member) for member in others},
        away=away,
        ignored=accounts.blocked_ids(user.pk),
        ignoring=accounts.blocker_ids(user.pk, keys),
        returned=_returned(rows, {pair: at for pair, at in waiting.items() if pair[1] in sought}),
    )


def _returned(rows: QuerySet[Challenge], waiting: Mapping[tuple[int, int], datetime]) -> Counter[int]:
    """How many of these open challenges each has from members who had met them shortly before."""
    if not waiting:
        return Counter()
    by, of = {challenger for challenger, _ in waiting}, {challenged for _, challenged in waiting}
    ended = rows.filter(ended_at__gt=min(waiting.values()) - REST).values_list(
        "challenger_id", "challenged_id", "ended_at"
    )
    # Each side has its index; asked for both at once, SQLite would look through the ladder.
    there = ended.filter(challenger__in=by, challenged__in=of)
    back = ended.filter(challenger__in=of, challenged__in=by)
    found: set[tuple[int, int]] = set()
    for challenger, challenged, ended_at in there.union(back):
        assert ended_at is not None
        for pair in ((challenger, challenged), (challenged, challenger)):
            if pair in waiting and ended_at > waiting[pair] - REST:
                found.add(pair)
    return Counter(challenged for _, challenged in found)
