"""The terms of games in team matches and tournaments: checked, stored as JSON, and in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.clocks.time_control import TimeControl, pace_text
from crownhead.server.play.games.options import BankClock, ColourChoice, GameOptions, LiveClock

FAST_HOURS, MAIN_HOURS = 28, 48  # a move, as on the old sites

_PLAIN = ("days_per_move", "weekends_off", "vacation", "draw_rules", "rated")


def hours_per_move(hours: int) -> BankClock:
    """A clock with the same hours for every move; unused time is not carried over."""
    return BankClock(time=hours, bonus=hours, limit=hours)


def as_json(options: GameOptions) -> dict[str, Any]:
    """The terms as JSON, without the variant; raises ``Unprocessable`` if a contest cannot have them."""
    options.checked()
    if options.hidden or options.match() or options.opening or options.first_move:
        raise Unprocessable(
            _("Only public single games with a random opening are possible here."), field="terms"
        )
    clock: dict[str, Any] | None = None
    if isinstance(options.clock, LiveClock):
        clock = {"initial": options.clock.initial, "increment": options.clock.increment}
    elif isinstance(options.clock, BankClock):
        clock = {"time": options.clock.time, "bonus": options.clock.bonus, "limit": options.clock.limit}
    return {name: getattr(options, name) for name in _PLAIN} | {"clock": clock}


def options_of(variant: str, terms: Mapping[str, Any]) -> GameOptions:
    """The stored terms as options of a game."""
    clock = terms["clock"]
    made = None if clock is None else (LiveClock(**clock) if "initial" in clock else BankClock(**clock))
    plain = {name: terms[name] for name in _PLAIN}
    return GameOptions(variant=variant, colour=ColourChoice.FIRST.value, clock=made, **plain)


def is_live(terms: Mapping[str, Any]) -> bool:
    """Whether the games are live."""
    return terms["clock"] is not None and "initial" in terms["clock"]


def expect_not_live(terms: Mapping[str, Any]) -> None:
    """Raise ``Unprocessable`` for a live clock, where games start whether or not their players are here."""
    if is_live(terms):
        raise Unprocessable(
            _("Team matches have no live clock: their games start while players may be away."), field="pace"
        )


def pace_of(options: GameOptions) -> str:
    """``28 hours per move``, ``3 days per move, weekends off``, ``5 min + 3 s``."""
    return pace_text(_control(options))


def _control(options: GameOptions) -> TimeControl:
    return replace(options.control(), weekends_off=options.weekends_off, vacation=options.vacation)
