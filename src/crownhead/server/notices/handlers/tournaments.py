"""Notify people of tournaments: invitations, rounds, appointments, directors' decisions, the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from crownhead.server.accounts import selectors as accounts
from crownhead.server.competitions import events
from crownhead.server.core import clock
from crownhead.server.core.events import on
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.selectors.recipients import Person, name_of
from crownhead.server.notices.services.notify import NotificationText, read_about, withdraw
from crownhead.server.notices.services.tournaments import (
    Compose,
    ToPlayers,
    about_tournament,
    notify_people,
    notify_players,
)
from crownhead.server.notices.tasks import notify_large_field

PairingEvent = (
    events.Paired | events.AppointmentProposed | events.AppointmentAnswered | events.AppointmentSoon
)
MAX_AT_ONCE = 100  # players who are notified in the request itself

# What a director does to a game is notified with the game.
_NOTIFIED = {"edited", "removed", "expelled", "replaced", "forfeited"}


@on(events.InvitedToTournament)
def notify_invited(event: events.InvitedToTournament) -> None:
    """Notify the invited players."""
    by = name_of(event.by_id)

    def compose(_person: Person, facts: dict[str, object]) -> NotificationText:
        facts["by"] = by
        answer = _("Accept or decline on the tournament's page.")
        if event.replaces_id is None:
            return NotificationText(_("%(by)s invites you to the tournament %(name)s") % facts, answer)
        facts["other"] = name_of(event.replaces_id)
        subject = _("%(by)s invites you to take %(other)s's place in %(name)s") % facts
        return NotificationText(subject, answer)

    key = _at_this_moment("invited" if event.replaces_id is None else f"substitute:{event.replaces_id}")
    notify_people(event, event.user_ids, compose, key=key, kind=Kind.INVITED, actor=event.by_id)


@on(events.InvitationAnswered)
def notify_invitation_answered(event: events.InvitationAnswered) -> None:
    """Notify the director of the answer."""
    yes, no = (
        gettext_noop("%(player)s plays in %(name)s"),
        gettext_noop("%(player)s declined your invitation to %(name)s"),
    )
    _notify_answered(event, event.by_id, key="answered", subject=yes if event.accepted else no)


@on(events.InvitationWithdrawn)
def withdraw_invitation(event: events.InvitationWithdrawn) -> None:
    """Withdraw the notification of an invitation that a director has withdrawn."""
    _withdraw_invitation(event, event.user_id)


@on(events.AskedToDirect)
def notify_asked_to_direct(event: events.AskedToDirect) -> None:
    """Notify the players who are asked to direct a tournament, without those who have blocked its host."""
    asked = frozenset(event.user_ids) - accounts.blocker_ids(event.host_id, event.user_ids)
    by = name_of(event.by_id)

    def compose(_person: Person, facts: dict[str, object]) -> NotificationText:
        facts["by"] = by
        return NotificationText(
            _("%(by)s asks you to direct the tournament %(name)s") % facts,
            _("Accept or decline on the tournament's page."),
        )

    notify_people(event, asked, compose, key="directing", kind=Kind.INVITED, actor=event.by_id)


@on(events.DirectingAnswered)
def notify_directing_answered(event: events.DirectingAnswered) -> None:
    """Notify the host of the answer."""
    yes, no = (
        gettext_noop("%(player)s directs %(name)s with you"),
        gettext_noop("%(player)s won't direct %(name)s"),
    )
    _notify_answered(event, event.host_id, key="directing", subject=yes if event.accepted else no)


@on(events.StartSet)
def notify_start_set(event: events.StartSet) -> None:
    """Notify all players of the date that their tournament has now."""
    _notify_players(event)


@on(events.TournamentStarted)
def notify_started(event: events.TournamentStarted) -> None:
    """Notify all players of the tournament."""
    _notify_players(event)


@on(events.TournamentCancelled)
def notify_cancelled(event: events.TournamentCancelled) -> None:
    """Notify everybody who had entered, and withdraw the invitations that nobody can accept any more."""
    _withdraw_invitations(event)
    _notify_players(event)


@on(events.RoundStarted)
def notify_round(event: events.RoundStarted) -> None:
    """Notify the players when a round starts later; otherwise they are notified of their games."""
    if event.starts_at <= clock.now():
        return

    def compose(person: Person, facts: dict[str, object]) -> NotificationText:
        facts |= {"round": event.round, "moment": person.moment(event.starts_at)}
        return NotificationText(
            _("Round %(round)s of %(name)s is paired") % facts, _("It starts on %(moment)s.") % facts
        )

    notify_people(event, event.player_ids, compose, key=f"round:{event.round}")


@on(events.Paired)
def notify_paired(event: events.Paired) -> None:
    """Notify players who have a bye, and pairs that have to agree on a time."""
    key = f"paired:{event.round}:{event.table}"
    if event.second_id is None:

        def bye(_person: Person, facts: dict[str, object]) -> NotificationText:
            facts["round"] = event.round
            return NotificationText(_("You have a bye in round %(round)s of %(name)s") % facts)

        notify_people(event, [event.first_id], bye, key=key)
    elif event.by_appointment:
        for me, other in ((event.first_id, event.second_id), (event.second_id, event.first_id)):
            notify_people(
                event,
                [me],
                _appointment_text(event, other),
                key=key,
                kind=Kind.PAIRED,
                page=_round_page(event),
            )


@on(events.AppointmentProposed)
def notify_appointment_proposed(event: events.AppointmentProposed) -> None:
    """Notify the opponent of a proposed time."""

    def compose(person: Person, facts: dict[str, object]) -> NotificationText:
        facts |= {"opponent": name_of(event.by_id), "moment": person.moment(event.at)}
        return NotificationText(
            _("%(opponent)s suggests playing on %(moment)s") % facts,
            _("This is about your game in %(name)s. Accept, or suggest another time.") % facts,
        )

    notify_people(
        event,
        [event.to_id],
        compose,
        key=_at_this_moment("proposed"),
        kind=Kind.PAIRED,
        page=_round_page(event),
    )


@on(events.AppointmentAnswered)
def notify_answered(event: events.AppointmentAnswered) -> None:
    """Notify the player who proposed the time."""

    def compose(person: Person, facts: dict[str, object]) -> NotificationText:
        facts |= {"opponent": name_of(event.by_id), "moment": person.moment(event.at)}
        if event.agreed:
            return NotificationText(
                _("%(opponent)s agreed: you play on %(moment)s") % facts, str(facts["name"])
            )
        template = _("Suggest another time for your game in %(name)s.") % facts
        return NotificationText(_("%(opponent)s can't play on %(moment)s") % facts, template)

    notify_people(
        event,
        [event.to_id],
        compose,
        key=_at_this_moment("answered"),
        kind=Kind.PAIRED,
        page=_round_page(event),
    )


@on(events.AppointmentSoon)
def notify_appointment_soon(event: events.AppointmentSoon) -> None:
    """Notify both players that their game starts soon, or that it starts at another time."""

    def compose(person: Person, facts: dict[str, object]) -> NotificationText:
        facts["moment"] = person.moment(event.at)
        return NotificationText(_("Your game in %(name)s starts on %(moment)s") % facts)

    key = f"soon:{event.round}:{event.table}:{event.at.isoformat()}:{event.since.isoformat()}"
    notify_people(event, event.player_ids, compose, key=key, kind=Kind.PAIRED, page=_round_page(event))


@on(events.DirectorActed)
def notify_director_acted(event: events.DirectorActed) -> None:
    """Notify the players whom a director's decision concerns."""
    if event.verb in _NOTIFIED:
        _notify_players(event)


