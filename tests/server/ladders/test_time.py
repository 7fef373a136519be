"""What time does on ladders: who is idle sinks, new games get their first ladders."""

from __future__ import annotations

from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from crownhead import VARIANTS
from crownhead.server.accounts.models import User
from crownhead.server.core.jobs import jobs
from crownhead.server.core.problems import Conflict, Unprocessable
from crownhead.server.ladders import access, services
from crownhead.server.ladders.choices import Style
from crownhead.server.ladders.events import PlaceTaken
from crownhead.server.ladders.models import Challenge, Ladder, Line, Member
from crownhead.server.ladders.services import checking, idleness, positions
from crownhead.server.play.vacation import services as vacation_services
from tests.server.conftest import make_user
from tests.server.ladders.factories import (
    challenge,
    games_of,
    make_finished_challenge,
    make_ladder,
    make_members,
    names_by_place,
    play_two_moves,
    steps,
)
from tests.server.play.factories import DAY, NOW, recorded_events
from tests.server.tasks import close_for_good

pytestmark = pytest.mark.django_db


def _active(ladder: Ladder, *users: User) -> None:
    """These have just played."""
    Member.objects.filter(ladder=ladder, user__in=users).update(active_at=NOW + 59 * DAY)


def test_a_player_who_has_not_played_for_long_goes_to_the_last_places_in_order(places: Ladder) -> None:
    cast = make_members(6, places)
    _active(places, cast[1], cast[4])
    with recorded_events(PlaceTaken) as emitted:
        assert services.drop_idle(now=NOW + 60 * DAY) == 3
    assert names_by_place(places) == ["p02", "p05", "p01", "p03", "p04", "p06"]
    assert sorted((event.before, event.after) for event in emitted) == [(1, 3), (3, 4), (4, 5)]
    assert Line.objects.filter(kind="sank").count() == 3


