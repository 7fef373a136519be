"""Buddies and blocked players, on their pages and over the API."""

from __future__ import annotations

from datetime import timedelta

import pytest

from crownhead.server.accounts import selectors
from crownhead.server.accounts.contacts import services as contact_services
from crownhead.server.accounts.models import Buddy, Ignored, User
from crownhead.server.accounts.services import closing
from crownhead.server.core import clock
from tests.server.conftest import Api
from tests.server.people.conftest import NOW, window_of

pytestmark = pytest.mark.django_db


def test_a_buddy_is_added_noted_and_removed_on_their_profile(alice: User, bob: User) -> None:
    window = window_of(alice)
    assert window.post("/players/bob/contact/", {"do": "add"}).location == "/players/bob/"
    window.post("/players/bob/contact/", {"do": "note", "note": "plays the Cross"})
    page = window.get("/buddies/")
    assert "plays the Cross" in page.text
    assert window.post("/players/bob/contact/", {"do": "remove", "back": "buddies"}).location == "/buddies/"
    assert "You have no buddies yet." in window.get("/buddies/").text


def test_buddies_who_are_here_stand_first(alice: User, bob: User, charlie: User) -> None:
    for other in (bob, charlie):
        contact_services.add_buddy(user=alice, other=other, now=NOW)
    User.objects.filter(pk=charlie.pk).update(last_seen_at=NOW)
    with clock.stopped(NOW + timedelta(minutes=2)):
        page = window_of(alice).get("/buddies/")
    assert "1 buddy is online." in page.text
    assert page.text.index("charlie") < page.text.index("bob")


def test_somebody_is_blocked_and_unblocked(alice: User, bob: User) -> None:
    window = window_of(alice)
    window.post("/players/bob/contact/", {"do": "block"})
    profile = window.get("/players/bob/")
    assert "You have blocked bob" in profile.text
    assert "Invite to a game" not in profile.text
    assert "bob" in window.get("/blocked/").text
    assert window.post("/players/bob/contact/", {"do": "unblock", "back": "blocked"}).location == "/blocked/"
    assert "You haven't blocked anybody." in window.get("/blocked/").text
    assert not selectors.has_blocked(alice.pk, bob.pk)


def test_the_one_who_is_blocked_is_notified_nothing(alice: User, bob: User) -> None:
    contact_services.block(user=alice, other=bob, now=NOW)
    seen = window_of(bob).get("/players/alice/")
    assert "blocked bob" not in seen.text
    assert "Add to buddies" in seen.text


@pytest.mark.parametrize(
    ("name", "form", "words"),
    [
        ("alice", {"do": "add"}, "can't choose yourself"),
        ("nobody", {"do": "add"}, "There is no player"),
        ("bob", {"do": "dance"}, "This action doesn't exist."),
        ("bob", {"do": "note", "note": "x"}, "not one of your buddies"),
        ("bob", {}, "This action doesn't exist."),
    ],
)
def test_what_cannot_be_done_is_explained(
    alice: User, bob: User, name: str, form: dict[str, str], words: str
) -> None:
    window = window_of(alice)
    assert window.post(f"/players/{name}/contact/", form).status == 302
    assert words in window.get("/buddies/").text


def test_guests_are_asked_to_sign_in(alice: User) -> None:
    for path in ("/buddies/", "/blocked/"):
        assert window_of().get(path).location.startswith("/accounts/login/")
    assert window_of().post("/players/alice/contact/", {"do": "add"}).location.startswith("/accounts/login/")
    assert window_of().get("/players/alice/contact/").location == "/players/alice/"


def test_programs_keep_buddies(api: Api, alice: User, bob: User) -> None:
    as_alice = api.as_(alice)
    made = as_alice.put("/buddies/bob", {"note": "a rival"})
    assert (made.status_code, made.json()["note"]) == (200, "a rival")
    assert as_alice.put("/buddies/BOB", {}).json()["note"] == "a rival"
    (row,) = as_alice.get("/buddies").json()
    assert (row["username"], row["note"], row["here"]) == ("bob", "a rival", False)
    assert api.as_(bob).get("/buddies").json() == []
    assert as_alice.delete("/buddies/bob").status_code == 204
    assert as_alice.get("/buddies").json() == []


