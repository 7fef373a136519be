"""Checking files: every game is replayed, in the kernel where its record is plain, and nothing is kept."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import cache, partial
from typing import cast

from crownhead._kernel import replay_records
from crownhead.notation.numberings import Numbering, names
from crownhead.notation.pdn.reader import BadGame, Doubt, Reader, of_block, replayed
from crownhead.notation.pdn.replay import Fault, game_of, start_of
from crownhead.notation.pdn.source import Block, Source, opened
from crownhead.notation.pdn.visitor import Record
from crownhead.notation.pdn.window import Bytes, Window
from crownhead.rules.errors import NotationError
from crownhead.rules.lookup import variant_of
from crownhead.rules.position import Position
from crownhead.rules.schema import Variant

_LONGEST_RECORD = 1 << 15  # bytes that the kernel looks at before the patient reader takes over


def check(
    source: Source,
    *,
    variant: str | Variant = "american",
    on_error: Callable[[BadGame], object] | None = None,
    on_warning: Callable[[Doubt], object] | None = None,
) -> Reader[int]:
    """Replays the games of a source and keeps none; otherwise as ``read``.

    To be iterated: it yields, now and then, how many games have been dealt with. What the reader counts
    and what is told are the same as of ``read``. A source that has ``read1``, as files of bytes do, is
    read many times as fast as others.
    """
    default = variant_of(variant)

    def counts(reader: Reader[int]) -> Generator[int, None, None]:
        with opened(source) as file:
            if hasattr(file, "read1"):
                yield from _of_window(Window(cast(Bytes, file)), reader, default)
                return
            for _ in replayed(file, reader, Record, partial(game_of, default=default)):
                yield reader.good + reader.bad

    return Reader(counts, on_error=on_error, on_warning=on_warning)


def _of_window(window: Window, reader: Reader[int], default: Variant) -> Generator[int, None, None]:
    play = partial(game_of, default=default)
    try:
        while True:
            yield from _plain_records(window, reader, default)
            block = window.next_block()
            if block is None:
                return
            for _ in of_block(block, reader, Record, play):
                yield reader.good + reader.bad
    except NotationError as error:
        reader.reject(Block(1, ""), Record(), 0, error)


def _plain_records(window: Window, reader: Reader[int], default: Variant) -> Generator[int, None, None]:
    """Leave the window at the end, or at a record that the kernel would not take."""
    start = partial(_start, default)
    while window.is_text:
        end, games, _, is_cut = replay_records(window.text, window.at, window.is_all, start)
        window.pass_to(end)
        reader.good += games
        yield reader.good + reader.bad
        if window.left and (not is_cut or window.left > _LONGEST_RECORD):
            return
        if window.is_all or not (window.widen() or window.is_all):
            return


def _start(default: Variant, game_type: str, key: str, fen: str) -> tuple[Position, list[str]] | None:
    """Where the records with these tags begin and how squares are called; None if something is to be told."""
    record = Record(tags={"GameType": game_type, "Variant": key, "FEN": fen})
    try:
        position = start_of(record, default)
    except Fault:
        return None
    return None if record.remarks else (position, _names(position.variant_key))


@cache
def _names(variant_key: str) -> list[str]:
    return list(names(variant_key, Numbering.ALGEBRAIC).values())
