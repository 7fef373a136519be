"""The API of teams and of their matches."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.teams import services
from crownhead.server.teams.models import Team
from tests.server.conftest import Api, make_user
from tests.server.play.factories import NOW, api_of, slug
from tests.server.tasks import run_tasks
from tests.server.teams.factories import make_team, make_team_of

pytestmark = pytest.mark.django_db


def ok(answer: Any, status: int = 200) -> Any:
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else None


def test_a_team_by_program(alice: User, bob: User, charlie: User, api: Api) -> None:
    made = ok(api_of(alice).post("/teams", {"name": "Blue Dogs", "joining": "ask"}), 201)
    path = f"/teams/{made['id']}"
    assert ok(api.get(path))["captain"] == {"username": "alice"}
    assert ok(api_of(bob).post(f"{path}/join", {"message": "May I?"})) == {"member": False}
    assert ok(api_of(alice).get(f"{path}/requests"))[0]["message"] == "May I?"
    ok(api_of(alice).post(f"{path}/requests/bob/accept"), 204)
    ok(api_of(alice).post(f"{path}/invitations", {"username": "charlie"}), 204)
    ok(api_of(charlie).post(f"{path}/decline"), 204)
    assert [row["username"] for row in ok(api.get(f"{path}/members"))["items"]] == ["alice", "bob"]
    post = ok(api_of(bob).post(f"{path}/posts", {"text": "Hello"}), 201)
    assert ok(api_of(alice).get(f"{path}/posts"))["items"][0]["text"] == "Hello"
    assert api_of(charlie).get(f"{path}/posts").status_code == 403
    ok(api_of(alice).delete(f"{path}/posts/{post['id']}"), 204)
    body = json.dumps({"username": "bob"}).encode()
    assert ok(api_of(alice).send("PUT", f"{path}/captain", body))["captain"] == {"username": "alice"}
    assert ok(api_of(bob).post(f"{path}/captain", {"agreed": True}))["captain"] == {"username": "bob"}
    ok(api_of(alice).post(f"{path}/leave"), 204)
    body = json.dumps({"name": "Red Dogs", "joining": "open"}).encode()
    assert ok(api_of(bob).send("PUT", path, body))["name"] == "Red Dogs"
    assert [row["name"] for row in ok(api_of(bob).get("/teams", mine="1"))["items"]] == ["Red Dogs"]
    assert [row["name"] for row in ok(api.get("/teams", name="red"))["items"]] == ["Red Dogs"]
    ok(api_of(charlie).post(f"{path}/join", {}))
    ok(api_of(bob).delete(f"{path}/members/charlie"), 204)
    ok(api_of(bob).delete(path), 204)
    assert ok(api.get(path))["disbanded_at"] is not None


def test_lists_of_long_texts_end_earlier_and_go_on(api: Api) -> None:
    teams = [make_team(make_user(f"captain{number}"), f"Team {number}") for number in range(11)]
    Team.objects.update(about="水" * 5000)
    first = ok(api.get("/teams", limit="100"))
    following = ok(api.get("/teams", limit="100", cursor=first["next"]))
    assert (len(first["items"]), len(following["items"]), following["next"]) == (10, 1, None)
    for _number in range(13):
        services.write(user=teams[0].captain, team_id=teams[0].public_id, text="水" * 4000, now=NOW)
    path, captain = f"/teams/{teams[0].public_id}/posts", api_of(teams[0].captain)
    first = ok(captain.get(path, limit="100"))
    following = ok(captain.get(path, limit="100", cursor=first["next"]))
    assert (len(first["items"]), len(following["items"]), following["next"]) == (12, 1, None)


def test_refusals_tell_what_is_wrong(alice: User, bob: User) -> None:
    made = ok(api_of(alice).post("/teams", {"name": "Blue Dogs"}), 201)
    path = f"/teams/{made['id']}"
    assert slug(api_of(bob).post("/teams", {"name": "blue dogs"})) == "conflict"
    assert slug(api_of(bob).post("/teams", {"name": "x"})) == "unprocessable"
    assert slug(api_of(bob).delete(path)) == "forbidden"
    assert slug(api_of(bob).get(f"{path}/requests")) == "forbidden"
    assert slug(api_of(alice).post(f"{path}/requests/bob/accept")) == "not-found"
    assert slug(Api().post(f"{path}/join", {})) == "not-signed-in"
    assert slug(Api().get("/teams/nonesuch")) == "not-found"


def test_a_match_by_program(api: Api) -> None:
    home, ours = make_team_of("dogs", 2)
    away, theirs = make_team_of("cats", 2)
    body = {"home": home.public_id, "variant": "pro", "days_per_move": 2, "boards": 2, "games_each": 2}
    made = ok(api_of(ours[0]).post(f"/teams/{away.public_id}/matches", body), 201)
    path = f"/team-matches/{made['id']}"
    assert api_of(ours[0]).post(f"{path}/accept").status_code == 403
    assert ok(api_of(theirs[0]).post(f"{path}/accept"))["status"] == "lining_up"
    for users in (ours, theirs):
        assert api_of(users[1]).send("PUT", f"{path}/availability", b'{"available": true}').status_code == 204
        assert ok(api_of(users[0]).get(f"{path}/availability")) == [users[1].username]
        line_up = json.dumps({"players": [user.username for user in users]}).encode()
        match = ok(api_of(users[0]).send("PUT", f"{path}/line-up", line_up))
    assert match["status"] == "playing"
    run_tasks("default")
    match = ok(api.get(path))
    assert [len(table["games"]) for table in match["tables"]] == [2, 2]
    assert [row["id"] for row in ok(api.get(f"/teams/{home.public_id}/matches"))] == [made["id"]]
    again = ok(api_of(ours[0]).post(f"/teams/{away.public_id}/matches", body), 201)
    assert ok(api_of(theirs[0]).post(f"/team-matches/{again['id']}/decline"))["status"] == "declined"
    third = ok(api_of(ours[0]).post(f"/teams/{away.public_id}/matches", body), 201)
    assert ok(api_of(ours[0]).post(f"/team-matches/{third['id']}/withdraw"))["status"] == "withdrawn"
