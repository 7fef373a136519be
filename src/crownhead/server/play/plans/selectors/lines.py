"""Conditional moves as text: lines from a position, read and checked in the player's own words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from django.utils.translation import gettext as _

from crownhead import CrownheadError, Position
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.plans.selectors import LONGEST_LINE, MAX_LINES, MAX_MOVES

Line = tuple[str, ...]


def parse_lines(texts: Iterable[str]) -> list[Line]:
    """The lines of a form, but for empty ones; raises ``Unprocessable`` where there are too many."""
    found = (tuple(text.replace(",", " ").split(maxsplit=LONGEST_LINE)) for text in texts)
    lines = list(islice(filter(None, found), MAX_LINES + 1))
    if len(lines) > MAX_LINES or any(len(line) > LONGEST_LINE for line in lines):
        raise Unprocessable(
            _("A plan has at most %(lines)s lines of at most %(moves)s moves.")
            % {"lines": MAX_LINES, "moves": LONGEST_LINE}
        )
    expect_few_moves(lines)
    return lines


def expect_few_moves(lines: Sequence[Sequence[str]], field: str = "") -> None:
    """Raise ``Unprocessable`` for more moves than a plan may have, all lines together."""
    if sum(map(len, lines)) > MAX_MOVES:
        raise Unprocessable(
            _("All lines of a plan have at most %(moves)s moves together.") % {"moves": MAX_MOVES},
            field=field,
        )


def check_lines(start: Position, lines: Sequence[Line], *, own: bool) -> list[Line]:
    """The lines as the game writes them, each once; raises ``Unprocessable`` with the line and the move."""
    answers: dict[Line, tuple[int, str]] = {}
    checked: list[Line] = []
    for number, line in enumerate(lines, start=1):
        written = _normalised(start, line, number)
        if len(line) % 2 != own or len(line) < 2 + own:
            raise Unprocessable(
                _("Line %(line)s has to end with one of your moves: %(moves)s")
                % {"line": number, "moves": " ".join(line)}
            )
        _expect_one_answer(answers, written, number, first=int(own))
        checked.append(written)
    return [line for at, line in enumerate(checked) if not _is_part_of(line, checked[:at], checked[at + 1 :])]


def _normalised(start: Position, line: Line, number: int) -> Line:
    """The moves as the game writes them."""
    position, written = start, []
    for text in line:
        try:
            move = position.parse(text)
        except CrownheadError as error:
            raise Unprocessable(
                _("Line %(line)s: %(move)s can't be played there.") % {"line": number, "move": text[:40]}
            ) from error
        written.append(position.notation(move))
        position = position.play(move)
    return tuple(written)


def _expect_one_answer(answers: dict[Line, tuple[int, str]], line: Line, number: int, *, first: int) -> None:
    for at in range(first + 1, len(line), 2):
        other, answer = answers.setdefault(line[:at], (number, line[at]))
        if answer != line[at]:
            raise Unprocessable(
                _("Lines %(one)s and %(two)s answer %(move)s differently: %(answer)s and %(other)s.")
                % {"one": other, "two": number, "move": line[at - 1], "answer": answer, "other": line[at]}
            )


def _is_part_of(line: Line, before: Sequence[Line], after: Sequence[Line]) -> bool:
    """Another line says all that this one says."""
    longer = (other for other in (*before, *after) if len(other) > len(line))
    return line in before or any(other[: len(line)] == line for other in longer)
