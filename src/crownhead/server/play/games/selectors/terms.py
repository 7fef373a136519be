"""The terms of a game as columns of its row: those that somebody chose, and who may take it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crownhead.server.accounts.access import hold_member
from crownhead.server.accounts.selectors import User
from crownhead.server.play import problems
from crownhead.server.play.choices import Unrated
from crownhead.server.play.clocks.time_control import HOUR, Pace
from crownhead.server.play.games import providers
from crownhead.server.play.games.options import (
    BankClock,
    ColourChoice,
    Flexibility,
    GameOptions,
    LiveClock,
    TimeRange,
)
from crownhead.server.play.games.selectors.starts import has_own_start
from crownhead.server.play.models import Game, MatchKind

MAX_LIVE = 50  # live games of a player that run or wait at a time
_TIME = ("days_per_move", "clock_initial", "clock_bonus", "clock_limit")
_STOPS = ("weekends_off", "vacation")
_AGREED = ("pace", "variant", "draw_rules", "hidden")


def columns_of(options: GameOptions) -> dict[str, Any]:
    """The columns of a game's terms, but for the seats."""
    return _time_of(options) | {
        "variant": options.variant,
        "draw_rules": options.draw_rules,
        "rated": options.rated,
        "hidden": options.hidden,
        "min_rating": options.min_rating,
        "max_rating": options.max_rating,
        "opening": options.opening,
    }


def options_of(game: Game, *, colour: str) -> GameOptions:
    """The terms of a game as they can be offered again."""
    options = GameOptions(
        variant=game.variant,
        colour=colour,
        days_per_move=game.days_per_move,
        clock=_clock_of(game),
        weekends_off=game.weekends_off,
        vacation=game.vacation,
        draw_rules=game.draw_rules,
        rated=(game.rated or game.unrated_because == Unrated.WON) and not game.hidden,
        hidden=game.hidden,
        start=game.start_fen if has_own_start(game) else None,
    )
    if game.match is None:
        return options
    if game.match.kind == MatchKind.WINS:
        return replace(options, wins=game.match.length)
    return replace(options, games=game.match.length)


def same_terms(options: GameOptions, flexibility: Flexibility) -> Q:
    """Games whose terms are just these, or among those that somebody takes too.

    Times that are only similar remain to be compared: ``options.accepts_time``.
    """
    columns = columns_of(options)
    wanted = Q(match__isnull=True)
    names = [*_AGREED, *(() if flexibility.rated else ("rated",)), *(() if flexibility.stops else _STOPS)]
    if flexibility.time is TimeRange.EXACT:
        names += _TIME
    for name in names:
        value = columns.get(name)
        wanted &= Q(**{f"{name}__isnull": True}) if value is None else Q(**{name: value})
    return wanted


def with_free_seat(colour: str) -> Q:
    """Open games that leave the wanted side free, or to be drawn."""
    if colour == ColourChoice.RANDOM:
        return Q()
    taken = "first_player" if colour == ColourChoice.FIRST else "second_player"
    return Q(**{f"{taken}__isnull": True})


def rating_of(user: User, variant: str) -> int:
    """How strong a player counts as in a variant."""
    return providers.rating(user.pk, variant)


def in_range(user: User, game: Game, *, points: int | None = None) -> bool:
    """Whether the user's rating is in the game's range; ``points``: the rating, if known."""
    if game.min_rating is None and game.max_rating is None:
        return True
    rating = rating_of(user, game.variant) if points is None else points
    return (game.min_rating or 0) <= rating <= (rating if game.max_rating is None else game.max_rating)


def check_limit(user: User, *, pace: str = Pace.DAYS) -> None:
    """Raises ``TooManyGames`` where the limit of games at once, or of live ones, is reached; holds the user.

    ``pace``: that of the game to come. Live games have a limit of their own, as all of them hear whether
    their players are here.
    """
    hold_member(user)
    limit: int = settings.GAMES_PER_GUEST if user.is_guest else settings.GAMES_PER_PLAYER
    if Game.objects.running_or_waiting_of(user).count() >= limit:
        text = ngettext(
            "You can have %(count)s game at a time. Finish or withdraw it first.",
            "You can have %(count)s games at a time. Finish or withdraw one first.",
            limit,
        )
        raise problems.TooManyGames(text % {"count": limit})
    if pace == Pace.LIVE and Game.objects.running_or_waiting_of(user).filter(pace=pace).count() >= MAX_LIVE:
        text = _("You can have %(count)s live games at a time. Finish or withdraw one first.")
        raise problems.TooManyGames(text % {"count": MAX_LIVE})


def seats_of(options: GameOptions, creator: User) -> dict[str, Any]:
    """The creator on the side they want, unless sides are random."""
    return {
        "first_player": creator if options.colour == ColourChoice.FIRST else None,
        "second_player": creator if options.colour == ColourChoice.SECOND else None,
    }


def _time_of(options: GameOptions) -> dict[str, Any]:
    control = options.control()
    columns = {
        "pace": control.pace.value,
        "weekends_off": options.weekends_off,
        "vacation": options.vacation,
    }
    if control.pace is Pace.DAYS:
        return columns | {"days_per_move": options.days_per_move}
    return columns | {
        "clock_initial": control.initial,
        "clock_bonus": control.bonus,
        "clock_limit": control.limit,
        "first_left": control.initial,
        "second_left": control.initial,
    }


def _clock_of(game: Game) -> LiveClock | BankClock | None:
    if game.clock_initial is None or game.clock_bonus is None:
        return None
    if game.clock_limit is None:
        # A clock that began with its first increment offers just that again: see ``LiveClock.control``.
        return LiveClock(
            initial=int(game.clock_initial.total_seconds()), increment=int(game.clock_bonus.total_seconds())
        )
    hours = [int(span / HOUR) for span in (game.clock_initial, game.clock_bonus, game.clock_limit)]
    return BankClock(time=hours[0], bonus=hours[1], limit=hours[2])
