"""The OpenAPI document: it is well formed, every name in it is unique, and what it says is so."""

from __future__ import annotations

import json
import re
from collections import Counter
from enum import Enum
from typing import Any, get_args

import pytest
from django.test import Client
from pydantic import BaseModel

from crownhead import Position
from crownhead.server.accounts.models import User
from crownhead.server.config.api import api as the_api
from crownhead.server.config.openapi import Document
from crownhead.server.core import clock
from crownhead.server.people.services import data_export
from tests.server.conftest import Api
from tests.server.contract import document, media_type, operations, resolved

OPERATIONS = operations()
NAMES = [operation["operationId"] for _method, _path, operation in OPERATIONS]
VIEWS = [row for row in OPERATIONS if row[1] != "/api/v1/events"]  # the stream is no view: tests/server/live


def parts(value: Any) -> list[dict[str, Any]]:
    """Every object of a document."""
    if isinstance(value, list):
        return [part for entry in value for part in parts(entry)]
    if isinstance(value, dict):
        return [value, *(part for entry in value.values() for part in parts(entry))]
    return []


def classes(annotation: Any, seen: set[type]) -> set[type]:
    """The classes that become schemas: models and enumerations, within one another too."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel | Enum) and annotation not in seen:
        seen.add(annotation)
        for field in getattr(annotation, "model_fields", {}).values():
            classes(field.annotation, seen)
    for argument in get_args(annotation):
        classes(argument, seen)
    return seen


def schema_classes() -> set[type]:
    """The classes of all bodies, parameters and answers, but for those that the framework wraps them in."""
    found: set[type] = set()
    for router in the_api._get_bound_routers():  # noqa: SLF001 - what the framework's own document is made of
        for view in router.path_operations.values():
            for operation in view.operations:
                for model in [*operation.models, *operation.response_models.values()]:
                    for field in getattr(model, "model_fields", {}).values():
                        classes(field.annotation, found)
    return found


def test_the_document_is_open_api_3_1(api: Api) -> None:
    answer = api.get("/openapi.json")
    assert media_type(answer) == "application/json"
    read = answer.json()
    assert read == document()
    assert read["openapi"] == "3.1.0"
    assert set(read) == {"openapi", "info", "paths", "components", "servers", "tags"}
    assert {"title", "version", "description"} <= set(read["info"])


def test_every_reference_leads_somewhere() -> None:
    references = {part["$ref"] for part in parts(document()) if isinstance(part.get("$ref"), str)}
    assert "#/components/schemas/GameOut" in references
    for reference in references:
        assert resolved({"$ref": reference}), reference


def test_no_two_classes_share_the_name_of_a_schema() -> None:
    found = schema_classes()
    assert len(found) > 100
    names = Counter(made.__name__ for made in found)
    shared = [f"{made.__module__}.{made.__name__}" for made in found if names[made.__name__] > 1]
    assert sorted(shared) == []


def test_a_schema_reads_the_same_wherever_it_is_used() -> None:
    read: dict[str, set[str]] = {}

    class Collecting(Document):
        def add_schema_definitions(self, definitions: dict[str, Any]) -> None:
            for name, definition in definitions.items():
                read.setdefault(name, set()).add(json.dumps(definition, sort_keys=True))
            super().add_schema_definitions(definitions)

    Collecting(the_api, "/api/v1/")
    assert [name for name, texts in read.items() if len(texts) > 1] == []


def test_every_class_is_in_the_document_under_its_name() -> None:
    schemas = document()["components"]["schemas"]
    as_parameters = {"Filters"}  # its fields are parameters of their own
    missing = {made.__name__ for made in schema_classes()} - set(schemas) - as_parameters
    assert missing == set()
    assert [name for name in schemas if not re.fullmatch(r"[A-Z][A-Za-z0-9]+", name)] == []


def test_every_schema_says_what_it_is() -> None:
    silent = [
        name
        for name, schema in document()["components"]["schemas"].items()
        if not str(schema.get("description", "")).endswith(".")
    ]
    assert silent == []


def test_operations_have_readable_names_of_their_own() -> None:
    assert [name for name, times in Counter(NAMES).items() if times > 1] == []
    assert [name for name in NAMES if not re.fullmatch(r"[a-z]+(_[a-z]+)*", name)] == []


def test_every_operation_is_described() -> None:
    for method, path, operation in OPERATIONS:
        place = f"{method} {path}"
        assert operation["summary"][0].isupper(), place
        assert not operation["summary"].endswith("."), place
        assert operation["description"].endswith("."), place
        assert len(operation["tags"]) == 1, place
        assert method != "GET" or "requestBody" not in operation, place


def test_every_parameter_is_described() -> None:
    for method, path, operation in OPERATIONS:
        for parameter in operation["parameters"]:
            place = f"{method} {path} {parameter['name']}"
            assert parameter["in"] in {"path", "query", "header"}, place
            assert parameter["description"].endswith("."), place
        in_path = {one["name"] for one in operation["parameters"] if one["in"] == "path" and one["required"]}
        assert in_path == set(re.findall(r"{(\w+)}", path)), f"{method} {path}"


def test_every_operation_declares_its_answers() -> None:
    for method, path, operation in OPERATIONS:
        assert any(status.startswith("2") for status in operation["responses"]), f"{method} {path}"
        assert {"429", "default"} <= set(operation["responses"]), f"{method} {path}"
        for status, declared in operation["responses"].items():
            answer = resolved(declared)
            assert answer["description"], f"{method} {path} {status}"
            if not status.startswith("2"):
                assert set(answer["content"]) == {"application/problem+json"}, f"{method} {path} {status}"


def test_every_tag_is_described_and_used() -> None:
    declared = {tag["name"]: tag["description"] for tag in document()["tags"]}
    assert all(text.endswith(".") for text in declared.values())
    assert set(declared) == {tag for _method, _path, operation in OPERATIONS for tag in operation["tags"]}


def test_descriptions_are_written_for_everybody() -> None:
    texts = [part["description"] for part in parts(document()) if isinstance(part.get("description"), str)]
    assert [text for text in texts if re.search(r"\b(he|his|him|she|her|one's)\b", text)] == []


@pytest.mark.django_db
def test_an_operation_is_open_to_guests_if_it_says_so(client: Client) -> None:
    for method, path, operation in VIEWS:
        numbers = {one["name"] for one in operation["parameters"] if one["schema"].get("type") == "integer"}
        address = path
        for name in re.findall(r"{(\w+)}", path):
            address = address.replace(f"{{{name}}}", "1" if name in numbers else "nothing")
        answer = client.generic(method, address, b"" if method == "GET" else b"{}", "application/json")
        place, security = f"{method} {path}", operation["security"]
        is_open = security == [] or {} in security
        assert is_open or [set(way) for way in security] == [{"Bearer"}, {"Session"}], place
        assert (answer.status_code != 401) == is_open, place
        assert media_type(answer) in resolved(operation["responses"][str(answer.status_code)])["content"], (
            place
        )


@pytest.mark.django_db
def test_what_is_sent_is_of_the_media_type_that_is_declared(api: Api, alice: User, bob: User) -> None:
    as_alice = api.as_(alice)
    made = as_alice.post("/games", {"variant": "american", "colour": "first", "days_per_move": 3}).json()
    game = f"/games/{made['id']}"
    as_bob = api.as_(bob)
    as_bob.post(f"/waiting-room/{made['id']}/join")
    as_bob.post(f"{game}/resign")
    archive = data_export.ask(user=alice, now=clock.now())
    data_export.make(archive_id=archive.pk, now=clock.now())
    answers = {
        "/games.pdn": as_alice.get("/games.pdn"),
        "/games/{game_id}": api.get(game),
        **{f"/games/{{game_id}}.{kind}": api.get(f"{game}.{kind}") for kind in ("pdn", "fen", "svg", "png")},
        "/variants/{variant}/openings": api.get("/variants/american/openings"),
        "/variants/{variant}/weights": api.get("/variants/american/weights"),
        "/me/archives/{archive_id}.zip": as_alice.get(f"/me/archives/{archive.public_id}.zip"),
    }
    sent = set()
    for path, answer in answers.items():
        assert answer.status_code == 200, path
        declared = document()["paths"][f"/api/v1{path}"]["get"]["responses"]["200"]["content"]
        assert set(declared) == {media_type(answer)}, path
        sent |= set(declared)
    assert answers["/games/{game_id}.fen"].content.decode().strip() == Position.start("american").fen()
    declared_anywhere = {
        media
        for _method, _path, operation in VIEWS
        for status, answer in operation["responses"].items()
        if status.startswith("2")
        for media in answer.get("content", ())
    }
    assert sent == declared_anywhere
