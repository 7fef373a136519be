"""The moves of a reviewed game: what each was worth, what was wrong with it, and what was better."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

import crownhead
from crownhead import Position
from crownhead.engine import Score
from crownhead.server.analysis.reviews.selectors.judgement import Grade, JudgedMove
from crownhead.server.analysis.selectors import Review
from crownhead.server.pages.presenters.analysis import leaning, worth

MARKS = {Grade.INACCURACY: "?!", Grade.MISTAKE: "?", Grade.BLUNDER: "??"}
_SHOWN = 8  # plies of a better line


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A move with what the engine says of it.

    ``better`` is the line it would have played, which ``address`` leads to; ``path`` is that of its first
    move, for an arrow.
    """

    ply: int
    text: str
    grade: str
    mark: str
    worth: str
    leaning: str
    better: str
    path: tuple[int, ...]
    address: str


@dataclass(frozen=True, slots=True)
class Row:
    """A numbered line of the list: a move of each side, or of one."""

    number: int
    moves: tuple[Reviewed | None, ...]


def known_plies(review: Review | None, *, barred: Collection[int]) -> Mapping[int, Score]:
    """The scores by ply for the side to move, as far as the review has come, without the ``barred`` plies."""
    entries = review.plies if review else ()
    return {ply: Score(entry["score"]) for ply, entry in enumerate(entries) if ply not in barred}


def reviewed(
    replay: crownhead.Game,
    review: Review | None,
    *,
    judged: Sequence[JudgedMove],
    known: Mapping[int, Score],
) -> list[Reviewed]:
    """Each move of a game with what is known of it so far, where both its ends are ``known``."""
    plies = review.plies if review else []
    moves = []
    for number, text in enumerate(replay.notations(), start=1):
        here, after = replay.positions[number - 1 : number + 1]
        is_known = number <= len(judged) and number - 1 in known and number in known
        grade = judged[number - 1].grade if is_known else Grade.GOOD
        score = known[number] if is_known else None
        mark = MARKS.get(grade, "")
        line = plies[number - 1]["moves"] if mark else []
        moves.append(
            Reviewed(
                ply=number,
                text=text,
                grade=_NAMES[grade]() if mark else "",
                mark=mark,
                worth=worth(score, after, proven=plies[number].get("proven", True)) if score else "",
                leaning=leaning(score, after.turn) if score else "",
                better=" ".join(line[:_SHOWN]),
                path=tuple(plies[number - 1]["path"]) if mark else (),
                address=_address(here, line) if line else "",
            )
        )
    return moves


def rows(replay: crownhead.Game, moves: Sequence[Reviewed]) -> tuple[Row, ...]:
    """The list in lines of two plies; where the second player began, the first line has but theirs."""
    late: tuple[Reviewed | None, ...] = () if replay.start.turn is replay.variant.start.first else (None,)
    plies = (*late, *moves)
    pairs = [plies[at : at + 2] for at in range(0, len(plies), 2)]
    return tuple(Row(number, pair) for number, pair in enumerate(pairs, start=1))


def _address(position: Position, line: list[str]) -> str:
    values = {"variant": position.variant_key, "fen": position.fen(), "moves": " ".join(line[:1])}
    return f"{reverse('pages:analysis')}?{urlencode(values)}"


_NAMES: dict[Grade, Callable[[], str]] = {
    Grade.INACCURACY: lambda: _("inaccuracy"),
    Grade.MISTAKE: lambda: _("mistake"),
    Grade.BLUNDER: lambda: _("blunder"),
}
