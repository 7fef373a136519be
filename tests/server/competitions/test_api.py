"""The API of tournaments: a whole tournament by program, its director included."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs
from crownhead.server.competitions.models import Tournament
from tests.server.competitions.factories import (
    enter_players,
    fresh,
    make_running_tournament,
    make_tournament,
    open_rows,
)
from tests.server.conftest import Api, make_user
from tests.server.play.factories import NOW, api_of, slug

pytestmark = pytest.mark.django_db

CUP: dict[str, Any] = {
    "name": "API cup",
    "variant": "pro",
    "days_per_move": 2,
    "format": "round-robin",
    "options": {"games": 2},
    "max_players": 3,
    "prizes": ["Gold"],
}


def ok(answer: Any, status: int = 200) -> Any:
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else None


def put(api: Api, path: str, body: Any = None) -> Any:

    return api.send("PUT", path, b"" if body is None else json.dumps(body).encode())


def test_a_list_of_tournaments_with_long_texts_ends_earlier_and_goes_on(
    alice: User, bob: User, api: Api
) -> None:
    made = [make_tournament(alice, name=f"Cup {number}") for number in range(9)]
    made += [make_tournament(bob, name=f"Cup {number}") for number in range(9, 11)]
    Tournament.objects.update(about="水" * 5000)
    first = ok(api.get("/tournaments", limit="100"))
    following = ok(api.get("/tournaments", limit="100", cursor=first["next"]))
    names = [row["name"] for row in (*first["items"], *following["items"])]
    assert (len(first["items"]), following["next"]) == (10, None)
    assert names == [row.name for row in reversed(made)]


def test_a_tournament_by_program_from_start_to_end(alice: User, bob: User, charlie: User, api: Api) -> None:
    keys = [made["key"] for made in ok(api.get("/tournament-formats"))]
    assert "round-robin" in keys
    made = ok(api_of(alice).post("/tournaments", CUP), 201)
    path = f"/tournaments/{made['id']}"
    assert made["options"] == {"games": 2}
    assert made["status"] == "entry"
    for user in (alice, bob, charlie):
        assert ok(api_of(user).post(f"{path}/enter"))["username"] == user.username
    jobs.advance_due(NOW)
    assert ok(api.get(path))["status"] == "running"
    while rows := open_rows(Tournament.objects.get()):
        judge = make_judge()
        answer = api_of(judge).post(
            f"{path}/games/{rows[0].game_id}/adjudicate", {"result": "draw", "reason": "So it is."}
        )
        ok(answer, 204)
        jobs.advance_due(NOW)
    assert ok(api.get(path))["status"] == "finished"
    (table,) = ok(api.get(f"{path}/tables"))
    assert [row["points"] for row in table["rows"]] == [2, 2, 2]
    assert table["tie_breaks"][0]["name"]
    made = ok(api.get(f"{path}/rounds/1"))
    assert [len(pairing["games"]) for pairing in made["pairings"]] == [2, 0]
    assert ok(api.get(f"{path}/log"))["items"][0]["verb"] == "adjudicated"
    assert len(ok(api.get(f"{path}/players"))["items"]) == 3
    assert ok(api.get("/players/alice/trophies"))[0]["name"] == "Gold"
    assert ok(api.get("/tournaments", status="finished"))["items"][0]["name"] == "API cup"


def make_judge() -> User:
    return User.objects.filter(username="judge").first() or make_user("judge", is_staff=True)


@pytest.mark.parametrize(
    ("changes", "status", "name"),
    [
        ({"format": "chess"}, 422, "format"),
        ({"options": {"games": 3}}, 422, "games"),
        ({"options": {"colour": 1}}, 422, "colour"),
        ({"variant": "chess"}, 422, "variant"),
        ({"max_players": 2}, 422, "max_players"),
        ({"start": "date"}, 422, "starts_at"),
        ({"start": "date", "starts_at": "2026-03-02T12:00:00"}, 422, "starts_at"),
        ({"format": "arena", "options": {}}, 422, "pace"),
        ({"no_show_minutes": 10}, 422, "pace"),
        ({"late_rounds": 2}, 422, "late_rounds"),
        ({"entry": "team", "team": "nonesuch"}, 404, ""),
        ({"days_per_move": None}, 422, "days_per_move"),
    ],
)
def test_terms_that_make_no_sense_are_refused(
    alice: User, changes: dict[str, Any], status: int, name: str
) -> None:
    answer = api_of(alice).post("/tournaments", CUP | changes)
    assert answer.status_code == status
    assert slug(answer) in {"unprocessable", "not-found"}
    assert name in answer.json()["detail"]


@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        ({"format": "chess"}, "format: Choose one of sections, "),
        ({"options": {"games": 3}}, "games: Enter a whole number from 1 to 2."),
        ({"options": {"at_once": 1}}, "at_once: Choose true or false."),
        ({"options": {"seeding": "age"}}, "seeding: Choose one of rating, lot, not 'age'."),
        ({"options": {"tie_breaks": "wins,luck"}}, "tie_breaks: Choose one of direct, "),
        ({"options": {"colour": 1}}, "colour: Round robin has no such option."),
    ],
)
def test_a_wrong_option_is_explained_in_a_sentence(alice: User, changes: dict[str, Any], detail: str) -> None:
    answer = api_of(alice).post("/tournaments", CUP | changes)
    assert answer.json()["detail"].startswith(detail)


def test_guests_read_and_do_nothing(alice: User, api: Api) -> None:
    tournament = make_tournament(alice)
    path = f"/tournaments/{tournament.public_id}"
    for part in ("", "/players", "/tables", "/log"):
        ok(api.get(f"{path}{part}"))
    assert api.get(f"{path}/rounds/1").status_code == 404
    assert api.get("/tournaments/nonesuch").status_code == 404
    assert api.post(f"{path}/enter").status_code == 401
    assert api.post("/tournaments", CUP).status_code == 401


def test_directors_have_every_tool(alice: User, bob: User, charlie: User) -> None:
    tournament = make_tournament(alice, format="swiss", max_players=9, held_rounds=True)
    users = enter_players(tournament, 4)
    api, path = api_of(alice), f"/tournaments/{tournament.public_id}"
    names = [user.username for user in users]
    ok(put(api, f"{path}/seeds", {"usernames": names[::-1]}), 204)
    ok(put(api, f"{path}/directors", {"usernames": ["bob"]}), 204)
    ok(api_of(bob).post(f"{path}/directing", {"agreed": True}), 204)
    ok(api.post(f"{path}/invitations", {"usernames": ["bob"]}), 204)
    ok(api_of(bob).post(f"{path}/enter"))
    ok(api.post(f"{path}/players/bob/expel", {"reason": "They asked for it."}), 204)
    ok(api.post(f"{path}/start"), 204)
    jobs.advance_due(NOW)
    pairs = [[names[0], names[1]], [names[2], names[3]]]
    ok(put(api, f"{path}/pairs", {"pairs": pairs, "reason": "Friends meet."}), 204)
    ok(api.post(f"{path}/release"), 204)
    jobs.advance_due(NOW)
    body = ok(api.get(f"{path}/rounds/1"))["pairings"]
    assert [[row["first"], row["second"]] for row in body] == pairs
    until = (NOW + timedelta(days=3)).isoformat()
    table = f"{path}/rounds/1/tables/1"
    ok(api.post(f"{table}/adjourn", {"until": until, "reason": "A storm."}), 204)
    ok(api.post(f"{table}/adjourn", {"until": None, "reason": "It has passed."}), 204)
    ok(api.post(f"{table}/forfeit", {"loser": names[1], "reason": "Did not come."}), 204)
    game = ok(api.get(f"{path}/rounds/1"))["pairings"][1]["games"][0]["id"]
    ok(api.post(f"{path}/games/{game}/annul", {"reason": "A fault."}), 204)
    ok(api.post(f"{path}/players/{names[2]}/replace", {"substitute": "charlie", "reason": "Ill."}), 204)
    ok(api.post(f"{path}/close", {"reason": "Enough."}), 204)
    verbs = [row["verb"] for row in ok(api.get(f"{path}/log"))["items"]]
    assert verbs == [
        "closed",
        "invited",
        "annulled",
        "forfeited",
        "resumed",
        "adjourned",
        "released",
        "paired",
        "started",
        "removed",
        "invited",
        "directors",
        "seeded",
    ]


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
def test_no_deadline_is_at_the_edge_of_the_calendar(alice: User, moment: str) -> None:
    path = f"/tournaments/{make_tournament(alice).public_id}"
    answer = api_of(alice).post(f"{path}/extend", {"until": moment, "reason": "Later."})
    assert answer.status_code == 422


def test_programs_read_why_a_tournament_was_cancelled_apart_from_what_one_waits_for(alice: User) -> None:
    api, path = api_of(alice), f"/tournaments/{make_tournament(alice).public_id}"
    assert ok(api.get(path))["cancel_reason"] == ""
    ok(api.post(f"{path}/cancel", {"reason": "No hall."}), 204)
    found = ok(api.get(path))
    assert (found["cancel_reason"], found["waiting_for"]) == ("No hall.", "")


def test_only_directors_direct(alice: User, bob: User) -> None:
    tournament, users = make_running_tournament(alice, 4)
    path = f"/tournaments/{tournament.public_id}"
    why = {"reason": "Because."}
    acts: list[tuple[str, Any]] = [
        ("/start", None),
        ("/cancel", why),
        ("/close", why),
        ("/extend", why | {"until": "2026-03-05T12:00:00Z"}),
        ("/invitations", {"usernames": ["alice"]}),
        (f"/players/{users[0].username}/expel", why),
        (f"/players/{users[0].username}/replace", why | {"substitute": "bob"}),
        ("/release", None),
        ("/rounds/1/tables/1/adjourn", why | {"until": None}),
        ("/rounds/1/tables/1/forfeit", why | {"loser": "both"}),
        (f"/games/{open_rows(tournament)[0].game_id}/adjudicate", why | {"result": "draw"}),
        (f"/games/{open_rows(tournament)[0].game_id}/annul", why),
    ]
    for act, body in acts:
        answer = api_of(bob).post(f"{path}{act}", body)
        assert answer.status_code == 403, (act, answer.content)
    for act, body in (("/seeds", {"usernames": []}), ("/directors", {"usernames": []})):
        assert put(api_of(bob), f"{path}{act}", body).status_code == 403
    pairs = {"pairs": [[users[0].username, users[1].username]]} | why
    assert put(api_of(bob), f"{path}/pairs", pairs).status_code == 403
    assert api_of(bob).get(f"{path}/invitations").status_code == 403
    assert api_of(bob).delete(f"{path}/invitations/alice").status_code == 403
    assert fresh(tournament).status == "running"
