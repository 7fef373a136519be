"""The choices on the page of preferences, in groups, with the present values."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import TextChoices
from django.utils.translation import gettext as _

from crownhead.server.accounts import choices
from crownhead.server.accounts.selectors import Preferences


@dataclass(frozen=True, slots=True)
class Choice:
    """One preference: column, title and options, with the present one marked."""

    name: str
    title: str
    options: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Preferences that belong together."""

    key: str
    title: str
    choices: tuple[Choice, ...]


def preference_groups(chosen: Preferences) -> tuple[Group, ...]:
    """Return all preferences with few options."""

    def choice(name: str, title: str, kind: type[TextChoices]) -> Choice:
        held = getattr(chosen, name)
        return Choice(name, title, tuple((value, str(label), value == held) for value, label in kind.choices))

    return (
        Group(
            "board",
            _("Board and pieces"),
            (
                choice("theme", _("Board"), choices.Theme),
                choice("turned", _("At the bottom of the board"), choices.Turned),
                choice("numbers", _("Coordinates"), choices.Numbers),
                choice("names", _("Square names"), choices.Names),
                choice("motion", _("Pieces move"), choices.Motion),
                choice("sound", _("Sounds"), choices.Sound),
            ),
        ),
        Group(
            "moves",
            _("Moves"),
            (
                choice("entry", _("Make moves by"), choices.MoveEntry),
                choice("submit", _("Confirm moves with Submit"), choices.Submitting),
                choice("then", _("After submitting"), choices.AfterSubmit),
            ),
        ),
        Group("pages", _("Pages"), (choice("appearance", _("Light or dark"), choices.Appearance),)),
        Group(
            "privacy",
            _("Privacy"),
            (
                choice("visibility", _("Who can see my profile"), choices.Visibility),
                choice("invitations", _("Who can invite me"), choices.Invitations),
            ),
        ),
    )
