"""What is wrong with a tournament, as sentences for its host: the library's errors address programmers."""

from __future__ import annotations

from django.utils.translation import gettext as _

from crownhead.contest import ContestError
from crownhead.contest.errors import BadOption
from crownhead.contest.formats import FORMATS, TIE_BREAKS_OPTION, Format
from crownhead.contest.options import Option
from crownhead.contest.tie_breaks import TIE_BREAKS
from crownhead.server.core.problems import Conflict, Unprocessable
from crownhead.server.core.texts import choose_one_of


def unknown_format(key: str) -> Unprocessable:
    """The problem with a format that does not exist."""
    return Unprocessable(choose_one_of(FORMATS, key), field="format")


def bad_option(made: Format, error: BadOption) -> Unprocessable:
    """The problem with an option of a format."""
    option = next((option for option in made.options if option.key == error.key), None)
    if option is None:
        text = _("%(format)s has no such option.") % {"format": _(made.name)}
    else:
        text = _expected_value(option, error.value)
    return Unprocessable(text, field=error.key)


def cannot_start(error: ContestError, size: int) -> Conflict:
    """The problem with starting a tournament; ``size`` counts the players who have entered."""
    if isinstance(error, BadOption) and error.key == "rounds":
        facts = {"size": size, "rounds": str(error.value)}
        return Conflict(_("%(size)s players are too few for %(rounds)s rounds.") % facts)
    return Conflict(_("The players who have entered do not suit the format and its options."))


def _expected_value(option: Option, value: object) -> str:
    if option.key == TIE_BREAKS_OPTION:
        return choose_one_of(TIE_BREAKS, str(value))
    if option.choices:
        return choose_one_of(option.choices, str(value))
    if isinstance(option.default, bool):
        return _("Choose true or false.")
    if isinstance(option.default, int):
        facts = {"least": option.least, "most": option.most}
        return _("Enter a whole number from %(least)s to %(most)s.") % facts
    return _("Enter a text.")
