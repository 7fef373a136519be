"""Moving members on a ladder of places: every place is taken exactly once.

Shifting many goes through places far away, so that no two members ever share one; it takes two updates,
whatever their number. The caller has locked the ladder.
"""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Case, F, Value, When

from crownhead.server.ladders.models import Ladder, Member

_FAR = 1_000_000_000


def put(member: Member, place: int) -> None:
    """Move a member to a place; the members in between make room."""
    if place == member.place:
        return
    assert member.place is not None
    Member.objects.filter(pk=member.pk).update(place=2 * _FAR)
    if place < member.place:
        _shift(member.ladder_id, place, member.place - 1, by=1)
    else:
        _shift(member.ladder_id, member.place + 1, place, by=-1)
    Member.objects.filter(pk=member.pk).update(place=place)
    member.place = place


def move(member: Member, rank: int) -> None:
    """Move a member to a place or a step."""
    if member.place is not None:
        put(member, rank)
    else:
        member.step = rank
        member.save(update_fields=["step"])


def remove(member: Member) -> None:
    """Remove a member; those below move up."""
    ladder, place = member.ladder, member.place
    member.delete()
    if place is not None:
        _shift(ladder.pk, place + 1, ladder.size, by=-1)
    resize(ladder, -1)


def drop(ladder: Ladder, keys: Collection[int], *, above: Collection[int]) -> None:
    """Move some members to the last places, in their present order; the others move up.

    ``above``: those whom they stay above, as they were moved there before.
    """
    rows = Member.objects.filter(ladder=ladder, place__isnull=False).order_by("place")
    taken = [member.rank for member in rows.filter(pk__in=keys)]
    before = rows.filter(pk__in=above).first()
    last = max(rows.reverse()[0].rank if before is None else before.rank - 1, taken[-1])
    first, target = taken[0], last - len(taken) + 1
    if first == target:
        return
    dropped = [When(place=place, then=Value(_FAR + target + number)) for number, place in enumerate(taken)]
    passed = [
        When(place__gt=place, then=F("place") + (_FAR - number))
        for number, place in reversed(list(enumerate(taken, start=1)))
    ]
    rows.filter(place__range=(first, last)).update(place=Case(*dropped, *passed))
    rows.filter(place__range=(_FAR + first, _FAR + last)).update(place=F("place") - _FAR)


def resize(ladder: Ladder, by: int) -> None:
    """Change the number of members."""
    ladder.size += by
    ladder.save(update_fields=["size"])


def _shift(ladder_id: int, first: int, last: int, *, by: int) -> None:
    rows = Member.objects.filter(ladder=ladder_id)
    rows.filter(place__range=(first, last)).update(place=F("place") + _FAR + by)
    rows.filter(place__range=(first + _FAR + by, last + _FAR + by)).update(place=F("place") - _FAR)
