"""What is kept for the staff: traces that members share, and what they asked the engine."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client

from crownhead.server.accounts.guests.services import begin
from crownhead.server.accounts.guests.services import close as close_guest
from crownhead.server.accounts.models import User
from crownhead.server.accounts.services.closing import close
from crownhead.server.analysis.access import OwnGameInProgress
from crownhead.server.core import clock
from crownhead.server.core import jobs as core_jobs
from crownhead.server.fair_play import jobs, services
from crownhead.server.fair_play.choices import Trace
from crownhead.server.fair_play.exports import engine_requests, sightings
from crownhead.server.fair_play.models import EngineRequest, Sighting
from tests.server.analysis.test_fair_play import HERE, MOVES, ask
from tests.server.conftest import PASSWORD, make_user
from tests.server.play.factories import NOW, api_of, make_game, make_offer, play_moves
from tests.server.play.test_at_once import at_once, in_a_file
from tests.server.test_query_bounds import counted

__all__ = ["in_a_file"]

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def client_of(user: User, address: str) -> Client:
    client = Client(REMOTE_ADDR=address)
    client.force_login(user)
    return client


def traces(user: User) -> list[str]:
    return sorted(Sighting.objects.filter(user=user).values_list("trace", flat=True))


def act(client: Client) -> Any:
    """Do something, whatever it is."""
    return client.post("/preferences/", {})


def test_members_who_act_leave_hashes_of_address_and_browser(alice: User, bob: User) -> None:
    one = client_of(alice, "192.0.2.1")
    act(one)
    assert traces(alice) == ["address", "device"]
    assert not any("192.0.2" in digest for digest in Sighting.objects.values_list("digest", flat=True))
    cookie = one.cookies["browser"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    one.force_login(bob)
    act(one)
    shared = Sighting.objects.values_list("digest", flat=True).distinct()
    assert (len(shared), Sighting.objects.count()) == (2, 4)


def test_reading_leaves_no_trace(alice: User) -> None:
    client = client_of(alice, "192.0.2.1")
    client.get("/tournaments/")
    Client().post("/accounts/login/", {})
    assert not Sighting.objects.exists()
    assert "browser" not in client.cookies


def test_programs_leave_an_address(alice: User, bob: User) -> None:
    game = make_offer(alice)
    api_of(bob).post(f"/waiting-room/{game.public_id}/join")
    assert traces(bob) == ["address"]


def test_traces_are_gone_after_a_month_unless_seen_again(alice: User) -> None:
    with clock.stopped(NOW):
        act(client_of(alice, "192.0.2.1"))
        act(client_of(alice, "192.0.2.2"))
    Sighting.objects.filter(trace="device").delete()
    Sighting.objects.filter(pk=Sighting.objects.latest("pk").pk).update(last_at=NOW + 20 * DAY)
    jobs.delete_old_evidence(NOW + 31 * DAY)
    assert Sighting.objects.count() == 1
    jobs.delete_old_evidence(NOW + 51 * DAY)
    assert not Sighting.objects.exists()


def test_made_up_browsers_leave_only_so_many_traces(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_TRACES", 3)
    client = client_of(alice, "192.0.2.1")
    for number in range(6):
        client.cookies["browser"] = f"made-up-{number}"
        act(client)
    assert sorted(traces(alice)) == ["address", "device", "device", "device"]


@pytest.mark.django_db(transaction=True)
def test_browsers_made_up_at_once_leave_only_so_many_traces(
    alice: User, in_a_file: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MAX_TRACES", 3)
    note = partial(services.note_sighting, user=alice, trace=Trace.DEVICE, now=NOW)
    in_a_file()
    at_once([partial(note, value=f"made-up-{number}") for number in range(8)])
    assert Sighting.objects.count() == 3


def test_what_was_asked_of_the_engine_is_counted_and_shown_to_the_staff(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), *MOVES)
    for _ in range(2):
        with pytest.raises(OwnGameInProgress):
            ask(alice, HERE.mirror())
    row = EngineRequest.objects.get()
    assert (row.user, row.game_id, row.times, row.fen) == (alice, game.public_id, 2, HERE.mirror().fen())
    path = "/staff/fair_play/enginerequest/"
    assert (
        game.public_id in client_of(make_user("judge", is_staff=True), "192.0.2.9").get(path).content.decode()
    )
    assert client_of(bob, "192.0.2.1").get(path).status_code == 302
    jobs.delete_old_evidence(row.last_at + 366 * DAY)
    assert not EngineRequest.objects.exists()


def test_of_one_game_only_so_many_positions_are_kept(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands are near to those of a game, and a script asks about each of them."""
    monkeypatch.setattr(services, "MAX_OF_GAME", 3)
    play_moves(make_game(alice, bob), *MOVES)
    client = client_of(alice, "192.0.2.1")
    near = [HERE.play(move) for move in HERE.legal_moves()][:6]
    for position in (*near, near[0]):
        asked = {"variant": "american", "fen": position.fen()}
        assert client.post("/analysis/guard/", asked).json()["refused"]
    rows = EngineRequest.objects.order_by("pk")
    assert [(row.fen, row.times) for row in rows] == [
        (near[0].fen(), 2),
        (near[1].fen(), 1),
        (near[2].fen(), 4),
    ]


def test_a_member_reads_what_is_kept_and_it_goes_with_them(alice: User, bob: User) -> None:
    act(client_of(alice, "192.0.2.1"))
    play_moves(make_game(alice, bob), *MOVES)
    with pytest.raises(OwnGameInProgress):
        ask(alice, HERE)
    assert {row["trace"] for row in sightings(alice)} == {"address", "device"}
    assert [row["fen"] for row in engine_requests(alice)] == [HERE.fen()]
    close(user=alice, now=NOW)
    assert sightings(alice) == []
    host = client_of(make_user("dora", is_staff=True, is_superuser=True), "192.0.2.9")
    assert HERE.fen() not in html.unescape(host.get("/staff/fair_play/enginerequest/").content.decode())
    jobs.delete_old_evidence(NOW)
    assert engine_requests(alice) == []


def test_requests_of_closed_accounts_and_guests_are_deleted_some_at_a_time(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core_jobs, "AT_ONCE", 3)
    guest = begin(now=NOW)
    for user in (alice, bob, guest):
        EngineRequest.objects.bulk_create(
            EngineRequest(user=user, game_id=f"g{number}", fen="", ply=1, first_at=NOW, last_at=NOW)
            for number in range(5)
        )
    with counted() as statements:
        close(user=alice, now=NOW)
    assert not [sql for sql in statements if sql.startswith('DELETE FROM "fair_play_enginerequest"')]
    close_guest(guest_id=guest.pk, now=NOW)
    with counted() as statements:
        jobs.delete_old_evidence(NOW)
    assert sum(sql.startswith('DELETE FROM "fair_play_enginerequest"') for sql in statements) == 4
    assert set(EngineRequest.objects.values_list("user", flat=True)) == {bob.pk}


def test_the_request_that_closes_an_account_leaves_no_trace(alice: User) -> None:
    answer = api_of(alice).send("POST", "/me/close", json.dumps({"password": PASSWORD}).encode())
    assert answer.status_code == 204
    assert traces(alice) == []
