"""Whom somebody may challenge now, and why not the others, in a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.ladders import access, problems
from crownhead.server.ladders.choices import Style
from crownhead.server.ladders.models import Ladder, Member
from crownhead.server.ladders.selectors import challenge_facts
from crownhead.server.ladders.selectors.challenge_facts import Facts
from crownhead.server.ladders.services import styles
from crownhead.server.ladders.services.styles import Refusal


@dataclass(frozen=True, slots=True)
class Against:
    """What stands against a challenge, and in a sentence."""

    reason: Refusal
    sentence: str


def of(ladder: Ladder, me: Member, others: Iterable[Member], *, now: datetime) -> dict[int, Against | None]:
    """For each of the others, by key, what stands against a challenge; None: nothing."""
    people = list(others)
    known = challenge_facts.gather(ladder, me, people, now=now)
    return {person.user_id: _against(ladder, known, person) for person in people}


def expect(ladder: Ladder, me: Member, person: User, now: datetime) -> Member:
    """The one who is to be challenged; raises ``ChallengeRefused`` with the reason, if there is one."""
    them = access.members(ladder).filter(user=person).first()
    if them is None:
        against: Against | None = _told(ladder, Refusal.NOT_ON_LADDER, person, None)
    else:
        against = of(ladder, me, [them], now=now)[person.pk]
    if against is not None:
        raise problems.ChallengeRefused(against.sentence, reason=against.reason.value)
    assert them is not None
    return them


def _against(ladder: Ladder, known: Facts, member: Member) -> Against | None:
    found = _apart(ladder, known, member.user)
    refusal = found or styles.refusal(ladder.style, known.me, known.others[member.user_id])
    if refusal is None:
        return None
    return _told(ladder, refusal, member.user, known.away.get(member.user_id))


def _apart(ladder: Ladder, known: Facts, person: User) -> Refusal | None:
    """What the club has against it, rather than the rules of the ladder."""
    if ladder.closed_at is not None:
        return Refusal.CLOSED
    if not person.is_active:
        return Refusal.GONE
    if person.pk in known.ignored:
        return Refusal.IGNORED
    return Refusal.NOT_WELCOME if person.pk in known.ignoring else None


def _told(ladder: Ladder, refusal: Refusal, person: User, away: datetime | None) -> Against:
    sentences = _ON_STAIRS if ladder.style == Style.STAIRS else _ON_PLACES
    text = (sentences.get(refusal) or _ANYWHERE[refusal])()
    said = text % {"name": person.username, **styles.NUMBERS[ladder.style]}
    if refusal is Refusal.AWAY and away is not None:
        said += " " + _("Until %(date)s.") % {"date": date_format(away, "SHORT_DATE_FORMAT")}
    return Against(refusal, said)


_ANYWHERE = {
    Refusal.CLOSED: lambda: _("The ladder is closed."),
    Refusal.NOT_ON_LADDER: lambda: _("%(name)s is not on this ladder."),
    Refusal.GONE: lambda: _("%(name)s has left the club."),
    Refusal.IGNORED: lambda: _("You ignore %(name)s."),
    Refusal.NOT_WELCOME: lambda: _("%(name)s does not take challenges from you."),
    Refusal.SELF: lambda: _("That is you."),
    Refusal.AWAY: lambda: _("%(name)s is on vacation."),
    Refusal.OPEN_BETWEEN: lambda: _("A challenge between you and %(name)s is open."),
    Refusal.OWN_CHALLENGES: lambda: _(
        "You have %(own)s open challenges of your own, as many as one may have."
    ),
    Refusal.CHALLENGED_ALREADY: lambda: _("%(name)s has been challenged already and has to play that first."),
    Refusal.MET_LATELY: lambda: _("You have met %(name)s within the last %(days)s days."),
}
_ON_PLACES = {
    Refusal.TOO_HIGH: lambda: _("%(name)s stands more than %(reach)s places above you."),
    Refusal.TOO_LOW: lambda: _("%(name)s stands more than %(reach)s places below you."),
}
_ON_STAIRS = {
    Refusal.TOO_HIGH: lambda: _("%(name)s stands on a higher step than you."),
    Refusal.TOO_LOW: lambda: _("%(name)s stands more than %(reach)s steps below you."),
    Refusal.OWN_CHALLENGES: lambda: _("You have an open challenge of your own, and one is all one may have."),
}
