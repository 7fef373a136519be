"""What an invitation may say, and to whom."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from crownhead.server.accounts.validators import check_address
from crownhead.server.core.problems import Unprocessable
from crownhead.server.core.texts import without_controls

LONGEST_MESSAGE = 1000


def checked_address(text: str) -> str:
    """The e-mail address of a stranger; raises ``Unprocessable`` if it is none."""
    try:
        check_address(text)
    except ValidationError as error:
        raise Unprocessable(
            _("Enter a username or an e-mail address, not %(given)s.") % {"given": repr(text[:60])},
            field="opponent",
        ) from error
    return text


def check_message(message: str) -> str:
    """The stripped text; raises ``Unprocessable`` if it is too long."""
    text = without_controls(message)
    if len(text) > LONGEST_MESSAGE:
        raise Unprocessable(
            _("A message has at most %(longest_message)s characters, not %(count)s.")
            % {"longest_message": LONGEST_MESSAGE, "count": len(text)},
            field="message",
        )
    return text
