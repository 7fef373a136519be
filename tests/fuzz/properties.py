"""Properties that hold for any input: only the library's own exceptions, and round trips are exact."""

from __future__ import annotations

import io

from crownhead import VARIANTS, CrownheadError, IllegalPosition, Position, TooManyCaptures, pdn
from crownhead.notation import fen, moves
from crownhead.notation.pdn import PdnError, PdnWarning, Style
from crownhead.notation.pdn.reader import Tally

KEYS = tuple(VARIANTS)
_STYLES = tuple(Style)


def try_any(data: bytes) -> None:
    """Use the first byte as the property, the second as the variant, and the rest as the input."""
    if len(data) < 2:
        return
    variant, rest = KEYS[data[1] % len(KEYS)], data[2:]
    match data[0] % 4:
        case 0:
            try_pdn(rest, "auto")
        case 1:
            try_pdn(rest, variant)
        case 2:
            try_fen(rest.decode("utf-8", "replace"), variant)
        case 3:
            try_moves(rest.decode("utf-8", "replace"), variant)


def try_pdn(data: bytes, variant: str) -> None:
    """Checking and reading agree; games and trees survive writing and reading."""
    found = _read_all(pdn.check, io.BytesIO(data), variant)
    assert _read_all(pdn.read, io.BytesIO(data), variant) == found
    assert _read_all(pdn.read, _Lines(data), variant) == found
    games = pdn.read(io.BytesIO(data), variant=variant, on_error=_silence, on_warning=_silence)
    for game in games:
        (again,) = pdn.read(io.StringIO(game.pdn()), variant=variant, on_error=_complain)
        assert again.moves == game.moves
        assert again.result == game.result
        assert again.positions == game.positions
    trees = list(pdn.read_trees(io.BytesIO(data), variant=variant, on_error=_silence, on_warning=_silence))
    for tree in trees:
        for style in _STYLES:
            written = pdn.write_tree(tree, style=style, strict=style is Style.NATIVE)
            trees_again = pdn.read_trees(
                io.StringIO(written), variant=variant, numbering=style.numbering, on_error=_complain
            )
            assert list(trees_again) == [tree]


def try_fen(text: str, variant: str) -> None:
    """Setups and positions survive writing and reading."""
    try:
        setup = fen.read(text, variant)
    except CrownheadError:
        return
    assert fen.read(fen.write(setup), variant) == setup
    try:
        position = Position.from_setup(setup)
    except IllegalPosition:
        return
    assert Position.from_fen(position.fen(), variant) == position
    try:
        for move in position.legal_moves()[:20]:
            assert position.parse(position.notation(move)) == move
            position.play(move)
    except TooManyCaptures:
        return


def try_moves(text: str, variant: str) -> None:
    """Each word is rejected or a legal move, which survives writing and reading."""
    position = Position.start(variant)
    for word in text.split(","):
        try:
            move = moves.parse(position, word)
        except CrownheadError:
            moves_before = position.legal_moves()
            if moves_before:
                position = position.play(moves_before[len(word) % len(moves_before)])
            continue
        assert move in position.legal_moves()
        for style in _STYLES:
            assert moves.parse(position, moves.write(position, move, style), style.numbering) == move
        position = position.play(move)


class _Lines:
    """A file that only the full reader can read."""

    def __init__(self, data: bytes) -> None:
        self.readline = io.BytesIO(data).readline


def _read_all(verb: object, file: object, variant: str) -> tuple[int, int, int, list[str]]:
    findings: list[PdnError | PdnWarning] = []
    assert callable(verb)
    tally = verb(file, variant=variant, on_error=findings.append, on_warning=findings.append)
    for _ in tally:
        pass
    assert isinstance(tally, Tally)
    return tally.good, tally.bad, tally.warnings, [repr(one) for one in findings]


def _silence(_: PdnError | PdnWarning) -> None:
    """Ignore the message."""


def _complain(bad: PdnError) -> None:
    raise AssertionError(str(bad))
