"""The first steps of a new member: play the computer, find a game, choose notifications."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.web.first_steps import steps_done

SHOWN_FOR = timedelta(days=14)  # of membership


@dataclass(frozen=True, slots=True)
class Step:
    """Something to do first, where to do it, and whether it is done."""

    title: str
    text: str
    link: str
    label: str
    done: bool


def first_steps(user: User, now: datetime) -> list[Step]:
    """The three steps; empty for anybody who has done them, or is no new member any more."""
    if now - user.date_joined > SHOWN_FOR:
        return []
    done = steps_done(user)
    if all(done.values()):
        return []
    return [
        Step(
            _("Play the computer"),
            _("Ten levels, from beginner to master. It answers at once."),
            reverse("pages:computer"),
            _("Choose a level"),
            done["computer"],
        ),
        Step(
            _("Find an opponent"),
            _("Join one of the open games, or offer one yourself."),
            reverse("lobby:waiting_room"),
            _("See open games"),
            done["game"],
        ),
        Step(
            _("Know when it's your turn"),
            _("By e-mail or on this device, at once or once a day."),
            reverse("notices:preferences"),
            _("Choose how"),
            done["notices"],
        ),
    ]
