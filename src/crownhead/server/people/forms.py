"""The choices of a page of preferences, group by group, each with what is chosen."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import TextChoices
from django.utils.translation import gettext as _

from crownhead.server.accounts import choices
from crownhead.server.accounts.selectors import Preferences


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose: its name as a column and for people, and what there is, what holds marked."""

    name: str
    title: str
    options: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Choices that go together."""

    key: str
    title: str
    choices: tuple[Choice, ...]


def preference_groups(chosen: Preferences) -> tuple[Group, ...]:
    """All that is chosen among few things."""

    def choice(name: str, title: str, kind: type[TextChoices]) -> Choice:
        held = getattr(chosen, name)
        return Choice(name, title, tuple((value, str(label), value == held) for value, label in kind.choices))

    return (
        Group(
            "board",
            _("Boards"),
            (
                choice("theme", _("Colours"), choices.Theme),
                choice("turned", _("At the bottom of the board"), choices.Turned),
                choice("numbers", _("Names of squares"), choices.Numbers),
                choice("names", _("Squares are called"), choices.Names),
                choice("motion", _("Pieces move"), choices.Motion),
                choice("sound", _("Sounds"), choices.Sound),
            ),
        ),
        Group(
            "moves",
            _("Moves"),
            (
                choice("entry", _("How I make them"), choices.MoveEntry),
                choice("then", _("After I have sent one"), choices.AfterSubmit),
            ),
        ),
        Group("pages", _("Pages"), (choice("appearance", _("Light or dark"), choices.Appearance),)),
        Group(
            "privacy",
            _("Who sees me"),
            (choice("visibility", _("My profile is for"), choices.Visibility),),
        ),
    )
