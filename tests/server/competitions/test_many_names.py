"""However many names a director sends, they cost the club no more than a few."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from crownhead.server.accounts.models import User
from crownhead.server.competitions import services
from crownhead.server.competitions.models import Director, Invitation
from crownhead.server.competitions.services.directors import MAX_DIRECTORS
from crownhead.server.competitions.services.invitations import MAX_AT_ONCE
from crownhead.server.competitions.views.director_actions import pairs_in
from crownhead.server.core import clock
from crownhead.server.core.problems import Unprocessable
from crownhead.server.notices.models import Notice
from tests.server.competitions.factories import make_running_tournament, make_tournament
from tests.server.conftest import make_user
from tests.server.play.factories import NOW, api_of

pytestmark = pytest.mark.django_db

REFUSALS = [
    ("invite", MAX_AT_ONCE, "Invite at most 50 players at once."),
    ("directors", MAX_DIRECTORS, "Name at most 10 directors."),
]


@pytest.mark.parametrize(("do", "most", "refusal"), REFUSALS)
def test_many_names_are_refused_before_any_is_looked_up(
    alice: User, bob: User, do: str, most: int, refusal: str
) -> None:
    tournament = make_tournament(alice)
    service = services.invite if do == "invite" else services.set_directors
    names = ["bob"] * (most + 1)
    with CaptureQueriesContext(connection) as asked, pytest.raises(Unprocessable, match=refusal):
        service(user=alice, tournament_id=tournament.public_id, usernames=names, now=NOW)
    assert not asked.captured_queries


@pytest.mark.parametrize(("do", "most", "refusal"), REFUSALS)
def test_the_page_says_how_many_can_be_named(
    alice: User, bob: User, do: str, most: int, refusal: str
) -> None:
    tournament = make_tournament(alice)
    client = Client()
    client.force_login(alice)
    names = "bob\n" * (most + 1)
    with clock.stopped(NOW):
        page = client.post(
            f"/tournaments/{tournament.public_id}/direct/", {"do": do, "names": names}, follow=True
        )
    assert refusal in page.content.decode()


def test_the_api_says_how_many_can_be_invited(alice: User, bob: User) -> None:
    tournament = make_tournament(alice)
    path = f"/tournaments/{tournament.public_id}/invitations"
    answer = api_of(alice).post(path, {"usernames": ["bob"] * 500})
    assert answer.status_code == 422
    assert "Invite at most 50 players at once." in answer.content.decode()


@pytest.mark.parametrize("do", ["invite", "directors"])
def test_players_are_looked_up_together(alice: User, bob: User, do: str) -> None:
    tournament = make_tournament(alice)
    names = [make_user(f"Player-{number}").username for number in range(MAX_DIRECTORS - 1)]
    service = services.invite if do == "invite" else services.set_directors
    with CaptureQueriesContext(connection) as asked, pytest.raises(Unprocessable, match="no player 'nobody'"):
        service(user=alice, tournament_id=tournament.public_id, usernames=[*names, "nobody"], now=NOW)
    assert len([row for row in asked.captured_queries if '"folded" IN' in row["sql"]]) == 1
    assert not [row for row in asked.captured_queries if '"folded" =' in row["sql"]]


def test_a_player_named_twice_is_named_once(alice: User, bob: User) -> None:
    tournament = make_tournament(alice)
    of: dict[str, Any] = {"tournament_id": tournament.public_id, "now": NOW}
    services.invite(user=alice, usernames=["bob", " BOB ", "Bob"], **of)
    services.set_directors(user=alice, usernames=["Bob", "bob "], **of)
    assert [row.user for row in Invitation.objects.filter(tournament=tournament)] == [bob]
    assert [row.user for row in Director.objects.filter(tournament=tournament)] == [bob]


def test_more_pairs_than_there_can_be_are_refused_before_any_is_looked_up(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 5, format="swiss", held_rounds=True)
    pairs = [("nobody", "no-one")] * 3
    with pytest.raises(Unprocessable, match=r"^pairs: Name at most 2 pairs\.$"):
        services.pair_by_hand(
            user=alice, tournament_id=tournament.public_id, pairs=pairs, reason="Because.", now=NOW
        )


@pytest.mark.parametrize(("do", "field", "line"), [("pair", "pairs", "a b\n"), ("seed", "names", "a,")])
def test_a_list_longer_than_any_tournament_needs_is_not_read(
    alice: User, do: str, field: str, line: str
) -> None:
    tournament = make_tournament(alice)
    client = Client()
    client.force_login(alice)
    path, form = f"/tournaments/{tournament.public_id}/direct/", {"do": do, "reason": "Because."}
    page = client.post(path, {**form, field: line * 30_000}, follow=True)
    assert "Use at most 50000 characters." in page.content.decode()


def test_the_pairs_of_the_largest_tournament_are_read() -> None:
    pairs = [(f"player-number-{number:06}", f"another-of-them-{number:04}") for number in range(500)]
    assert pairs_in("\n".join(f"{first} - {second}" for first, second in pairs)) == pairs


def test_many_players_are_invited_by_as_many_queries_as_a_few(alice: User) -> None:
    tournament = make_tournament(alice)
    asked: list[int] = []
    for name, count in (("Few", 2), ("Many", MAX_AT_ONCE)):
        names = [make_user(f"{name}-{number}").username for number in range(count)]
        with CaptureQueriesContext(connection) as queries:
            services.invite(user=alice, tournament_id=tournament.public_id, usernames=names, now=NOW)
        asked.append(len(queries))
    assert asked[0] == asked[1]
    assert Notice.objects.filter(kind="invited").count() == 2 + MAX_AT_ONCE


def test_many_directors_are_asked_by_as_many_queries_as_a_few(alice: User) -> None:
    asked: list[int] = []
    for name, count in (("Few", 2), ("Many", MAX_DIRECTORS)):
        tournament = make_tournament(alice)
        names = [make_user(f"{name}-{number}").username for number in range(count)]
        with CaptureQueriesContext(connection) as queries:
            services.set_directors(user=alice, tournament_id=tournament.public_id, usernames=names, now=NOW)
        asked.append(len(queries))
    assert asked[0] == asked[1] <= 30
    assert Notice.objects.filter(kind="invited").count() == 2 + MAX_DIRECTORS