def test_programs_block_people(api: Api, alice: User, bob: User) -> None:
    as_alice = api.as_(alice)
    as_alice.put("/buddies/bob", {})
    assert as_alice.put("/ignored/bob", None).json()["username"] == "bob"
    assert [row["username"] for row in as_alice.get("/ignored").json()] == ["bob"]
    assert as_alice.get("/buddies").json() == []
    refused = as_alice.put("/buddies/bob", {})
    assert (refused.status_code, refused.json()["detail"]) == (
        409,
        "You have blocked bob. Unblock them first.",
    )
    assert as_alice.delete("/ignored/bob").status_code == 204
    assert as_alice.get("/ignored").json() == []


@pytest.mark.parametrize(
    ("name", "body", "status"),
    [
        ("nobody", {}, 404),
        ("alice", {}, 422),
        ("bob", {"note": "x" * 501}, 422),
        ("bob", {"note": 7}, 422),
        ("bob", {"notes": "x"}, 422),
        ("charlie", {}, 422),
    ],
)
def test_a_buddy_that_makes_no_sense_is_refused(
    api: Api, alice: User, bob: User, charlie: User, name: str, body: dict[str, object], status: int
) -> None:
    User.objects.filter(pk=charlie.pk).update(is_active=False)
    assert api.as_(alice).put(f"/buddies/{name}", body).status_code == status
    assert not selectors.buddies_of(alice).exists()


def many(count: int) -> list[User]:
    people = [User(username=f"m{n:03}", folded=f"m{n:03}", likeness=f"m{n:03}") for n in range(count)]
    return User.objects.bulk_create(people)


@pytest.mark.parametrize("path", ["/buddies/", "/blocked/"])
def test_a_long_list_of_people_has_pages_on_which_everybody_is(alice: User, path: str) -> None:
    people = many(60)
    if path == "/buddies/":
        Buddy.objects.bulk_create([Buddy(user=alice, buddy=one, created_at=NOW) for one in people])
        User.objects.filter(username="m059").update(last_seen_at=NOW)
    else:
        Ignored.objects.bulk_create([Ignored(user=alice, ignored=one, created_at=NOW) for one in people])
    window = window_of(alice)
    first, second = window.get(path), window.get(f"{path}?page=2")
    shown = [{one.username for one in people if one.username in page.text} for page in (first, second)]
    assert [len(names) for names in shown] == [50, 10]
    assert not shown[0] & shown[1]
    assert "?page=2" in first.html
    if path == "/buddies/":
        assert "1 buddy is online." in first.text
        assert "m059" in shown[0]


def test_programs_get_long_lists_of_people_in_parts(api: Api, alice: User) -> None:
    people = many(120)
    Buddy.objects.bulk_create([Buddy(user=alice, buddy=one, created_at=NOW) for one in people])
    Ignored.objects.bulk_create([Ignored(user=alice, ignored=one, created_at=NOW) for one in people])
    for path in ("/buddies", "/ignored"):
        parts = [api.as_(alice).get(path, offset=offset).json() for offset in (0, 100)]
        assert [len(part) for part in parts] == [100, 20]
        assert [row["username"] for part in parts for row in part] == [one.username for one in people]
        assert api.as_(alice).get(path, limit=101).status_code == 422


def test_a_buddy_is_stored_by_the_name_they_had(api: Api, alice: User, bob: User) -> None:
    with clock.stopped(NOW):
        closing.rename(user=bob, name="Robert", now=NOW)
        assert api.as_(alice).put("/buddies/bob", {}).json()["username"] == "Robert"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/buddies"),
        ("PUT", "/buddies/alice"),
        ("DELETE", "/buddies/alice"),
        ("GET", "/ignored"),
        ("PUT", "/ignored/alice"),
        ("DELETE", "/ignored/alice"),
        ("POST", "/friends"),
        ("GET", "/me/archives"),
        ("POST", "/me/archives"),
        ("GET", "/me/archives/x.zip"),
        ("POST", "/me/close"),
    ],
)
def test_guests_of_the_api_are_notified_to_sign_in(api: Api, alice: User, method: str, path: str) -> None:
    assert api.send(method, path, b"{}").status_code == 401
