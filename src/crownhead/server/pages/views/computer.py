"""The page that starts a game against the computer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from crownhead import VARIANTS, Variant
from crownhead.server.accounts.access import signed_in
from crownhead.server.analysis.computer import selectors
from crownhead.server.analysis.computer import services as computer_services
from crownhead.server.analysis.computer.selectors import Opponent
from crownhead.server.core import clock
from crownhead.server.core.problems import Problem
from crownhead.server.core.processes.queues import work_expected
from crownhead.server.play.games.options import ColourChoice, GameOptions, LiveClock
from crownhead.server.play.presenters.colours import colour_names
from crownhead.server.play.presenters.entry_markup import game_link
from crownhead.server.play.presenters.families import families
from crownhead.server.web.done_once import done_once
from crownhead.server.web.page import frame, go_to, page

_DAYS = (1, 3, 7, 14)
_LIVE = ((5, 3), (10, 5), (15, 10))
_MINUTE = 60
_USUAL = {"variant": next(iter(VARIANTS)), "level": "3", "colour": ColourChoice.FIRST.value, "time": "14"}


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several choices."""

    value: str
    name: str
    note: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class ComputerForm:
    """The choices so far; invalid values fall back to the defaults."""

    filled: Mapping[str, str]

    @classmethod
    def of(cls, query: QueryDict) -> ComputerForm:
        """Read a query."""
        known = {
            "variant": set(VARIANTS),
            "level": {str(one.level) for one in selectors.opponents()},
            "colour": {choice.value for choice in ColourChoice},
            "time": {value for value, _name in _times()},
        }
        values = {name: query.get(name, usual) for name, usual in _USUAL.items()}
        return cls({name: text if text in known[name] else _USUAL[name] for name, text in values.items()})

    @property
    def variant(self) -> Variant:
        """The game to be played."""
        return VARIANTS[self.filled["variant"]]

    @property
    def levels(self) -> list[tuple[Opponent, bool]]:
        """The levels, and which one is chosen."""
        return [(one, str(one.level) == self.filled["level"]) for one in selectors.opponents()]

    @property
    def colours(self) -> list[Choice]:
        """The sides, with which moves first."""
        names = colour_names(self.variant).items()
        return [Choice(key, name, chosen=key == self.filled["colour"]) for key, name in names]

    @property
    def times(self) -> list[Choice]:
        """The time controls."""
        return [Choice(key, name, chosen=key == self.filled["time"]) for key, name in _times()]

    def options(self) -> GameOptions:
        """The terms of the game."""
        minutes, plus, seconds = self.filled["time"].partition("+")
        clock_ = LiveClock(initial=int(minutes) * _MINUTE, increment=int(seconds)) if plus else None
        return GameOptions(
            variant=self.variant.key,
            colour=self.filled["colour"],
            days_per_move=None if clock_ else int(minutes),
            clock=clock_,
            vacation=clock_ is None,
        )


@require_http_methods(["GET", "HEAD", "POST"])
@page
@done_once
def new_game(request: HttpRequest) -> HttpResponse:
    """Choose a game, a level, a side and the time, and start."""
    if request.method != "POST":
        return _show(request, ComputerForm.of(request.GET))
    user, form = signed_in(request), ComputerForm.of(request.POST)
    try:
        game = computer_services.start(
            user=user, level=int(form.filled["level"]), options=form.options(), now=clock.now()
        )
    except Problem as problem:
        messages.error(request, problem.message)
        return _show(request, form, status=problem.status)
    return go_to(request, game_link(game.public_id))


def _show(request: HttpRequest, form: ComputerForm, *, status: int = 200) -> HttpResponse:
    work_expected.send(Opponent)
    context = {"form": form, "families": families(VARIANTS.values()), **frame(request)}
    return render(request, "pages/computer.html", context, status=status)


def _times() -> list[tuple[str, str]]:
    days = [
        (str(day), _("%(days)s days per move") % {"days": day} if day > 1 else _("1 day per move"))
        for day in _DAYS
    ]
    return days + [
        (f"{minutes}+{plus}", _("%(minutes)s min + %(seconds)s s") % {"minutes": minutes, "seconds": plus})
        for minutes, plus in _LIVE
    ]
