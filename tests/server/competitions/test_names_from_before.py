"""A tournament whose name or trophies are older than a rule about names goes on to its end."""

from __future__ import annotations

from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.competitions import services
from crownhead.server.competitions.models import Tournament, Trophy
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core.problems import Unprocessable
from crownhead.server.notices.models import Notice
from crownhead.server.play.models import Game
from tests.server.competitions.factories import (
    MAIN,
    Playthrough,
    advance,
    enter_players,
    fresh,
    make_running_tournament,
    make_tournament,
)
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db

OLD, MENDED = "Cu" + "\u0301" * 5 + "p\u202e\uffff", "Cu" + "\u0301" * 3 + "p"
TERMS: dict[str, Any] = {
    "name": OLD,
    "prizes": (OLD,),
    "game": MAIN,
    "format": "round-robin",
    "min_players": 3,
    "max_players": 8,
    "start": "hand",
}


def from_before(tournament: Tournament, **columns: Any) -> Tournament:
    """As an older version would have stored it."""
    Tournament.objects.filter(pk=tournament.pk).update(**columns)
    return fresh(tournament)


def started(tournament: Tournament) -> Tournament:
    enter_players(tournament, 4)
    return services.start(user=tournament.host, tournament_id=tournament.public_id, now=NOW)


def test_a_tournament_with_a_name_from_before_starts_and_is_played_to_its_end(alice: User) -> None:
    tournament = started(from_before(make_tournament(alice), name=OLD))
    Playthrough(tournament).play()
    assert fresh(tournament).status == "finished"
    assert fresh(tournament).name == OLD
    assert set(Game.objects.values_list("contest_name", flat=True)) == {MENDED}


@pytest.mark.parametrize("name", ["\u3164" * 3, "\u202e"])
def test_a_name_of_nothing_else_stays_as_it_is(alice: User, name: str) -> None:
    advance(started(from_before(make_tournament(alice), name=name)))
    assert set(Game.objects.values_list("contest_name", flat=True)) == {name}


def test_trophies_named_before_are_won(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 3, prizes=("Cup",))
    Playthrough(from_before(tournament, prizes=[OLD])).play()
    assert fresh(tournament).status == "finished"
    assert set(Trophy.objects.values_list("name", flat=True)) == {MENDED}


@pytest.mark.django_db(transaction=True)
def test_the_players_of_a_tournament_named_before_learn_that_it_is_cancelled(alice: User) -> None:
    tournament = from_before(make_tournament(alice), name=OLD)
    users = enter_players(tournament, 4)
    services.cancel(user=alice, tournament_id=tournament.public_id, reason="Rain.", now=NOW)
    assert fresh(tournament).status == "cancelled"
    subjects = Notice.objects.filter(user__in=users, subject__contains=MENDED).values_list("user", flat=True)
    assert set(subjects) == {user.pk for user in users}
    assert not Notice.objects.filter(subject__contains=OLD).exists()


def test_a_host_changes_the_terms_beside_a_name_and_trophies_from_before(alice: User) -> None:
    tournament = from_before(make_tournament(alice), name=OLD, prizes=[OLD])
    enter_players(tournament, 3)
    wanted = Announcement(**TERMS, about="Bring a pen.")
    services.edit(user=alice, tournament_id=tournament.public_id, wanted=wanted, now=NOW)
    assert fresh(tournament).about == "Bring a pen."


@pytest.mark.parametrize("field", ["name", "prizes"])
def test_a_host_makes_no_others_of_that_kind(alice: User, field: str) -> None:
    tournament = from_before(make_tournament(alice), name=OLD, prizes=[OLD])
    changed: dict[str, Any] = TERMS | {field: f"{OLD}!" if field == "name" else (f"{OLD}!",)}
    with pytest.raises(Unprocessable) as refused:
        services.edit(user=alice, tournament_id=tournament.public_id, wanted=Announcement(**changed), now=NOW)
    assert refused.value.field == field


def test_nobody_announces_such_a_name_or_trophy_today(alice: User) -> None:
    for changes, field in (({"name": OLD}, "name"), ({"prizes": (OLD,)}, "prizes")):
        with pytest.raises(Unprocessable) as refused:
            make_tournament(alice, **changes)
        assert refused.value.field == field