def test_a_ladder_that_cannot_be_gone_through_holds_up_no_other(
    places: Ladder, stairs: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_members(2, places)
    Member.objects.filter(user=make_members(2, stairs, prefix="q")[0]).update(step=3)

    def drop(*_arguments: object) -> None:
        raise OSError("disk")

    monkeypatch.setattr(positions, "drop", drop)
    assert services.drop_idle(now=NOW + 60 * DAY) == 1
    assert steps(stairs) == {"q01": 2, "q02": 1}


@pytest.mark.parametrize("seed", range(6))
def test_members_who_drop_in_parts_land_where_they_would_together(
    places: Ladder, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(idleness, "IN_ONE_TRANSACTION", 3)
    dice = Random(seed)
    cast = make_members(14, places)
    idle = {user.username for user in dice.sample(cast, dice.randint(1, 13))}
    _active(places, *(user for user in cast if user.username not in idle))
    before = names_by_place(places)
    together = sorted(before, key=lambda name: name in idle)  # a stable order
    moved = {(before.index(name) + 1, together.index(name) + 1) for name in idle}
    assert services.drop_idle(now=NOW + 60 * DAY) == sum(old != new for old, new in moved)
    assert names_by_place(places) == together
    lines = Line.objects.filter(kind="sank").values_list("before", "after")
    assert set(lines) == {(old, new) for old, new in moved if old != new}
    assert list(checking.findings(repair=False)) == []


@pytest.mark.parametrize("style", Style)
def test_no_transaction_drops_more_than_twenty(style: Style, monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = make_ladder(style=style)
    cast = make_members(45, ladder)
    Member.objects.filter(step__isnull=False).update(step=2)
    _active(ladder, cast[-1])
    dropped: list[int] = []
    lock = access.lock_ladder

    def count_before(ladder_id: str) -> Ladder:
        dropped.append(Line.objects.filter(kind="sank").count())
        return lock(ladder_id)

    monkeypatch.setattr(access, "lock_ladder", count_before)
    assert services.drop_idle(now=NOW + 60 * DAY) == 44
    assert dropped == [0, 20, 40]


def test_who_joins_while_members_drop_stays_below_them(
    places: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idleness, "IN_ONE_TRANSACTION", 2)
    cast = make_members(6, places)
    _active(places, *cast[4:])
    lock, late = access.lock_ladder, make_user("newcomer")

    def joined_after_two(ladder_id: str) -> Ladder:
        monkeypatch.setattr(access, "lock_ladder", lock)
        if Line.objects.filter(kind="sank").exists():
            services.join(user=late, ladder_id=ladder_id, now=NOW)
        else:
            monkeypatch.setattr(access, "lock_ladder", joined_after_two)
        return lock(ladder_id)

    monkeypatch.setattr(access, "lock_ladder", joined_after_two)
    assert services.drop_idle(now=NOW + 60 * DAY) == 4
    assert names_by_place(places) == ["p05", "p06", "p01", "p02", "p03", "p04", "newcomer"]


def test_a_ladder_that_closes_meanwhile_stays_as_it_is(
    places: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idleness, "IN_ONE_TRANSACTION", 1)
    cast = make_members(4, places)
    _active(places, *cast[2:])
    lock = access.lock_ladder

    def closed_after_one(ladder_id: str) -> Ladder:
        if Line.objects.filter(kind="sank").exists():
            Ladder.objects.filter(pk=places.pk).update(closed_at=NOW)
        return lock(ladder_id)

    monkeypatch.setattr(access, "lock_ladder", closed_after_one)
    assert services.drop_idle(now=NOW + 60 * DAY) == 1
    assert names_by_place(places) == ["p01", "p03", "p04", "p02"]


def test_who_drops_past_many_moves_them_with_the_statements_for_a_few(places: Ladder) -> None:
    cast = make_members(60, places)
    key = Member.objects.get(user=cast[0]).pk
    with CaptureQueriesContext(connection) as queries:
        positions.drop(places, {key}, above=())
    assert names_by_place(places) == [user.username for user in [*cast[1:], cast[0]]]
    assert len(queries) == 4
    assert max(len(query["sql"]) for query in queries) < 1000


def test_they_sink_no_further_before_as_long_again(places: Ladder) -> None:
    cast = make_members(3, places)
    _active(places, cast[2])
    assert services.drop_idle(now=NOW + 60 * DAY) == 2
    assert services.drop_idle(now=NOW + 61 * DAY) == 0
    assert names_by_place(places) == ["p03", "p01", "p02"]


def test_an_open_challenge_and_a_vacation_protect(places: Ladder) -> None:
    cast = make_members(4, places)
    _active(places, cast[3])
    challenge(places, cast[0], cast[1])
    later = NOW + 60 * DAY
    vacation_services.plan(user=cast[2], begins=later, ends=later + DAY, now=later)
    Member.objects.filter(user__in=cast[:2]).update(active_at=NOW)
    assert services.drop_idle(now=later) == 0
    assert names_by_place(places) == ["p01", "p02", "p03", "p04"]


def test_many_on_vacation_keep_nobody_else_in_their_places(
    places: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idleness, "_AT_ONCE", 2)
    cast = make_members(5, places)
    _active(places, cast[4])
    later = NOW + 60 * DAY
    for user in cast[:3]:
        vacation_services.plan(user=user, begins=later, ends=later + DAY, now=later)
    Member.objects.filter(user__in=cast[:3]).update(active_at=NOW - DAY)
    assert services.drop_idle(now=later) == 1
    assert names_by_place(places) == ["p01", "p02", "p03", "p05", "p04"]


def test_on_stairs_the_idle_go_a_step_down_but_not_below_the_first(stairs: Ladder) -> None:
    cast = make_members(2, stairs)
    Member.objects.filter(user=cast[0]).update(step=3)
    assert services.drop_idle(now=NOW + 60 * DAY) == 1
    assert steps(stairs) == {"p01": 2, "p02": 1}


def test_ladders_without_that_rule_and_closed_ones_stay_as_they_are(dora: User) -> None:
    forgiving, closed = make_ladder(idle_days=0), make_ladder(time=4)
    for number, ladder in enumerate((forgiving, closed)):
        cast = make_members(2, ladder, prefix="pq"[number])
        _active(ladder, cast[1])
    services.close_ladder(staff=dora, ladder_id=closed.public_id, now=NOW)
    assert services.drop_idle(now=NOW + 100 * DAY) == 0


def test_playing_counts_as_activity(places: Ladder) -> None:
    cast = make_members(3, places)
    make_finished_challenge(places, cast[1], cast[0], winner=cast[0], now=NOW + 30 * DAY)
    assert services.drop_idle(now=NOW + 60 * DAY) == 0
    assert names_by_place(places) == ["p01", "p02", "p03"]


def test_every_game_gets_its_first_ladders_once() -> None:
    (job,) = (job for job in jobs() if job.name == "ladders of new games")
    job.run(NOW)
    assert Ladder.objects.count() == 2 * len(VARIANTS)
    assert services.ensure_defaults(now=NOW) == 0
    Ladder.objects.filter(variant="thai").update(closed_at=NOW)
    assert services.ensure_defaults(now=NOW) == 0
    Line.objects.filter(ladder__variant="thai").delete()
    Ladder.objects.filter(variant="thai").delete()
    assert services.ensure_defaults(now=NOW) == 2


def test_the_staff_open_ladders_that_there_are_not_yet(dora: User) -> None:
    made = services.open_ladder(
        staff=dora, now=NOW, variant="russian", pace="bank", time=72, bonus=12, limit=96
    )
    assert made.opened_at == NOW
    assert list(Line.objects.values_list("kind", "staff")) == [("opened", dora.pk)]
    with pytest.raises(Conflict):
        services.open_ladder(staff=dora, now=NOW, variant="russian", pace="bank", time=72, bonus=12, limit=96)
    services.close_ladder(staff=dora, ladder_id=made.public_id, now=NOW)
    services.open_ladder(staff=dora, now=NOW, variant="russian", pace="bank", time=72, bonus=12, limit=96)


@pytest.mark.parametrize(
    "wrong",
    [
        {"variant": "chess"},
        {"variant": "american", "time": 15},
        {"variant": "american", "time": 0},
        {"variant": "american", "pace": "bank", "time": 72, "limit": 24},
        {"variant": "american", "pace": "live"},
        {"variant": "american", "style": "rungs"},
        {"variant": "american", "games": 3},
        {"variant": "american", "draw_rules": "none"},
    ],
)
def test_terms_that_make_no_sense_open_no_ladder(dora: User, wrong: dict[str, object]) -> None:
    with pytest.raises(Unprocessable):
        services.open_ladder(staff=dora, now=NOW, **wrong)
    assert not Ladder.objects.exists()


def test_closing_an_account_leaves_all_ladders(places: Ladder, stairs: Ladder) -> None:
    cast = make_members(3, places)
    services.join(user=cast[0], ladder_id=stairs.public_id, now=NOW)
    play_two_moves(*games_of(challenge(places, cast[2], cast[0])))
    close_for_good(cast[0], NOW)
    assert names_by_place(places) == ["p03", "p02"]
    assert steps(stairs) == {}
    assert Challenge.objects.get().outcome == "won"
