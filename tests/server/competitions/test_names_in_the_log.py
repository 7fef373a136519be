"""The log of a tournament names people as they are called now: an old name may be somebody else's by then."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import closing
from crownhead.server.competitions import exports as competitions_exports
from crownhead.server.competitions import services
from crownhead.server.competitions.access import log
from crownhead.server.competitions.models import DirectorAction, Tournament, Verb
from crownhead.server.core import exports
from tests.server.competitions.factories import client_of, make_tournament
from tests.server.conftest import make_user
from tests.server.play.factories import NOW, api_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(alice: User, bob: User, charlie: User) -> Tournament:
    """Alice has invited two others."""
    made = make_tournament(alice, entry="invited")
    services.invite(user=alice, tournament_id=made.public_id, usernames=["bob", "charlie"], now=NOW)
    return made


def texts_of(tournament: Tournament) -> list[str]:
    body = api_of().get(f"/tournaments/{tournament.public_id}/log").json()
    texts: list[str] = [item["text"] for item in body["items"]]
    page = Client().get(f"/tournaments/{tournament.public_id}/log/").content.decode()
    assert all(text in page for text in texts)
    return texts


def test_who_has_another_name_or_has_left_is_named_so_in_the_log(
    tournament: Tournament, bob: User, charlie: User
) -> None:
    assert texts_of(tournament) == ["bob, charlie"]
    closing.rename(user=charlie, name="Bobby", now=NOW)
    closing.close(user=bob, now=NOW)
    bob.refresh_from_db()
    assert bob.username != "bob"
    assert texts_of(tournament) == [f"{bob.username}, Bobby"]


def test_the_archive_of_a_director_names_people_as_they_are_called_now(
    tournament: Tournament, alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(competitions_exports, "AT_ONCE", 2)
    for _ in range(2):
        for who in (bob, charlie):
            log(tournament, by=alice, verb=Verb.EXPELLED, text=who.username, people=[who], now=NOW)
    closing.rename(user=charlie, name="Bobby", now=NOW)
    closing.close(user=bob, now=NOW)
    bob.refresh_from_db()
    acts = json.loads(b"".join(exports.pieces("director_actions.json", alice)))
    pair = [bob.username, "Bobby"]
    assert [act["text"] for act in acts] == [", ".join(pair), *pair, *pair]


def test_the_back_office_names_people_as_they_are_called_now(tournament: Tournament, bob: User) -> None:
    closing.rename(user=bob, name="Bobby", now=NOW)
    staff = client_of(make_user("hostess", is_staff=True, is_superuser=True))
    listed = "/staff/competitions/directoraction/"
    for path in (listed, f"{listed}{DirectorAction.objects.get().pk}/change/"):
        page = staff.get(path).content.decode()
        assert "Bobby, charlie" in page
        assert "bob" not in page


def test_an_entry_of_before_names_people_as_it_did(tournament: Tournament, bob: User) -> None:
    DirectorAction.objects.update(people=None)
    closing.rename(user=bob, name="Robert", now=NOW)
    assert texts_of(tournament) == ["bob, charlie"]


def test_a_long_text_ends_with_a_whole_name(tournament: Tournament, alice: User) -> None:
    names = ", ".join(f"player-{number}" for number in range(100))
    log(tournament, by=alice, verb=Verb.INVITED, text=names, now=NOW)
    text = texts_of(tournament)[0]
    assert len(text) <= 300
    assert text.endswith(", …")
    assert names.startswith(text.removesuffix(" …"))


def test_only_people_who_are_named_in_what_is_kept_of_a_text_are_kept(alice: User) -> None:
    tournament = make_tournament(alice, max_players=100)
    players = [make_user(f"Some-player-{number}") for number in range(60)]
    names = [player.username for player in players]
    log(tournament, by=alice, verb=Verb.SEEDED, text=", ".join(names), people=players, now=NOW)
    entry = DirectorAction.objects.get()
    assert entry.text.startswith("Some-player-0, Some-player-1, ")
    there = entry.text.removesuffix(", …").split(", ")
    assert 5 < len(there) < 30
    assert entry.people == {player.username: player.pk for player in players[: len(there)]}
    closing.rename(user=players[1], name="Robert", now=NOW)
    assert texts_of(tournament)[0].startswith("Some-player-0, Robert, ")
