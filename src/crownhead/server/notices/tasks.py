"""Notifications to very many people, and very many of one, as tasks that are safe to repeat."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django_tasks import task
from django_tasks_db.models import DBTaskResult

from crownhead.server.competitions import events as competitions
from crownhead.server.core import clock
from crownhead.server.core.background.killed_tasks import idempotent
from crownhead.server.core.batches import batched
from crownhead.server.ladders import selectors as ladders
from crownhead.server.ladders.selectors.terms import link_of, name_of
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.selectors.preferences import subscribers_of
from crownhead.server.notices.selectors.recipients import Person
from crownhead.server.notices.services import reading, rescheduling
from crownhead.server.notices.services.notify import Compose, Draft, NotificationText, notify_users
from crownhead.server.notices.services.tournaments import ToPlayers, notify_players

_AT_ONCE = 200
_TO_PLAYERS: dict[str, type[ToPlayers]] = {
    kind.__name__: kind
    for kind in (
        competitions.StartSet,
        competitions.TournamentStarted,
        competitions.TournamentCancelled,
        competitions.DirectorActed,
    )
}


@idempotent
@task()
def notify_news_subscribers(news_id: str, title: str) -> int:
    """Notify everybody who wants news; returns how many."""
    link = reverse("social:one_news", args=[news_id])
    draft = Draft(kind=Kind.NEWS, key=f"news:{news_id}", about=f"news:{news_id}", link=link)
    readers = subscribers_of(Kind.NEWS)
    _notify_in_batches(
        readers, draft, lambda _person: NotificationText(title, _("There is news from the club."))
    )
    return len(readers)


@idempotent
@task()
def notify_ladder_closed(ladder_id: str) -> int:
    """Notify everybody on a closed ladder, also about their open challenge; returns how many."""
    ladder = ladders.access_ladder(ladder_id)
    about = f"ladder:{ladder_id}"
    draft = Draft(kind=Kind.TOURNAMENT, key=f"{about}:closed", about=about, link=link_of(ladder))
    called_off = ladders.players_of_voided_challenges(ladder)

    def compose(person: Person) -> NotificationText:
        subject = _("%(ladder)s is closed") % {"ladder": name_of(ladder)}
        if person.user.pk not in called_off:
            return NotificationText(subject, _("The standings stay as they are."))
        return NotificationText(
            subject, _("Your open challenge no longer counts on the ladder, but you can finish the game.")
        )

    people = ladders.member_ids(ladder)
    _notify_in_batches(people, draft, compose)
    return len(people)


@idempotent
@task()
def notify_large_field(kind: str, facts: dict[str, Any], at: str) -> int:
    """Notify the many players of a tournament of an event of a kind; returns how many."""
    moment = facts.get("starts_at")
    moments = {"starts_at": datetime.fromisoformat(moment)} if moment else {}
    event = _TO_PLAYERS[kind](**{**facts, **moments})
    people = event.player_ids
    for some in batched(people, _AT_ONCE):
        notify_players(event, some, at=datetime.fromisoformat(at))
    return len(people)


@idempotent
@task()
def reschedule(user_id: int) -> None:
    """Reschedule what waits and was too much for one request, in turn with the tasks of others."""
    if rescheduling.reschedule_more(user_id=user_id, now=clock.now()):
        reschedule.enqueue(user_id)


def is_about_to_reschedule(user_id: int) -> bool:
    """Whether a task that has not begun will reschedule what waits for somebody."""
    waiting = DBTaskResult.objects.ready().filter(task_path=reschedule.module_path)
    return waiting.filter(args_kwargs__args=[user_id]).exists()


@idempotent
@task()
def mark_read_until(user_id: int, last: int, at: str) -> None:
    """Mark as read what was too much for one request."""
    reading.mark_read_until(user_id=user_id, last=last, at=datetime.fromisoformat(at))


def _notify_in_batches(people: Sequence[int], draft: Draft, compose: Compose) -> None:
    """Notify some at a time, each once."""
    for some in batched(people, _AT_ONCE):
        notify_users(some, draft, compose)
