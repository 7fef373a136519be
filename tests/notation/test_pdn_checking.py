"""Reading and checking give the same results on the fast path as with the full reader."""

from __future__ import annotations

import gzip
import io
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crownhead import Game, UnknownVariant, pdn
from crownhead.notation.pdn import PdnError, PdnWarning, Reader
from tests.lengths import short_and_full
from tests.notation.files import SAMPLE, data

PLAIN = b'[Event "x"]\n[Result "1-0"]\n1. 11-15! {good} 22-18 (22-17) 2. 15x22 25x18 $1 1-0\n\n'
BAD = b'[Event "y"]\n1. 11-15 5-4 *\n\n'
DOUBTFUL = b'[Event "z"]\n1. 11-15 . 22-18 *\n\n'
RUSSIAN = b'[GameType "25"]\n1. c3-d4 f6-e5 2. d4:f6 ge5 *\n\n'
# What is said of a file whose games do not say it themselves, by numbers and by letters.
_GIVEN = ["auto", "russian"], ["auto", "american", "international", "russian", "italian"]
SET_UP = b'[FEN "B:W6,15,32:B1,28"]\n1. 1x19 *\n\n'


class Found(NamedTuple):
    """Return the counts and messages for a source."""

    good: int
    bad: int
    warnings: int
    told: list[PdnError | PdnWarning]


class Sips(io.BytesIO):
    """A file that gives a few bytes at a time."""

    def read1(self, size: int | None = -1, /) -> bytes:  # noqa: ARG002
        return super().read1(7)


class Lines:
    """A file that can only be read line by line, by the full reader."""

    def __init__(self, source: bytes) -> None:
        self.readline = io.BytesIO(source).readline


def found_by(verb: Callable[..., Reader[Game] | Reader[int]], file: object, variant: str) -> str:
    """Return the counts, the messages, and the games if there are any."""
    told: list[PdnError | PdnWarning] = []
    reader = verb(file, variant=variant, on_error=told.append, on_warning=told.append)
    games = [contents(game) for game in reader if isinstance(game, Game)]
    return repr(Found(reader.good, reader.bad, reader.warnings, told)) + repr(games)


def contents(game: Game) -> tuple[object, ...]:
    """All of a game that was read."""
    return game.variant.key, game.positions, game.moves, game.tags, game.outcome(), game.opening_plies


def assert_alike(source: bytes, variant: str = "american", file: type[io.BytesIO] = io.BytesIO) -> None:
    """Check that the fast path gives the same results as the full reader."""
    patient = found_by(pdn.read, Lines(source), variant)
    assert found_by(pdn.read, file(source), variant) == patient
    counted = found_by(pdn.check, Lines(source), variant)
    assert found_by(pdn.check, file(source), variant) == counted
    assert patient.startswith(counted.removesuffix("[]"))


def test_the_archive_is_checked_whole() -> None:
    reader = pdn.check(data("games", "american_1841-2004.pdn.gz"))
    steps = list(reader)
    assert (reader.good, reader.bad, reader.warnings) == (7541, 0, 0)
    assert steps == sorted(steps)
    assert steps[-1] == 7541


def test_memory_stays_flat_however_long_the_file(tmp_path: Path) -> None:
    path = tmp_path / "long.pdn"
    path.write_bytes(SAMPLE.read_bytes() * 400)
    tracemalloc.start()
    reader = pdn.check(path)
    for _ in reader:
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert reader.good == 8000
    assert peak < 2_000_000


def test_games_of_the_archive_are_the_same_without_the_kernel() -> None:
    with gzip.open(data("games", "american_1841-2004.pdn.gz")) as file:
        text = file.read(400_000)
    assert_alike(text)