@on(events.Paused)
def notify_paused(event: events.Paused) -> None:
    """Notify players of an arena that they are paused, and how they go on."""
    notify_people(
        event,
        event.player_ids,
        lambda _person, facts: NotificationText(
            _("You are paused in %(name)s") % facts,
            _("You lost a game by forfeit. To get new games, resume on the tournament's page."),
        ),
        key=_at_this_moment("paused"),
    )


@on(events.RoundHeld)
def notify_round_held(event: events.RoundHeld) -> None:
    """Notify the host that a round waits for its release."""
    _notify_decision(
        event, lambda: _("Round %(round)s is paired and waits to be released.") % {"round": event.round}
    )


@on(events.DirectorNeeded)
def notify_director_needed(event: events.DirectorNeeded) -> None:
    """Notify the host that the tournament needs a decision."""
    _notify_decision(event, lambda: _(event.sentence))


@on(events.HandedOver)
def notify_handed_over(event: events.HandedOver) -> None:
    """Notify a director that they host the tournament now, and that it waits for them to start it."""
    notify_people(
        event,
        [event.host_id],
        lambda _person, facts: NotificationText(
            _("You host the tournament %(name)s now") % facts,
            _("Its host has closed their account. The tournament begins when you start it.")
            if event.starts_by_hand
            else _("Its host has closed their account."),
        ),
        key=_at_this_moment("host"),
    )


