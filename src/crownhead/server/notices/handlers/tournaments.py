"""What people are told of tournaments: invitations, rounds, appointments, what directors do, the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.urls import reverse
from django.utils.translation import gettext as _

from crownhead.server.competitions import events
from crownhead.server.core import clock
from crownhead.server.core.events import on
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.selectors.recipients import Person, name_of
from crownhead.server.notices.services.localized import Matter, Words, speak_to_all
from crownhead.server.notices.services.notify import read_about, withdraw

Table = events.Paired | events.AppointmentProposed | events.AppointmentAnswered | events.AppointmentSoon
Say = Callable[[Person, dict[str, object]], Words]

# What a director does to the games themselves is told with them.
_TOLD = {"entered", "edited", "removed", "expelled", "replaced", "forfeited"}


@on(events.InvitedToTournament)
def tell_the_invited(event: events.InvitedToTournament) -> None:
    """Somebody may enter."""
    _tell(
        event,
        [event.user_id],
        lambda _person, facts: Words(
            _("%(host)s invites you to the tournament %(name)s") % facts,
            _("You can enter on the tournament's page."),
        ),
        key="invited",
        kind=Kind.INVITED,
        actor=event.host_id,
    )


@on(events.Entered)
def forget_the_invitation(event: events.Entered) -> None:
    """It is answered."""
    about = _about(event)
    withdraw(about=about, user_id=event.user_id, kinds=[Kind.INVITED], now=clock.now())
    read_about(user_id=event.user_id, about=about, now=clock.now())


@on(events.TournamentStarted)
def tell_that_it_has_begun(event: events.TournamentStarted) -> None:
    """To all who play in it."""
    _tell(
        event,
        event.player_ids,
        lambda _person, facts: Words(_("The tournament %(name)s has started") % facts),
        key="started",
    )


@on(events.TournamentCancelled)
def tell_that_it_does_not_take_place(event: events.TournamentCancelled) -> None:
    """To all who had entered."""
    _tell(
        event,
        event.player_ids,
        lambda _person, facts: Words(_("The tournament %(name)s was cancelled") % facts, event.reason),
        key="cancelled",
    )


@on(events.RoundStarted)
def tell_of_the_round(event: events.RoundStarted) -> None:
    """When its games begin; of games that begin at once the players are told by these."""
    if event.starts_at <= clock.now():
        return

    def words(person: Person, facts: dict[str, object]) -> Words:
        facts |= {"round": event.round, "moment": person.moment(event.starts_at)}
        return Words(
            _("Round %(round)s of %(name)s is paired") % facts, _("It starts on %(moment)s.") % facts
        )

    _tell(event, event.player_ids, words, key=f"round:{event.round}")


@on(events.Paired)
def tell_of_the_pairing(event: events.Paired) -> None:
    """Who has nobody to play with; and who is to agree on a time with whom."""
    key = f"paired:{event.round}:{event.table}"
    if event.second_id is None:

        def bye(_person: Person, facts: dict[str, object]) -> Words:
            facts["round"] = event.round
            return Words(_("You have a bye in round %(round)s of %(name)s") % facts)

        _tell(event, [event.first_id], bye, key=key)
    elif event.by_appointment:
        for me, other in ((event.first_id, event.second_id), (event.second_id, event.first_id)):
            _tell(event, [me], _to_agree(event, other), key=key, kind=Kind.PAIRED, page=_table_page(event))


@on(events.AppointmentProposed)
def tell_of_the_proposal(event: events.AppointmentProposed) -> None:
    """The other is to agree."""

    def words(person: Person, facts: dict[str, object]) -> Words:
        facts |= {"opponent": name_of(event.by_id), "moment": person.moment(event.at)}
        return Words(
            _("%(opponent)s suggests playing on %(moment)s") % facts,
            _("This is about your game in %(name)s. Accept, or suggest another time.") % facts,
        )

    _tell(event, [event.to_id], words, key=_once("proposed"), kind=Kind.PAIRED, page=_table_page(event))


@on(events.AppointmentAnswered)
def tell_of_the_answer(event: events.AppointmentAnswered) -> None:
    """Who proposed hears it."""

    def words(person: Person, facts: dict[str, object]) -> Words:
        facts |= {"opponent": name_of(event.by_id), "moment": person.moment(event.at)}
        if event.agreed:
            return Words(_("%(opponent)s agreed: you play on %(moment)s") % facts, str(facts["name"]))
        said = _("Suggest another time for your game in %(name)s.") % facts
        return Words(_("%(opponent)s can't play on %(moment)s") % facts, said)

    _tell(event, [event.to_id], words, key=_once("answered"), kind=Kind.PAIRED, page=_table_page(event))


@on(events.AppointmentSoon)
def tell_that_it_is_time(event: events.AppointmentSoon) -> None:
    """Both are to be at the board."""

    def words(person: Person, facts: dict[str, object]) -> Words:
        facts["moment"] = person.moment(event.at)
        return Words(_("Your game in %(name)s starts on %(moment)s") % facts)

    key = f"soon:{event.round}:{event.table}:{event.at.isoformat()}"
    _tell(event, event.player_ids, words, key=key, kind=Kind.PAIRED, page=_table_page(event))


@on(events.DirectorActed)
def tell_whom_it_concerns(event: events.DirectorActed) -> None:
    """A director has decided something about them."""
    if event.verb in _TOLD:
        _tell(
            event,
            event.player_ids,
            lambda _person, facts: Words(_said(event.verb) % {**facts, "text": event.text}, event.reason),
            key=_once(event.verb),
        )


@on(events.DirectorNeeded)
def tell_the_host(event: events.DirectorNeeded) -> None:
    """It cannot go on by itself."""
    _tell(
        event,
        [event.host_id],
        lambda _person, facts: Words(_("The tournament %(name)s needs you") % facts, event.sentence),
        key=_once("needed"),
    )


@on(events.TournamentFinished)
def tell_that_it_is_over(event: events.TournamentFinished) -> None:
    """To all who played in it."""
    winners = ", ".join(name_of(key) for key in event.winner_ids)

    def words(person: Person, facts: dict[str, object]) -> Words:
        subject = _("The tournament %(name)s is over") % facts
        if person.user.pk in event.winner_ids:
            alone = len(event.winner_ids) == 1
            return Words(subject, _("You won it.") if alone else _("You share first place."))
        return Words(subject, _("First place goes to %(names)s.") % {"names": winners} if winners else "")

    _tell(event, event.player_ids, words, key="finished")


@on(events.TrophyWon)
def tell_of_the_trophy(event: events.TrophyWon) -> None:
    """It stands on the winner's profile."""
    _tell(
        event,
        [event.user_id],
        lambda _person, facts: Words(
            _("You won a trophy: %(trophy)s") % {"trophy": event.trophy},
            _("Place %(place)s in %(name)s.") % {**facts, "place": event.place},
        ),
        key="trophy",
        kind=Kind.TROPHY,
    )


