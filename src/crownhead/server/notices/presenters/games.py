"""A game as notifications describe it: its players, name and page."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from crownhead import VARIANTS
from crownhead.server.accounts.selectors import User
from crownhead.server.notices.selectors.recipients import Person
from crownhead.server.play.clocks.time_control import Pace
from crownhead.server.play.games.contests import Contest
from crownhead.server.play.presenters.variant_texts import variant_name
from crownhead.server.play.selectors import Game

SEATS = ("first", "second")
PREFIX = "game:"
CHOICES = "notice_choices"  # read along with a game that is changed
_TABLE = re.compile(r":t\d+$")  # of a round of a tournament


@dataclass(frozen=True, slots=True)
class SeatedGame:
    """A game and its two seats."""

    game: Game

    @property
    def about(self) -> str:
        """The subject of this game's notifications."""
        return about_game(self.game.public_id)

    @property
    def link(self) -> str:
        """The path of its page."""
        return reverse("pages:game", args=[self.game.public_id])

    @property
    def is_live(self) -> bool:
        """Whether both players are at the board: their page shows changes within a second."""
        return self.game.pace == Pace.LIVE

    @property
    def name(self) -> str:
        """``American checkers``, with the name of its contest."""
        variant = variant_name(VARIANTS[self.game.variant])
        return variant if self.contest is None else f"{variant} ({self.contest.name})"

    @property
    def contest(self) -> Contest | None:
        """The ladder, tournament or team match that it belongs to."""
        return self.game.contest

    @property
    def about_contest(self) -> str:
        """The subject of notifications about the contest as a whole."""
        return about_contest(self.contest.event) if self.contest else ""

    @property
    def occasion(self) -> str:
        """What started it: a tournament round, a challenge, a team match; or the game itself."""
        if self.contest is None:
            return f"{self.about}:begun"
        return f"begun:{_TABLE.sub('', self.contest.key)}"

    @property
    def on_turn(self) -> int | None:
        """The key of the player to move."""
        return self.key(self.game.turn) if self.game.turn else None

    @property
    def last_move(self) -> str:
        """The last move as text; empty before the first."""
        return self.game.moves.split()[-1] if self.game.moves else ""

    @property
    def last_move_was_planned(self) -> bool:
        """Whether the last move was a conditional move."""
        return bool(self.game.planned) and self.game.planned[-1] == len(self.game.moves.split()) - 1

    def player(self, seat: str | None) -> User | None:
        """Return the player on a seat."""
        return self.game.first_player if seat == "first" else self.game.second_player

    def key(self, seat: str | None) -> int | None:
        """Return the key of the player on a seat."""
        user = self.player(seat)
        return None if user is None else user.pk

    def has_choices(self, seat: str) -> bool:
        """Whether the player may have changed what they are notified of, or has a browser that takes push."""
        return bool(getattr(self.game, f"{seat}_{CHOICES}", True))

    def opponent(self, seat: str) -> User | None:
        """Return the player on the other seat."""
        return self.player("second" if seat == "first" else "first")

    def deadline_text(self, person: Person) -> str:
        """Return the sentence that says when the player to move runs out of time."""
        if self.game.deadline_at is None or self.is_live:
            return ""
        return _("Your time runs out on %(moment)s.") % {"moment": person.moment(self.game.deadline_at)}


def about_game(game_id: str) -> str:
    """Return the subject of notifications about a game."""
    return f"{PREFIX}{game_id}"


def about_contest(event: str) -> str:
    """Return the subject of notifications about a contest as a whole."""
    return f"contest:{event}"


def seated_game(game_id: str) -> SeatedGame:
    """Load a game as it is in the current transaction."""
    return SeatedGame(Game.objects.with_players().get(public_id=game_id))