@pytest.mark.parametrize("file", [io.BytesIO, Sips])
@pytest.mark.parametrize(
    "parts",
    [
        (),
        (PLAIN,),
        (PLAIN, BAD, PLAIN, DOUBTFUL, PLAIN),
        (PLAIN,) * 33 + (b'[Variant "pro"]\n' + PLAIN, BAD),
        (b'[Termination "resignation"]\n' + PLAIN, b'[Event "a"]\n' + PLAIN, DOUBTFUL),
        (BAD, BAD, DOUBTFUL),
        (RUSSIAN, PLAIN, SET_UP, RUSSIAN, SET_UP),
        (b"\xef\xbb\xbf", PLAIN, BAD),
        (PLAIN.replace(b"\n", b"\r\n"), BAD.replace(b"\n", b"\r\n")),
        (PLAIN, b"\0 a picture", PLAIN),
        (PLAIN, b"1. 11-15 * 1. 9-13 * 1. 9-14 5-4 *"),
        (PLAIN.replace(b"good", b"bon\xe9"), BAD),
        (PLAIN.replace(b"good", b"x" * 70_000), PLAIN, BAD),
        (PLAIN, b'[Event "a"]\n{never closed', PLAIN, BAD),
        (b'[GameType "25"]\n[Result "0-1"]\n1. 22-18 11-15 1-0\n\n', BAD),
        (b'[GameType "99"]\n1. 22-18 *\n\n', PLAIN),
        (b'[FEN "W:W99:B1"]\n*\n\n', b'[FEN "W:WK5:B1"]\n[Result "1-0"]\n1-0\n\n', BAD),
        (b'[GameType "\xc3\xa9"]\n1. 11-15 *\n\n', BAD),
    ],
)
def test_records_of_all_kinds_are_found_as_reading_finds_them(
    parts: tuple[bytes, ...], file: type[io.BytesIO]
) -> None:
    for variant in ("auto", "american"):
        assert_alike(b"".join(parts), variant, file=file)


@pytest.mark.parametrize("variants", short_and_full(*_GIVEN))
def test_the_standards_files_are_found_as_reading_finds_them(variants: list[str]) -> None:
    paths = [*data("pdn_conformance").rglob("*.pdn")]
    for path in paths:
        for variant in variants:
            assert_alike(path.read_bytes(), variant)
    assert len(paths) > 40


_PIECES = [
    *map(chr, b'[]"(){}*%;/\\ \n.0123456789-x:!?$abcdef'),
    "\n\n",
    "\n[",
    "1-0",
    "[Event ",
    "1... ",
    "–",
]


@pytest.mark.parametrize("examples", short_and_full(60, 2_000))
def test_a_file_that_was_tampered_with_is_found_as_reading_finds_it(examples: int) -> None:
    records = SAMPLE.read_text().split("\n\n")

    @settings(deadline=None, max_examples=examples)
    @given(st.data())
    def is_found(draw: st.DataObject) -> None:
        text = "\n\n".join(draw.draw(st.lists(st.sampled_from(records), min_size=1, max_size=3)))
        for _ in range(draw.draw(st.integers(0, 4))):
            at = draw.draw(st.integers(0, len(text)))
            gone = draw.draw(st.integers(0, 3))
            text = text[:at] + draw.draw(st.sampled_from(_PIECES)) + text[at + gone :]
        for variant in ("auto", "american"):
            assert_alike(text.encode(), variant)

    is_found()


class Torn(Lines):
    """A file that breaks off."""

    def __init__(self, source: bytes) -> None:
        super().__init__(source)
        self._readline = self.readline
        self.readline = self._read

    def _read(self, size: int | None = -1, /) -> bytes:
        line = self._readline(size)
        if not line:
            raise ConnectionError("gone")
        return line


def test_what_breaks_off_behind_the_games_that_tell_the_variant_is_told_after_them() -> None:
    reader = pdn.read(Torn(BAD + PLAIN * 3), on_error=lambda _: None)
    found = [next(reader), next(reader)]
    assert [game.variant.key for game in found] == ["american"] * 2
    with pytest.raises(ConnectionError):
        next(reader)


def test_a_damaged_packed_file_is_an_error_behind_the_games_before_it(tmp_path: Path) -> None:
    path = tmp_path / "damaged.pdn.gz"
    path.write_bytes(gzip.compress(SAMPLE.read_bytes() * 50)[:-30])
    reader = pdn.check(path)
    with pytest.raises(OSError, match="damaged after line"):
        list(reader)
    assert reader.good > 900


def test_text_and_files_of_text_are_checked_too() -> None:
    for source in ('[Event "x"]\n1. 11-15 *\n', io.StringIO("1. 11-15 *\n1. 5-4 *")):
        reader = pdn.check(source, on_error=lambda _: None)
        assert len(list(reader)) == reader.good == 1


def test_a_missing_file_and_an_unknown_variant_are_reported(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(pdn.check(tmp_path / "none.pdn"))
    with pytest.raises(UnknownVariant):
        pdn.check(io.BytesIO(), variant="lasca")
