"""A game as those are told of it who play it: who sits where, what it is called, where its page is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from crownhead import VARIANTS
from crownhead.server.accounts.selectors import User
from crownhead.server.notices.selectors.recipients import Person
from crownhead.server.play.clocks.time_control import Pace
from crownhead.server.play.games import contests
from crownhead.server.play.games.contests import Contest
from crownhead.server.play.selectors import Game

SEATS = ("first", "second")
PREFIX = "game:"
_TABLE = re.compile(r":t\d+$")  # of a round of a tournament


@dataclass(frozen=True, slots=True)
class Table:
    """A game and its two seats."""

    game: Game

    @property
    def about(self) -> str:
        """What notices of this game belong to."""
        return about_game(self.game.public_id)

    @property
    def link(self) -> str:
        """Its page."""
        return reverse("pages:game", args=[self.game.public_id])

    @property
    def is_live(self) -> bool:
        """Both sit at the board: what a page shows within a second needs no notice."""
        return self.game.pace == Pace.LIVE

    @property
    def name(self) -> str:
        """``American checkers``, with the contest it belongs to."""
        variant = VARIANTS[self.game.variant].name
        return variant if self.contest is None else f"{variant} ({self.contest.name})"

    @property
    def contest(self) -> Contest | None:
        """The ladder, tournament or match of teams that it belongs to."""
        return contests.contest_of(self.game)

    @property
    def about_contest(self) -> str:
        """What notices of that as a whole belong to."""
        return about_contest(self.contest.event) if self.contest else ""

    @property
    def occasion(self) -> str:
        """By what it began: its round of a tournament, its challenge, its board; or itself."""
        if self.contest is None:
            return f"{self.about}:begun"
        return f"begun:{_TABLE.sub('', self.contest.key)}"

    @property
    def on_turn(self) -> int | None:
        """Whose turn it is."""
        return self.key(self.game.turn) if self.game.turn else None

    @property
    def last_move(self) -> str:
        """As the record has it; empty before the first."""
        return self.game.moves.split()[-1] if self.game.moves else ""

    @property
    def last_move_was_planned(self) -> bool:
        """It was made for its player, as he had planned."""
        return bool(self.game.planned) and self.game.planned[-1] == len(self.game.moves.split()) - 1

    def player(self, seat: str | None) -> User | None:
        """Who sits there."""
        return self.game.first_player if seat == "first" else self.game.second_player

    def key(self, seat: str | None) -> int | None:
        """The key of who sits there."""
        user = self.player(seat)
        return None if user is None else user.pk

    def opponent(self, seat: str) -> User | None:
        """Who sits on the other side."""
        return self.player("second" if seat == "first" else "first")

    def time_is_out(self, person: Person) -> str:
        """The sentence that says until when the one on turn has time."""
        if self.game.deadline_at is None or self.is_live:
            return ""
        return _("Your time runs out on %(moment)s.") % {"moment": person.moment(self.game.deadline_at)}


def about_game(game_id: str) -> str:
    """What notices of a game belong to."""
    return f"{PREFIX}{game_id}"


def about_contest(event: str) -> str:
    """What notices of a contest as a whole belong to."""
    return f"contest:{event}"


def table(game_id: str) -> Table:
    """The game as its row stands in the transaction that tells of it."""
    return Table(Game.objects.with_players().get(public_id=game_id))
