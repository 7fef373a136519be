"""Whatever bytes come to an endpoint of games: a problem document below 500, and nothing changed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.http import HttpResponse
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from crownhead.server.accounts.models import User
from crownhead.server.live.models import Outbox
from crownhead.server.play.models import Game
from tests.server.play.factories import api_of, make_game, make_offer, slug

pytestmark = pytest.mark.django_db
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=10**18, max_value=10**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=6,
)
TERMS = {"variant": "american", "colour": "first", "days_per_move": 3}
TERM_NAMES = [*TERMS, "draw_rules", "opening", "rated", "opponent", "games", "clock", "first_move", "x"]
MOVE = {"move": "11-15", "version": 0}
ACTS = ["draw-offer/accept", "draw-offer/decline", "draw-claim", "nothing"]


def _everything() -> list[Any]:
    return [*Game.objects.order_by("id").values(), Outbox.objects.count()]


def _expect_a_refusal(answer: HttpResponse, before: list[Any]) -> None:
    assert 400 <= answer.status_code < 500, answer.content
    assert slug(answer)
    assert _everything() == before


@quick
@given(body=st.binary(max_size=80))
@example(body=b"[" * 10_000)
@example(body=b'{"move": "\\ud800", "version": 0}')
@example(body=b'{"move": "11-15", "version": 1e999}')
@example(body=b'{"move": "11-15", "move": "11-16"}')
@example(body=b'{"version": ' + b"9" * 5000 + b"}")
def test_bytes_that_are_no_body_are_refused_everywhere(alice: User, bob: User, body: bytes) -> None:
    game = Game.objects.first() or make_game(alice, bob)
    before, door = _everything(), api_of(alice)
    for path in ("/games", f"/games/{game.public_id}/moves"):
        _expect_a_refusal(door.send("POST", path, body), before)


@quick
@given(body=VALUES)
def test_json_of_any_other_shape_is_refused_everywhere(alice: User, bob: User, body: Any) -> None:
    game = Game.objects.first() or make_game(alice, bob)
    before, door = _everything(), api_of(alice)
    for path in ("/games", f"/games/{game.public_id}/moves"):
        _expect_a_refusal(door.post(path, [body] if body is None else body), before)


@quick
@given(name=st.sampled_from(["move", "version", "x"]), value=VALUES)
def test_one_wrong_member_spoils_a_move(alice: User, bob: User, name: str, value: Any) -> None:
    game = Game.objects.first() or make_game(alice, bob)
    if MOVE.get(name) == value and type(MOVE.get(name)) is type(value):
        return
    before = _everything()
    answer = api_of(alice).post(f"/games/{game.public_id}/moves", MOVE | {name: value})
    _expect_a_refusal(answer, before)


@quick
@given(name=st.sampled_from(TERM_NAMES), value=VALUES)
def test_a_game_is_made_of_good_terms_or_not_at_all(alice: User, name: str, value: Any) -> None:
    before = _everything()
    answer = api_of(alice).post("/games", TERMS | {name: value})
    if answer.status_code == 201:
        terms = json.loads(answer.content)
        assert terms["days_per_move"] in range(1, 15)
        Game.objects.all().delete()
    else:
        _expect_a_refusal(answer, before)


@quick
@given(name=st.text(min_size=1, max_size=30).filter(lambda text: not {"/", "?", "#", "%"} & set(text)))
@example(name="..")
@example(name="\0")
@example(name="é" * 12)
def test_a_name_that_is_no_games_is_refused_by_every_endpoint(alice: User, name: str) -> None:
    before, door = _everything(), api_of(alice)
    for answer in (
        door.get(f"/games/{name}"),
        door.get(f"/games/{name}.pdn"),
        door.post(f"/games/{name}/moves", MOVE),
        *(door.post(f"/games/{name}/{act}") for act in (*ACTS, "draw-offer", "resign")),
        door.post(f"/waiting-room/{name}/join"),
        door.delete(f"/waiting-room/{name}"),
    ):
        _expect_a_refusal(answer, before)


def test_acts_that_do_not_apply_change_nothing(alice: User, bob: User, charlie: User) -> None:
    game, waiting = make_game(alice, bob), make_offer(alice)
    before = _everything()
    for user in (alice, charlie, None):
        for act in ACTS:
            _expect_a_refusal(api_of(user).post(f"/games/{game.public_id}/{act}"), before)
    for act in (*ACTS, "draw-offer", "resign"):
        for user in (alice, bob, None):
            _expect_a_refusal(api_of(user).post(f"/games/{waiting.public_id}/{act}"), before)


def test_a_method_an_endpoint_does_not_know_is_refused(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    before = _everything()
    for method, path in (
        ("PUT", f"/games/{game.public_id}"),
        ("DELETE", f"/games/{game.public_id}"),
        ("GET", f"/games/{game.public_id}/moves"),
        ("PATCH", "/games"),
        ("POST", "/variants"),
        ("POST", "/waiting-room"),
        ("GET", f"/waiting-room/{game.public_id}/join"),
    ):
        answer = api_of(alice).send(method, path, b"")
        assert answer.status_code == 405, (method, path)
        _expect_a_refusal(answer, before)


def test_a_body_of_another_kind_is_refused(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    before = _everything()
    answer = api_of(alice).send(
        "POST", f"/games/{game.public_id}/moves", b"move=11-15&version=0", content_type="text/plain"
    )
    assert answer.status_code == 415
    _expect_a_refusal(answer, before)
