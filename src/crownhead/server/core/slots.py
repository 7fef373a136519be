"""What pages show of the apps above theirs: a template names a way or a slot, an app above opens or fills it.

    open_ways(player="people:player")               {% way "player" person.username %}    an address
    @fill("rating")                                 {% slot "rating" name variant %}      a piece of the page
    def rating(context, name, variant): ...

Where nobody above has, both are empty.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.template import Context
from django.urls import reverse

Fill = TypeVar("Fill", bound=Callable[..., str])

_ways: dict[str, str] = {}
_fills: dict[str, Callable[..., str]] = {}


def open_ways(**routes: str) -> None:
    """Let those below lead to addresses of this app, each by a name that stands for what it is to them."""
    _ways.update(routes)


def way(name: str, *args: object) -> str:
    """The address of a way; nothing where it is not open."""
    return reverse(_ways[name], args=args) if name in _ways else ""


def fill(name: str) -> Callable[[Fill], Fill]:
    """Have a function of the context, and of what the slot hands over, write a piece of pages below."""

    def register(function: Fill) -> Fill:
        _fills[name] = function
        return function

    return register


def filled(name: str, context: Context, *args: object) -> str:
    """What stands in a slot; nothing where nobody fills it."""
    return _fills[name](context, *args) if name in _fills else ""


def names() -> frozenset[str]:
    """All ways that are open and slots that are filled."""
    return frozenset(_ways) | frozenset(_fills)
