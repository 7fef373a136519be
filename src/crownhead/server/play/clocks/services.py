"""What players do to a clock."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict
from crownhead.server.play.access import perform_action
from crownhead.server.play.clocks import timing
from crownhead.server.play.events import TimeChanged, game_event
from crownhead.server.play.games import endings
from crownhead.server.play.games.options import LONGEST_LIVE
from crownhead.server.play.games.selectors import rights
from crownhead.server.play.models import Game, Seat


def give_time(*, user: User, game_id: str, now: datetime) -> Game:
    """Give the opponent of a live game a little time, in turn or not."""

    def give(game: Game, seat: Seat) -> None:
        if not rights.may_give_time(game):
            raise Conflict(
                _("You can only give time in live games outside tournaments, ladders and team matches.")
            )
        left: timedelta = getattr(game, timing.LEFT[seat.opponent])
        if left + timing.GIVEN > timedelta(seconds=LONGEST_LIVE):
            raise Conflict(_("Your opponent has plenty of time."))
        endings.update(game, **timing.give_changes(game, seat=seat.opponent, now=now))
        emit(game_event(TimeChanged, game))

    return perform_action(user=user, game_id=game_id, now=now, do=give)
