"""A game against the computer that the visitor's browser plays: what the page hands to its script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

import crownhead
from crownhead import VARIANTS, Colour, Position, Termination, Variant
from crownhead.server.accounts.selectors import User
from crownhead.server.analysis.computer.selectors import Opponent, opponents
from crownhead.server.pages.presenters.fen import position_of
from crownhead.server.play.games.options import ColourChoice
from crownhead.server.play.presenters.board.boards import BoardPresenter, GameBoard
from crownhead.server.play.presenters.board.diagrams import bottom_of
from crownhead.server.play.presenters.board.moves import crowned_under_way, touched
from crownhead.server.play.presenters.board.touch import Touch
from crownhead.server.play.presenters.board.words import WON_ON_THE_BOARD, move_texts, result_sentence
from crownhead.server.play.presenters.colours import colour_names

USUAL_LEVEL = 3
_DRAWS = (Termination.REPETITION, Termination.NO_PROGRESS)


@dataclass(frozen=True, slots=True)
class ComputerTerms:
    """What an address says of the game: variant, level, the visitor's side, and where it begins."""

    variant: Variant
    level: int = USUAL_LEVEL
    colour: str = ColourChoice.FIRST.value
    fen: str = ""

    @classmethod
    def of(cls, query: QueryDict) -> Self:
        """Read a query; what makes no sense falls back. Raises ``Unprocessable`` for a bad position."""
        variant = VARIANTS.get(query.get("variant", ""), next(iter(VARIANTS.values())))
        level, colour = query.get("level", ""), query.get("colour", "")
        known = level in {str(one.level) for one in opponents()}
        wanted = colour if colour in set(ColourChoice) else ColourChoice.FIRST.value
        return cls(variant, int(level) if known else USUAL_LEVEL, wanted, _start(variant, query))

    @property
    def mine(self) -> Colour:
        """The visitor's side."""
        first = self.variant.start.first
        return first.opponent if self.colour == ColourChoice.SECOND else first

    def address(self, name: str = "pages:computer_board", **changes: str) -> str:
        """The address of a page with these terms."""
        values = {
            "variant": self.variant.key,
            "level": str(self.level),
            "colour": self.colour,
            "fen": self.fen,
            **changes,
        }
        return f"{reverse(name)}?{urlencode({key: value for key, value in values.items() if value})}"


def _start(variant: Variant, query: QueryDict) -> str:
    """The FEN of a position to begin from; empty for the usual one."""
    position = position_of(query, variant)
    return "" if position == Position.start(variant) else position.fen()


@dataclass(frozen=True, slots=True)
class ComputerBoard:
    """The board with which the game begins, and the data of its script."""

    terms: ComputerTerms
    start: Position
    board: BoardPresenter
    data: Mapping[str, Any]

    @property
    def levels(self) -> list[tuple[Opponent, bool]]:
        """The levels, and which one is chosen."""
        return [(one, one.level == self.terms.level) for one in opponents()]

    @property
    def colours(self) -> list[tuple[str, str, bool]]:
        """The sides: value, name, and whether it is chosen."""
        names = colour_names(self.terms.variant).items()
        return [(key, name, key == self.terms.colour) for key, name in names]

    @property
    def on_server(self) -> str:
        """Where the same game is begun with a clock and an account."""
        return self.terms.address("pages:computer", fen="")

    @property
    def by_pages(self) -> str:
        """Where the computer answers without a script."""
        return self.terms.address("pages:analysis", level="", colour="", against=str(self.terms.level))


def computer_board(terms: ComputerTerms, user: User | AnonymousUser) -> ComputerBoard:
    """The page of a new game; raises ``Unprocessable`` where its position has too many moves."""
    variant, mine = terms.variant, terms.mine
    record = crownhead.Game(variant, start=terms.fen or None)
    on_turn = record.turn is mine and record.outcome() is None
    board = GameBoard(
        replay=record,
        bottom=bottom_of(variant, mine),
        ply=0,
        touch=touched(record.position) if on_turn else Touch(),
        at_once=True,
        mine=mine,
        live=True,
    )
    return ComputerBoard(terms, record.start, board.presenter(), _data(terms, record, user))


def _data(terms: ComputerTerms, record: crownhead.Game, user: User | AnonymousUser) -> dict[str, Any]:
    """What the script knows of the game; gaps in the texts are written ``{name}``."""
    variant, mine = terms.variant, terms.mine
    api = f"/api/v1/variants/{variant.key}"
    return {
        "variant": variant.key,
        "level": terms.level,
        "colour": terms.colour,
        "mine": mine.value,
        "fen": terms.fen,
        "rules": f"{api}/rules",
        "weights": f"{api}/weights",
        "guard": reverse("pages:analysis_guard") if isinstance(user, User) else "",
        "startsLate": record.start.turn is not variant.start.first,
        "crowning": crowned_under_way(variant),
        "kingRun": variant.rules.king_run,
        "texts": {**move_texts(), **_statuses(), **_endings(variant, mine)},
    }


def _statuses() -> dict[str, str]:
    return {
        "mine": _("Your move."),
        "theirs": _("The computer is thinking."),
        "loading": _("Fetching the computer …"),
        "unavailable": _("The computer can't be fetched right now. Try again."),
        "impossible": _("This browser can't run the computer."),
        "no-such-move": _("{move} is not a legal move here."),
        "claimed": _("Draw."),
    }


def _endings(variant: Variant, mine: Colour) -> dict[str, str]:
    """The sentence of each ending, for the visitor: ``won:``, ``lost:`` or ``drawn:`` and its reason."""
    sentences = {}
    for reason in WON_ON_THE_BOARD:
        for word, winner in (("won", mine), ("lost", mine.opponent)):
            sentences[f"{word}:{reason.value}"] = result_sentence(
                variant=variant, winner=winner, termination=reason, reader=mine
            )
    for reason in _DRAWS:
        sentences[f"drawn:{reason.value}"] = result_sentence(variant=variant, winner=None, termination=reason)
    return sentences
