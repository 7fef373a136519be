"""Files that are sent: many clients at once share the memory of one, and each gets it in slices."""

from __future__ import annotations

import gc
import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from crownhead.server.config import bridge, shared_files
from crownhead.server.config.bridge import Environ
from crownhead.server.config.shared_files import SentFile
from crownhead.server.config.wsgi import application
from tests.server.config.test_bridge import Exchange, body, run

STATIC = f"{settings.STATIC_URL}crownhead/wasm/crownhead.wasm"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A file of ten bytes."""
    path = tmp_path / "book"
    path.write_bytes(b"0123456789")
    return path


def test_a_file_is_sent_in_slices_that_are_no_copies(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "PIECE", 4)
    files: list[Any] = []

    def answer(environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", [])
        files.append(book.open("rb"))
        wrapped: Iterable[bytes] = environ["wsgi.file_wrapper"](files[-1], 4096)
        return wrapped

    exchange = Exchange(body())
    run(answer, exchange)
    assert [bytes(told["body"]) for told in exchange.told[1:]] == [b"0123", b"4567", b"89"]
    assert [told.get("more_body", False) for told in exchange.told[1:]] == [True, True, False]
    assert len({id(told["body"].obj) for told in exchange.told[1:]}) == 1
    assert files[0].closed


def test_an_empty_file_is_an_answer_too(book: Path) -> None:
    book.write_bytes(b"")

    def answer(environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", [])
        wrapped: Iterable[bytes] = environ["wsgi.file_wrapper"](book.open("rb"))
        return wrapped

    exchange = Exchange(body())
    run(answer, exchange)
    assert [bytes(told["body"]) for told in exchange.told[1:]] == [b""]


def test_all_who_are_sent_a_file_at_once_share_it_and_nobody_keeps_it(book: Path) -> None:
    first, second = SentFile(book.open("rb")).contents(), SentFile(book.open("rb")).contents()
    assert first is not None
    assert second is first
    assert first.data == b"0123456789"
    del first, second
    gc.collect()
    assert not [key for key in shared_files.in_use if key[0] == str(book)]


def test_a_file_that_has_changed_is_another_one(book: Path) -> None:
    before = SentFile(book.open("rb")).contents()
    book.write_bytes(b"new")
    after = SentFile(book.open("rb")).contents()
    assert before is not None
    assert after is not None
    assert (before.data, after.data) == (b"0123456789", b"new")


def test_a_long_file_and_a_part_of_one_are_read_piece_by_piece(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_files, "LONGEST", 9)
    monkeypatch.setattr(shared_files, "PIECE", 4)
    for file in (book.open("rb"), io.BytesIO(b"0123456789")):
        sent = SentFile(file)
        assert sent.contents() is None
        assert list(sent) == [b"0123", b"4567", b"89"]
        sent.close()
        assert file.closed


@pytest.mark.parametrize(
    ("headers", "status", "length"), [([], 200, None), ([(b"range", b"bytes=10-19")], 206, 10)]
)
def test_static_files_are_sent_so(
    headers: list[tuple[bytes, bytes]], status: int, length: int | None
) -> None:
    exchange = Exchange(body())
    host = [(b"host", settings.ALLOWED_HOSTS[-1].encode())]
    run(application, exchange, method="GET", path=STATIC, headers=[*host, *headers])
    assert exchange.status == status
    said = int(dict(exchange.told[0]["headers"])[b"content-length"])
    assert said == len(b"".join(told["body"] for told in exchange.told[1:]))
    assert length in {None, said}
    assert isinstance(exchange.told[1]["body"], memoryview) is (status == 200)
