"""Answers are compressed with a padding that hides their length, and carry the policy of the site."""

from __future__ import annotations

import gzip

import pytest
from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.test import RequestFactory
from pytest_django import Settings

from crownhead.server.core.middleware import CompressionMiddleware, PolicyMiddleware

LONG = b"a page of many words " * 100


def answered(content: bytes, *, accepts: str = "gzip") -> HttpResponse:
    request = RequestFactory().get("/", headers={"accept-encoding": accepts})
    answer = CompressionMiddleware(lambda _request: HttpResponse(content))(request)
    assert isinstance(answer, HttpResponse)
    return answer


def test_a_long_answer_is_a_gzip_file_of_varying_length() -> None:
    answers = [answered(LONG) for _time in range(20)]
    assert {gzip.decompress(answer.content) for answer in answers} == {LONG}
    assert len({len(answer.content) for answer in answers}) > 1
    for answer in answers:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert answer.headers["Content-Length"] == str(len(answer.content))
        assert len(answer.content) < len(LONG)


@pytest.mark.parametrize(("content", "accepts"), [(LONG, "br"), (b"short", "gzip")])
def test_others_stay_as_they_are(content: bytes, accepts: str) -> None:
    answer = answered(content, accepts=accepts)
    assert answer.content == content
    assert "Content-Encoding" not in answer.headers


def policy_of(answer: HttpResponseBase) -> str:
    answered = PolicyMiddleware(lambda _request: answer)(RequestFactory().get("/"))
    assert isinstance(answered, HttpResponse)
    return str(answered.headers["Content-Security-Policy"])


def test_the_policy_follows_the_settings_and_a_view_of_its_own(settings: Settings) -> None:
    @csp_update({"img-src": ["https://pictures.example"]})
    def view(_request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    usual = policy_of(HttpResponse())
    assert "default-src 'none'" in usual
    assert policy_of(HttpResponse()) == usual
    assert "https://pictures.example" in policy_of(view(RequestFactory().get("/")))
    assert policy_of(HttpResponse(headers={"Content-Security-Policy": "default-src *"})) == "default-src *"
    settings.CONTENT_SECURITY_POLICY = {"DIRECTIVES": {"default-src": ["'self'"]}}
    assert policy_of(HttpResponse()) == "default-src 'self'"
