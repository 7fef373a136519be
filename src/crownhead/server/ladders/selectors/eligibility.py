"""Challenge eligibility: whom a member may challenge now, and why not the others."""

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
from crownhead.server.ladders.selectors import challenge_facts, styles
from crownhead.server.ladders.selectors.challenge_facts import Facts
from crownhead.server.ladders.selectors.styles import MOST_RECEIVED, NUMBERS, Refusal


@dataclass(frozen=True, slots=True)
class Ineligibility:
    """The reason against a challenge, also as a sentence."""

    reason: Refusal
    sentence: str


def check(
    ladder: Ladder, me: Member, others: Iterable[Member], *, now: datetime
) -> dict[int, Ineligibility | None]:
    """The reason against challenging each of the others, by user; None if there is none."""
    people = list(others)
    known = challenge_facts.gather(ladder, me, people, now=now)
    return {person.user_id: _check(ladder, known, person) for person in people}


def expect_eligible(ladder: Ladder, me: Member, person: User, now: datetime) -> Member:
    """The member to challenge; raises ``ChallengeRefused`` with the reason against it."""
    them = access.members(ladder).filter(user=person).first()
    if them is None:
        ineligible: Ineligibility | None = _ineligible(ladder, Refusal.NOT_ON_LADDER, person, None)
    else:
        ineligible = check(ladder, me, [them], now=now)[person.pk]
    if ineligible is not None:
        raise problems.ChallengeRefused(ineligible.sentence, reason=ineligible.reason.value)
    assert them is not None
    return them


def _check(ladder: Ladder, known: Facts, member: Member) -> Ineligibility | None:
    key, them = member.user_id, known.others[member.user_id]
    refusal = _general_refusal(ladder, known, member.user) or styles.refusal(
        ladder.style, known.me, them, returned=known.returned.get(key, 0)
    )
    if refusal is None:
        return None
    return _ineligible(ladder, refusal, member.user, known.away.get(key), received=len(them.challenged_by))


def _general_refusal(ladder: Ladder, known: Facts, person: User) -> Refusal | None:
    """A reason that does not come from the rules of the ladder."""
    if ladder.closed_at is not None:
        return Refusal.CLOSED
    if not person.is_active:
        return Refusal.GONE
    if person.pk in known.ignored:
        return Refusal.BLOCKED
    return Refusal.NOT_WELCOME if person.pk in known.ignoring else None


def _ineligible(
    ladder: Ladder, refusal: Refusal, person: User, away: datetime | None, *, received: int = 0
) -> Ineligibility:
    sentences = _ON_STAIRS if ladder.style == Style.STAIRS else _ON_PLACES
    text = (sentences.get(refusal) or _ANYWHERE[refusal])()
    if refusal is Refusal.CHALLENGED_ALREADY and sentences is _ON_PLACES and received < MOST_RECEIVED:
        text = _(
            "You have played %(name)s in the last %(days)s days, and so had %(returned)s others whose "
            "challenges are still open. Try again later."
        )
    if refusal is Refusal.AWAY and away is not None:
        text = _("%(name)s is on vacation until %(date)s.")
    until = "" if away is None else date_format(away, "SHORT_DATE_FORMAT")
    facts = {"name": person.username, "date": until, **NUMBERS[ladder.style], "received": received}
    return Ineligibility(refusal, text % facts)


_ANYWHERE = {
    Refusal.CLOSED: lambda: _("The ladder is closed."),
    Refusal.NOT_ON_LADDER: lambda: _("%(name)s is not on this ladder."),
    Refusal.GONE: lambda: _("%(name)s has closed their account."),
    Refusal.BLOCKED: lambda: _("You have blocked %(name)s."),
    Refusal.NOT_WELCOME: lambda: _("You can't challenge %(name)s."),
    Refusal.SELF: lambda: _("You can't challenge yourself."),
    Refusal.AWAY: lambda: _("%(name)s is on vacation."),
    Refusal.OPEN_BETWEEN: lambda: _("You already have an open challenge with %(name)s."),
    Refusal.OWN_CHALLENGES: lambda: _("You can have at most %(own)s open challenges of your own."),
    Refusal.CHALLENGED_ALREADY: lambda: _(
        "%(name)s has already been challenged and has to finish that first."
    ),
    Refusal.MET_LATELY: lambda: _("You have played %(name)s in the last %(days)s days."),
}
_ON_PLACES = {
    Refusal.CHALLENGED_ALREADY: lambda: _(
        "%(name)s already has %(received)s open challenges from others. Try again when some of them are over."
    ),
    Refusal.TOO_HIGH: lambda: _("%(name)s is more than %(reach)s places above you."),
    Refusal.TOO_LOW: lambda: _("%(name)s is more than %(reach)s places below you."),
    Refusal.MET_LATELY: lambda: _(
        "You did not finish your challenge to %(name)s. You can challenge them again after %(days)s days."
    ),
}
_ON_STAIRS = {
    Refusal.TOO_HIGH: lambda: _("%(name)s is on a higher step than you."),
    Refusal.TOO_LOW: lambda: _("%(name)s is more than %(reach)s steps below you."),
    Refusal.OWN_CHALLENGES: lambda: _("You can have only one open challenge of your own."),
}
