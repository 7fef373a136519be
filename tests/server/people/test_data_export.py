"""The archive of a user's data: complete, for its owner only, for a week."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django_tasks_db.models import DBTaskResult

from crownhead import pdn
from crownhead.server.accounts.contacts import services as contact_services
from crownhead.server.accounts.models import User
from crownhead.server.accounts.preferences import services as preferences_services
from crownhead.server.accounts.services import digest
from crownhead.server.core import clock, exports
from crownhead.server.core.problems import Conflict
from crownhead.server.people import jobs
from crownhead.server.people.models import Archive, Piece
from crownhead.server.people.selectors.data_export import content
from crownhead.server.people.services import data_export
from crownhead.server.people.tasks import make_archive
from crownhead.server.play.draws.services import resign
from tests.server.conftest import PASSWORD, Api
from tests.server.pages.window import Window
from tests.server.people.conftest import NOW, window_of
from tests.server.play.factories import make_game, play_moves

pytestmark = pytest.mark.django_db


def lately(user: User) -> Window:
    """A window in which somebody has just given their password."""
    window = window_of(user)
    window.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return window


def unpacked(content: bytes) -> dict[str, str]:
    """The files of an archive."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


def contribute(monkeypatch: pytest.MonkeyPatch, parts: dict[str, Any]) -> None:
    """Have more in every archive, for one test."""
    for name, tell in parts.items():
        monkeypatch.setitem(exports._parts, name, tell)  # noqa: SLF001


def made(user: User) -> Archive:
    """An archive that is ready."""
    archive = data_export.ask(user=user, now=NOW)
    data_export.make(archive_id=archive.pk, now=NOW)
    archive.refresh_from_db()
    return archive


def test_an_archive_holds_what_the_club_knows(alice: User, bob: User) -> None:
    preferences_services.set_profile(now=NOW, user=alice, text="I am she", country="NL")
    preferences_services.set_preferences(user=alice, changes={"theme": "wood"})
    contact_services.add_buddy(user=alice, other=bob, note="a rival", now=NOW)
    game = play_moves(make_game(alice, bob), "11-15", "22-18", "15x22", "25x18")
    resign(user=bob, game_id=game.public_id, now=NOW)
    play_moves(make_game(bob, alice), "9-14")
    files = unpacked(b"".join(content(made(alice))))
    account = json.loads(files["account.json"])
    assert account["username"] == "alice"
    assert account["addresses"] == [{"email": "alice@club.example", "verified": True, "primary": True}]
    assert account["profile"] == {"text": "I am she", "country": "NL"}
    assert account["preferences"]["theme"] == "wood"
    assert json.loads(files["people.json"])["buddies"][0]["note"] == "a rival"
    assert [len(read.moves) for read in pdn.read(io.StringIO(files["games.pdn"]))] == [4, 1]
    assert all(name in files["README.txt"] for name in exports.parts())


def test_an_archive_holds_no_password_and_no_token(api: Api, alice: User) -> None:
    api.as_(alice)
    files = unpacked(b"".join(content(made(alice))))
    assert alice.password not in "".join(files.values())
    assert digest("token of alice") not in "".join(files.values())


def test_it_is_asked_for_on_a_page_made_by_the_worker_and_fetched(alice: User) -> None:
    window = lately(alice)
    window.post("/my-data/")
    assert "in progress; check back" in window.get("/my-data/").text
    (task,) = DBTaskResult.objects.all()
    make_archive.call(*task.args_kwargs["args"])
    page = window.get("/my-data/")
    archive = Archive.objects.get()
    assert f"/my-data/{archive.public_id}.zip" in page.html
    client = window.client
    answer: Any = client.get(f"/my-data/{archive.public_id}.zip")
    assert answer["Content-Disposition"] == 'attachment; filename="alice-2026-03-01.zip"'
    assert "account.json" in unpacked(b"".join(answer.streaming_content))


def test_nobody_else_can_fetch_it(api: Api, alice: User, bob: User) -> None:
    archive = made(alice)
    assert lately(bob).get(f"/my-data/{archive.public_id}.zip").status == 404
    assert window_of().get(f"/my-data/{archive.public_id}.zip").location.startswith("/accounts/login/")
    assert api.as_(bob).get(f"/me/archives/{archive.public_id}.zip").status_code == 404


def test_it_lasts_a_week(alice: User) -> None:
    archive = made(alice)
    assert archive.expires_at == NOW + timedelta(days=7)
    with clock.stopped(NOW + timedelta(days=7)):
        assert lately(alice).get(f"/my-data/{archive.public_id}.zip").status == 404
        jobs.tidy_archives(clock.now())
    assert not Archive.objects.exists()
    assert not Piece.objects.exists()


def test_asking_twice_makes_one(alice: User) -> None:
    assert data_export.ask(user=alice, now=NOW) == data_export.ask(user=alice, now=NOW)
    assert DBTaskResult.objects.count() == 1


def test_haste_is_refused_with_a_reason(alice: User) -> None:
    made(alice)
    window = lately(alice)
    window.post("/my-data/")
    assert "less than an hour old" in window.get("/my-data/").text
    assert data_export.ask(user=alice, now=NOW + timedelta(hours=1)).ready_at is None


def test_making_it_twice_changes_nothing(alice: User) -> None:
    archive = made(alice)
    data_export.make(archive_id=archive.pk, now=NOW + timedelta(days=1))
    archive.refresh_from_db()
    assert archive.ready_at == NOW


