"""Telling somebody in his own language and time of day, whatever the thing is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.models import Notice
from crownhead.server.notices.selectors import recipients
from crownhead.server.notices.selectors.recipients import Person
from crownhead.server.notices.services.notify import tell


@dataclass(frozen=True, slots=True)
class Words:
    """A line for lists and subjects, and what there is more to say."""

    subject: str
    text: str = ""


Say = Callable[[Person], Words]  # called with the person's language in force


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """What is told: of which kind, by which key, where it stands; see ``telling.tell``."""

    kind: Kind
    key: str
    link: str
    about: str = ""
    actor_id: int | None = None
    also: Kind | None = None
    gathered: bool = False


def speak_to(user: User | None, matter: Matter, say: Say) -> Notice | None:
    """Tell one person, unless there is nobody any more."""
    if user is None or not user.is_active:
        return None
    person = recipients.person(user)
    with person.in_his_words():
        words = say(person)
    return tell(
        user_id=user.pk,
        kind=matter.kind,
        key=matter.key,
        subject=words.subject,
        text=words.text,
        link=matter.link,
        about=matter.about,
        actor_id=matter.actor_id,
        also=matter.also,
        gathered=matter.gathered,
        now=clock.now(),
    )


def speak_to_all(user_ids: Iterable[int], matter: Matter, say: Say) -> None:
    """Tell several people, each once."""
    for user in accounts.players(user_ids).values():
        speak_to(user, matter, say)
