"""The body of an API request is bounded before anything looks at what it says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.core.api.body import read_json
from crownhead.server.core.problems import BadRequest


@pytest.mark.parametrize(
    "value",
    [
        [[]] * 5_000,
        {f"name {number}": 1 for number in range(2_500)},
        {"moves": ["11-15"] * 5_000},
        [[[[]] * 70] * 70],
    ],
)
def test_a_body_with_thousands_of_values_is_refused(value: Any) -> None:
    with pytest.raises(BadRequest, match="more than 4000 values"):
        read_json(json.dumps(value).encode())


def test_a_body_as_large_as_any_endpoint_needs_is_read() -> None:
    pairs = [["x" * 20, "y" * 20]] * 500
    assert read_json(json.dumps({"pairs": pairs}).encode()) == {"pairs": pairs}


@pytest.mark.parametrize("text", ["[" * 22 + "]" * 22, '{"a":' * 21 + "1" + "}" * 21])
def test_a_body_that_is_nested_too_deeply_is_refused(text: str) -> None:
    with pytest.raises(BadRequest, match="nested too deeply"):
        read_json(text.encode())


@pytest.mark.parametrize("value", [{"name\0": 1}, {"name": ["\ud800"]}, "\0"])
def test_text_that_no_database_stores_is_refused_wherever_it_stands(value: Any) -> None:
    with pytest.raises(BadRequest, match="NUL or an unpaired surrogate"):
        read_json(json.dumps(value).encode())


@pytest.mark.django_db
def test_a_long_body_is_too_large_and_the_errors_of_a_short_one_are_few(client: Client, alice: User) -> None:
    def answer(count: int) -> Any:
        body = json.dumps({f"field {number}": 1 for number in range(count)})
        return client.post("/api/v1/games", body, content_type="application/json")

    client.force_login(alice)
    assert answer(15_000).status_code == 413

    refused = answer(1_000)

    assert refused.status_code == 422
    assert len(refused.json()["errors"]) == 20
    assert "more)" in refused.json()["detail"]
    assert len(refused.content) < 5_000


@pytest.mark.django_db
def test_a_form_is_no_body_of_the_api_for_strangers_and_members(alice: User) -> None:
    stranger, member = (Client(enforce_csrf_checks=True, raise_request_exception=False) for _ in range(2))
    member.force_login(alice)
    member.cookies["csrftoken"] = token = "a" * 32

    def status(client: Client, path: str) -> int:
        return client.post(path, {"name": "x"}, headers={"X-CSRFToken": token}).status_code

    assert status(stranger, "/api/v1/tokens") == 415
    assert status(member, "/api/v1/games") == 415
