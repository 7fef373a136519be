"""Answers are compressed with a padding that hides their length, and carry the policy of the site."""

from __future__ import annotations

import gzip
import secrets
from collections.abc import Iterator

import brotli  # type: ignore[import-untyped]
import pytest
from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
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


def test_a_page_is_sent_by_brotli_with_varying_length_to_who_reads_it() -> None:
    page = b"".join(b"<p>%d: a page of many words</p>" % number for number in range(500))
    answers = [answered(page, accepts="gzip, deflate, br, zstd") for _time in range(20)]
    assert {brotli.decompress(answer.content) for answer in answers} == {page}
    assert len({len(answer.content) for answer in answers}) > 1
    assert max(len(answer.content) for answer in answers) < len(answered(page).content)
    for answer in answers:
        assert answer.headers["Content-Encoding"] == "br"
        assert answer.headers["Content-Length"] == str(len(answer.content))
        assert answer.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize("length", range(101))
def test_a_padding_of_any_length_is_skipped_by_readers_of_brotli(
    length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "randbelow", lambda _most: 0)
    plain = answered(LONG * 10, accepts="br").content
    monkeypatch.setattr(secrets, "randbelow", lambda _most: length)
    padded = answered(LONG * 10, accepts="br").content
    assert brotli.decompress(padded) == LONG * 10
    assert len(padded) - len(plain) == (length + 2 if length else 0)


@pytest.mark.parametrize(("content", "accepts"), [(LONG, "br"), (b"short", "gzip"), (b"short", "br")])
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


def test_a_stream_of_text_is_compressed_piece_by_piece() -> None:
    made: list[bytes] = []

    def pieces() -> Iterator[bytes]:
        for number in range(4):
            made.append(b"%d, " % number + secrets.token_hex(20_000).encode())
            yield made[-1]

    def streamed(media_type: str) -> StreamingHttpResponse:
        request = RequestFactory().get("/", headers={"accept-encoding": "gzip, br"})
        answer = CompressionMiddleware(lambda _: StreamingHttpResponse(pieces(), content_type=media_type))(
            request
        )
        assert isinstance(answer, StreamingHttpResponse)
        return answer

    text = streamed("text/plain; charset=utf-8")
    assert not made
    content = iter(text)
    read = [next(content)]
    assert len(made) == 1
    assert gzip.decompress(b"".join([*read, *content])) == b"".join(made)
    assert (text.headers["Content-Encoding"], text.headers["Vary"]) == ("gzip", "Accept-Encoding")
    made.clear()
    archive = streamed("application/zip")
    assert archive.getvalue() == b"".join(made)
    assert "Content-Encoding" not in archive.headers
