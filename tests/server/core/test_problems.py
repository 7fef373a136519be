"""Problems: what programs and people read of a request that is refused."""

from __future__ import annotations

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import BadRequest, NotSignedIn, OutOfDate, Problem, TooMany, Unprocessable
from tests.server.conftest import Api


def test_programs_read_the_name_of_the_field_and_people_the_sentence_alone() -> None:
    problem = Unprocessable("Use 2 to 40 letters.", field="name")
    assert problem.document() == {
        "type": "urn:crownhead:problem:unprocessable",
        "title": "Invalid request",
        "status": 422,
        "detail": "name: Use 2 to 40 letters.",
        "field": "name",
    }
    assert str(problem) == "name: Use 2 to 40 letters."
    assert problem.message == "Use 2 to 40 letters."


def test_a_colon_in_a_sentence_makes_no_field() -> None:
    problem = BadRequest("Choose: black or white.")
    assert (problem.field, problem.message) == ("", "Choose: black or white.")
    assert "field" not in problem.document()


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (NotSignedIn("Wrong code.", field="code"), "Sign in first."),
        (OutOfDate("expected version 7", field="version"), str(OutOfDate.sentence)),
        (TooMany("Wait a little.", seconds=5, field="text"), "Wait a little."),
        (Unprocessable(field="name"), "Invalid request"),
    ],
)
def test_the_sentence_of_a_class_stands_before_the_text_and_its_title_is_the_last_resort(
    problem: Problem, message: str
) -> None:
    assert problem.message == message
    assert problem.detail == f"{problem.field}: {problem.text}"


@pytest.mark.django_db
def test_a_body_that_does_not_suit_its_schema_names_the_first_of_its_errors(api: Api) -> None:
    told = api.post("/accounts", {"username": 7, "password": "long enough"}).json()
    assert told["field"] == told["errors"][0]["where"]
    assert told["detail"].startswith(f"{told['field']}: {told['errors'][0]['what']}")


@pytest.mark.django_db
def test_a_query_of_more_parameters_than_any_is_a_bad_request(api: Api) -> None:
    answer = api.get("/games?" + "&".join(["status=playing"] * 501))
    assert answer.status_code == 400
    assert answer.json()["detail"] == "expected at most 500 parameters"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "media_type", ["application/x-www-form-urlencoded; charset=latin-1", "multipart/form-data"]
)
def test_a_form_that_cannot_be_read_is_a_bad_request_to_the_api(alice: User, media_type: str) -> None:
    member = Client(enforce_csrf_checks=True, raise_request_exception=False)
    member.force_login(alice)
    member.cookies["csrftoken"] = "a" * 32
    answer = member.post("/api/v1/me/archives", b"a=b", content_type=media_type)
    assert answer.status_code == 400
    assert answer.json()["type"] == "urn:crownhead:problem:bad-request"


@pytest.mark.django_db
def test_a_value_that_a_service_refuses_is_named_too(api: Api) -> None:
    told = api.get("/games?result=won").json()
    assert told["field"] == "result"
    assert told["detail"] == "result: You can only look for wins and losses among your own games."