def test_what_a_dead_worker_left_is_given_to_another(alice: User) -> None:
    archive = data_export.ask(user=alice, now=NOW)
    Archive.objects.update(begun_at=NOW)
    assert data_export.tidy(now=NOW + timedelta(hours=1)) == []
    assert data_export.tidy(now=NOW + timedelta(hours=3)) == [archive.pk]
    data_export.make(archive_id=archive.pk, now=NOW + timedelta(hours=3))
    assert data_export.tidy(now=NOW + timedelta(hours=4)) == []


def test_one_whose_worker_dies_each_time_is_given_up(
    alice: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def killed(*_: object) -> None:
        raise SystemExit

    monkeypatch.setattr(data_export, "write", killed)
    archive, now, tries = data_export.ask(user=alice, now=NOW), NOW, 0
    due = [archive.pk]
    while due and tries < 9:
        tries += 1
        with pytest.raises(SystemExit):
            data_export.make(archive_id=archive.pk, now=now)
        now += timedelta(hours=3)
        due = data_export.tidy(now=now)
    archive.refresh_from_db()
    assert (tries, archive.failed) == (3, True)
    assert "its worker died 3 times" in caplog.text
    assert "failed; the host can see why" in window_of(alice).get("/my-data/").text
    assert data_export.ask(user=alice, now=now).pk != archive.pk


def test_one_that_cannot_be_made_says_so_and_another_may_be_asked_for(
    alice: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_user: User) -> None:
        raise ValueError("no such thing")

    contribute(monkeypatch, {"broken.json": broken})
    archive = made(alice)
    assert archive.failed
    assert "could not be made" in caplog.text
    assert (
        "failed; the host can see why, and you can try again after an hour"
        in window_of(alice).get("/my-data/").text
    )
    contribute(monkeypatch, {"broken.json": lambda _user: None})
    with pytest.raises(Conflict, match="ask again an hour after"):
        data_export.ask(user=alice, now=NOW + timedelta(minutes=59))
    later = data_export.ask(user=alice, now=NOW + timedelta(hours=1))
    data_export.make(archive_id=later.pk, now=NOW)
    later.refresh_from_db()
    assert later.ready_at == NOW


def test_a_large_archive_comes_in_pieces(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_export, "_PIECE", 100)
    archive = made(alice)
    assert Piece.objects.count() == -(-archive.size // 100)
    assert "account.json" in unpacked(b"".join(content(archive)))


def test_a_newer_archive_takes_the_place_of_older_ones(alice: User, bob: User) -> None:
    theirs, older = made(bob), made(alice)
    archive = data_export.ask(user=alice, now=NOW + data_export.PAUSE)
    assert set(Archive.objects.all()) == {theirs, older, archive}
    data_export.make(archive_id=archive.pk, now=NOW + data_export.PAUSE)
    assert set(Archive.objects.all()) == {theirs, archive}


def test_each_piece_of_an_archive_is_asked_for_by_itself(
    alice: User, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    monkeypatch.setattr(data_export, "_PIECE", 100)
    pieces = content(made(alice))
    next(pieces)
    with django_assert_num_queries(1):
        assert len(next(pieces)) == 100


def test_an_archive_is_downloaded_so_often_within_an_hour(api: Api, alice: User, settings: Any) -> None:
    archive = made(alice)
    settings.LIMITS = settings.LIMITS | {"records": "2/h"}
    browser, program = lately(alice).client, api.as_(alice)
    answers = [
        browser.get(f"/my-data/{archive.public_id}.zip"),
        program.get(f"/me/archives/{archive.public_id}.zip"),
        program.get(f"/me/archives/{archive.public_id}.zip"),
        browser.get(f"/my-data/{archive.public_id}.zip"),
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 429, 429]


def test_programs_ask_wait_and_fetch(api: Api, alice: User) -> None:
    as_alice = api.as_(alice)
    asked = as_alice.post("/me/archives")
    assert (asked.status_code, asked.json()["status"], asked.json()["link"]) == (202, "making", None)
    data_export.make(archive_id=Archive.objects.get().pk, now=NOW)
    (row,) = as_alice.get("/me/archives").json()
    assert row["status"] == "ready"
    answer = as_alice.get(row["link"].removeprefix("/api/v1"))
    content = b"".join(answer.streaming_content)
    assert len(content) == row["size"]
    assert "games.pdn" in unpacked(content)
    assert as_alice.post("/me/archives").status_code == 409


def test_a_part_may_be_a_value_a_text_or_pieces(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    parts: dict[str, Any] = {
        "none.json": lambda _user: iter(()),
        "many.json": lambda _user: ({"number": number, "at": NOW} for number in range(3)),
        "text.txt": lambda _user: "ä",
        "bytes.bin": lambda _user: b"\x00",
        "pieces.txt": lambda user: iter(["of ", user.username]),
    }
    contribute(monkeypatch, parts)
    told = {name: b"".join(exports.pieces(name, alice)) for name in parts}
    assert json.loads(told["none.json"]) == []
    assert [entry["number"] for entry in json.loads(told["many.json"])] == [0, 1, 2]
    assert json.loads(told["many.json"])[0]["at"] == NOW.isoformat()
    assert told["text.txt"] == "ä".encode()
    assert (told["bytes.bin"], told["pieces.txt"]) == (b"\x00", b"of alice")
