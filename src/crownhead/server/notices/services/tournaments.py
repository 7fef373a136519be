"""Notify people of a tournament, and its whole field of what concerns everybody in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from crownhead.server.competitions import events
from crownhead.server.competitions import selectors as competitions
from crownhead.server.competitions.presenters.log import pairing_in_words
from crownhead.server.competitions.selectors.starts import why_cancelled
from crownhead.server.core import clock
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.selectors.recipients import Person, name_of
from crownhead.server.notices.services.notify import Draft, NotificationText, notify_users, supersede

Compose = Callable[[Person, dict[str, object]], NotificationText]
ToPlayers = events.StartSet | events.TournamentStarted | events.TournamentCancelled | events.DirectorActed

EDITED, START = "edited", "start"


def about_tournament(event: events.TournamentChanged) -> str:
    """Return what the notifications of a tournament are about."""
    return f"tournament:{event.tournament_id}"


def notify_people(
    event: events.TournamentChanged,
    people: Iterable[int],
    compose: Compose,
    *,
    key: str,
    kind: Kind = Kind.TOURNAMENT,
    actor: int | None = None,
    page: str = "",
    gathered: bool = False,
) -> None:
    """Notify people of an event; the texts are given the names of the tournament and its host."""
    about = about_tournament(event)
    draft = Draft(
        kind=kind,
        key=f"{about}:{key}",
        about=about,
        link=page or reverse("competitions:tournament", args=[event.tournament_id]),
        actor_id=actor,
        gathered=gathered,
    )
    host = name_of(event.host_id)
    notify_users(people, draft, lambda person: compose(person, {"name": event.name, "host": host}))


def notify_players(event: ToPlayers, players: Iterable[int], *, at: datetime) -> None:
    """Notify these players of an event that concerns them all; ``at``: when it happened."""
    if isinstance(event, events.TournamentStarted):
        notify_people(event, players, _started, key="started")
    elif isinstance(event, events.StartSet):
        told = list(players)
        about = about_tournament(event)
        supersede(about=about, key=f"{about}:{START}:", user_ids=told, before=at, now=clock.now())
        notify_people(event, told, _start_set(event), key=f"{START}:{at.isoformat()}")
    elif isinstance(event, events.TournamentCancelled):
        notify_people(event, players, _cancelled(event), key="cancelled")
    else:
        key = f"{event.verb}:{at.isoformat()}"  # the same thing may happen again
        notify_people(event, players, _decided(event), key=key, gathered=event.verb == EDITED)


def _started(_person: Person, facts: dict[str, object]) -> NotificationText:
    return NotificationText(_("The tournament %(name)s has started") % facts)


def _start_set(event: events.StartSet) -> Compose:
    def compose(person: Person, facts: dict[str, object]) -> NotificationText:
        if event.starts_at is None:
            return NotificationText(
                _("The tournament %(name)s did not start") % facts,
                _("Too few players were left. It waits until it is full again."),
            )
        facts["moment"] = person.moment(event.starts_at)
        if event.why == events.Why.FULL:
            return NotificationText(
                _("The tournament %(name)s is full") % facts,
                _(
                    "It starts once all players are here, or on %(moment)s. "
                    "If you can't come, withdraw before it starts: you lose nothing."
                )
                % facts,
            )
        return NotificationText(
            _("The start of %(name)s was moved") % facts,
            _("The new time is %(moment)s. If you can't come, withdraw before it starts: you lose nothing.")
            % facts,
        )

    return compose


def _cancelled(event: events.TournamentCancelled) -> Compose:
    tournament = None if event.reason else competitions.access_tournament(event.tournament_id)

    def compose(person: Person, facts: dict[str, object]) -> NotificationText:
        why = "" if tournament is None else why_cancelled(tournament)
        return NotificationText(
            _("The tournament %(name)s was cancelled") % facts, why or _reason(event, person)
        )

    return compose


def _decided(event: events.DirectorActed) -> Compose:
    return lambda person, facts: NotificationText(
        _decision_text(event, person) % {**facts, "text": pairing_in_words(event.text)},
        _reason(event, person),
    )


def _reason(event: events.TournamentCancelled | events.DirectorActed, person: Person) -> str:
    """The reason, except for those who have blocked the director who gave it."""
    return "" if person.has_blocked(event.by_id) else event.reason


def _decision_text(event: events.DirectorActed, person: Person) -> str:
    """The sentence; a tournament may have been renamed since those who have blocked its host entered it."""
    if event.verb == EDITED and person.has_blocked(event.host_id):
        return _("The terms of one of your tournaments have changed")
    return {
        EDITED: _("The terms of the tournament %(name)s have changed"),
        "removed": _("A director removed you from %(name)s"),
        "expelled": _("A director expelled you from %(name)s"),
        "replaced": _("A player was replaced in %(name)s: %(text)s"),
        "forfeited": _("A director forfeited a game in %(name)s: %(text)s"),
    }[event.verb]