@on(events.TournamentFinished)
def notify_finished(event: events.TournamentFinished) -> None:
    """Notify all players of the result, and withdraw the invitations that nobody can accept any more."""
    _withdraw_invitations(event)
    winners = ", ".join(name_of(key) for key in event.winner_ids)

    def compose(person: Person, facts: dict[str, object]) -> NotificationText:
        subject = _("The tournament %(name)s is over") % facts
        if person.user.pk in event.winner_ids:
            alone = len(event.winner_ids) == 1
            return NotificationText(subject, _("You won it.") if alone else _("You share first place."))
        return NotificationText(
            subject, _("First place goes to %(names)s.") % {"names": winners} if winners else ""
        )

    notify_people(event, event.player_ids, compose, key="finished")


@on(events.TrophyWon)
def notify_trophy(event: events.TrophyWon) -> None:
    """Notify the winner of a trophy, which the host has named."""

    def compose(person: Person, facts: dict[str, object]) -> NotificationText:
        subject = _("You won a trophy: %(trophy)s") % {"trophy": event.trophy}
        if person.has_blocked(event.host_id):
            subject = _("You won a trophy")
        return NotificationText(subject, _("Place %(place)s in %(name)s.") % {**facts, "place": event.place})

    notify_people(event, [event.user_id], compose, key="trophy", kind=Kind.TROPHY)


def _notify_decision(event: events.RoundHeld | events.DirectorNeeded, why: Callable[[], str]) -> None:
    """Notify the host of a decision that only a director can make; ``why`` is asked in their language."""
    notify_people(
        event,
        [event.host_id],
        lambda _person, facts: NotificationText(
            _("The tournament %(name)s needs a decision from you") % facts, why()
        ),
        key=_at_this_moment("needed"),
    )


def _notify_players(event: ToPlayers) -> None:
    """Notify the players of the tournament; a large field is left to the worker."""
    now = clock.now()
    if len(event.player_ids) <= MAX_AT_ONCE:
        notify_players(event, event.player_ids, at=now)
    else:
        facts = {**asdict(event), "player_ids": list(event.player_ids)}
        if isinstance(event, events.StartSet):
            facts["starts_at"] = event.starts_at.isoformat() if event.starts_at else None
        notify_large_field.enqueue(type(event).__name__, facts, now.isoformat())


def _notify_answered(
    event: events.InvitationAnswered | events.DirectingAnswered, asker_id: int, *, key: str, subject: str
) -> None:
    """Notify who asked of the answer; the invitation asks for nothing any more."""
    _withdraw_invitation(event, event.user_id)

    def compose(_person: Person, facts: dict[str, object]) -> NotificationText:
        facts["player"] = name_of(event.user_id)
        return NotificationText(_(subject) % facts)

    notify_people(
        event,
        [asker_id],
        compose,
        key=f"{key}:{event.user_id}:{event.accepted}",
        kind=Kind.ANSWERED,
        actor=event.user_id,
    )


def _withdraw_invitation(event: events.TournamentChanged, user_id: int) -> None:
    """Withdraw the notification of an invitation that is answered."""
    about = about_tournament(event)
    withdraw(about=about, user_id=user_id, kinds=[Kind.INVITED], now=clock.now())
    read_about(user_id=user_id, about=about, now=clock.now())


def _withdraw_invitations(event: events.TournamentCancelled | events.TournamentFinished) -> None:
    """Withdraw the notifications of all invitations that are still open."""
    withdraw(about=about_tournament(event), kinds=[Kind.INVITED], now=clock.now())


def _round_page(event: PairingEvent) -> str:
    return reverse("competitions:round", args=[event.tournament_id, event.round])


def _appointment_text(event: events.Paired, other: int) -> Compose:
    def compose(_person: Person, facts: dict[str, object]) -> NotificationText:
        facts |= {"opponent": name_of(other), "round": event.round}
        return NotificationText(
            _("You play %(opponent)s in round %(round)s of %(name)s") % facts,
            _("Agree on a time with your opponent."),
        )

    return compose


def _at_this_moment(name: str) -> str:
    """Return a key with the time, because the same thing may happen again."""
    return f"{name}:{clock.now().isoformat()}"