def _tell(
    event: events.TournamentChanged,
    people: Iterable[int],
    say: Say,
    *,
    key: str,
    kind: Kind = Kind.TOURNAMENT,
    actor: int | None = None,
    page: str = "",
) -> None:
    matter = Matter(
        kind=kind,
        key=f"{_about(event)}:{key}",
        about=_about(event),
        link=page or reverse("competitions:tournament", args=[event.tournament_id]),
        actor_id=actor,
    )
    host = name_of(event.host_id)
    speak_to_all(people, matter, lambda person: say(person, {"name": event.name, "host": host}))


def _table_page(event: Table) -> str:
    return reverse("competitions:round", args=[event.tournament_id, event.round])


def _to_agree(event: events.Paired, other: int) -> Say:
    def words(_person: Person, facts: dict[str, object]) -> Words:
        facts |= {"opponent": name_of(other), "round": event.round}
        return Words(
            _("You play %(opponent)s in round %(round)s of %(name)s") % facts,
            _("Agree on a time with your opponent."),
        )

    return words


def _said(verb: str) -> str:
    return {
        "entered": _("A director entered you in %(name)s"),
        "edited": _("The terms of the tournament %(name)s have changed"),
        "removed": _("A director removed you from %(name)s"),
        "expelled": _("A director expelled you from %(name)s"),
        "replaced": _("A player was replaced in %(name)s: %(text)s"),
        "forfeited": _("A director forfeited a game in %(name)s: %(text)s"),
    }[verb]


def _once(name: str) -> str:
    """It happens at this moment, and may happen again later."""
    return f"{name}:{clock.now().isoformat()}"


def _about(event: events.TournamentChanged) -> str:
    return f"tournament:{event.tournament_id}"
