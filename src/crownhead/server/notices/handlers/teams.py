"""Notify people of teams: join requests, invitations, captains and matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from crownhead.server.accounts import selectors as accounts
from crownhead.server.core import clock
from crownhead.server.core.events import on
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.models import Delivery, Notice, State
from crownhead.server.notices.selectors.recipients import Person, name_of, person
from crownhead.server.notices.services.notify import (
    Draft,
    NotificationText,
    forget,
    notify_users,
    read_about,
)
from crownhead.server.play.matches.presenters import points
from crownhead.server.teams import events
from crownhead.server.teams.choices import Side
from crownhead.server.teams.selectors import matches, member_ids

# What one can do, take back, and do again.
_REPEATED = (
    *(events.AskedToJoin, events.InvitedToTeam, events.AskedToLead, events.AvailabilityChanged),
    events.MemberLeft,
)


@on(events.AskedToJoin)
def notify_captain(event: events.AskedToJoin) -> None:
    """Notify the captain of a join request."""
    facts = {"name": name_of(event.user_id), "team": event.team}
    _notify_of_team(
        event,
        [event.captain_id],
        lambda: NotificationText(_("%(name)s wants to join %(team)s") % facts, event.message),
        actor=event.user_id,
        page="teams:members",
    )


@on(events.InvitedToTeam)
def notify_invited(event: events.InvitedToTeam) -> None:
    """Notify the invited player."""
    facts = {"name": name_of(event.by_id), "team": event.team}
    _notify_of_team(
        event,
        [event.user_id],
        lambda: NotificationText(_("%(name)s invites you to join the team %(team)s") % facts, event.message),
        actor=event.by_id,
    )


@on(events.AskingWithdrawn)
def forget_asking(event: events.AskingWithdrawn) -> None:
    """What somebody wrote who asked to join is forgotten when they take it back, and not sent any more."""
    _forget_words(event, events.AskedToJoin)


@on(events.InvitationWithdrawn)
def forget_invitation(event: events.InvitationWithdrawn) -> None:
    """Likewise of an invitation that the captain has withdrawn."""
    _forget_words(event, events.InvitedToTeam)


@on(events.AskingAnswered)
def notify_applicant(event: events.AskingAnswered) -> None:
    """Notify the applicant of the captain's answer."""
    facts = {"team": event.team}

    def compose() -> NotificationText:
        yes, no = _("You are now a member of %(team)s"), _("%(team)s declined your request to join")
        return NotificationText((yes if event.accepted else no) % facts)

    _notify_of_team(event, [event.user_id], compose, actor=event.captain_id)


@on(events.InvitationAnswered)
def notify_inviter(event: events.InvitationAnswered) -> None:
    """Notify the captain of the answer to an invitation."""
    read_about(user_id=event.user_id, about=_about_team(event.team_id), now=clock.now())
    facts = {"name": name_of(event.user_id), "team": event.team}

    def compose() -> NotificationText:
        yes, no = _("%(name)s joined %(team)s"), _("%(name)s declined your invitation to %(team)s")
        return NotificationText((yes if event.accepted else no) % facts)

    _notify_of_team(event, [event.captain_id], compose, actor=event.user_id)


@on(events.MemberLeft)
def notify_member_left(event: events.MemberLeft) -> None:
    """Notify a member who was removed, or the captain of a member who left."""
    facts = {"name": name_of(event.user_id), "team": event.team}
    if event.removed:
        _notify_of_team(
            event,
            [event.user_id],
            lambda: NotificationText(_("You were removed from the team %(team)s") % facts),
            actor=event.captain_id,
        )
    else:
        _notify_of_team(
            event,
            [event.captain_id],
            lambda: NotificationText(_("%(name)s left %(team)s") % facts),
            actor=event.user_id,
        )


@on(events.CaptainChanged)
def notify_new_captain(event: events.CaptainChanged) -> None:
    """Notify the new captain."""
    facts = {"team": event.team}
    _notify_of_team(
        event, [event.captain_id], lambda: NotificationText(_("You are now the captain of %(team)s") % facts)
    )


@on(events.AskedToLead)
def notify_asked_to_lead(event: events.AskedToLead) -> None:
    """Notify the member who is asked to become captain."""
    facts = {"team": event.team}
    _notify_of_team(
        event,
        [event.user_id],
        lambda: NotificationText(
            _("You have been asked to become captain of %(team)s") % facts,
            _("Accept or decline on its page."),
        ),
        actor=event.captain_id,
    )


@on(events.LeadingDeclined)
def notify_leading_declined(event: events.LeadingDeclined) -> None:
    """Notify the captain."""
    facts = {"name": name_of(event.user_id), "team": event.team}
    _notify_of_team(
        event,
        [event.captain_id],
        lambda: NotificationText(_("%(name)s does not want to become captain of %(team)s") % facts),
        actor=event.user_id,
    )


@on(events.TeamMatchProposed)
def notify_match_proposed(event: events.TeamMatchProposed) -> None:
    """Notify the captain of the challenged team."""
    _notify_of_match(
        event,
        [event.away_captain_id],
        lambda facts: NotificationText(
            _("%(home)s proposes a match to %(away)s") % facts, _("Accept or decline.")
        ),
        actor=event.home_captain_id,
    )


@on(events.TeamMatchAnswered)
def notify_match_answered(event: events.TeamMatchAnswered) -> None:
    """Notify the captain who proposed the match."""

    def compose(facts: dict[str, str]) -> NotificationText:
        if not event.accepted:
            return NotificationText(_("%(away)s declined the match against %(home)s") % facts)
        return NotificationText(
            _("%(away)s accepted the match against %(home)s") % facts, _("Choose your line-up.")
        )

    read_about(user_id=event.away_captain_id, about=_about_match(event.match_id), now=clock.now())
    _notify_of_match(event, [event.home_captain_id], compose, actor=event.away_captain_id)


@on(events.MembersAskedToPlay)
def notify_asked_to_play(event: events.MembersAskedToPlay) -> None:
    """Ask members whether they can play, for their captain."""
    _notify_of_match(
        event,
        event.user_ids,
        lambda facts: NotificationText(
            _("%(home)s plays a match against %(away)s") % facts, _("Say whether you can play.")
        ),
        actor=event.captain_id,
    )


@on(events.AvailabilityChanged)
def notify_available(event: events.AvailabilityChanged) -> None:
    """Notify the captain of a member who can play, or no longer can."""
    if event.captain_id == event.user_id:
        return
    name = {"name": name_of(event.user_id)}
    yes, no = (
        gettext_noop("%(name)s can play in the match between %(home)s and %(away)s"),
        gettext_noop("%(name)s can't play in the match between %(home)s and %(away)s after all"),
    )
    _notify_of_match(
        event,
        [event.captain_id],
        lambda facts: NotificationText(_(yes if event.available else no) % {**facts, **name}),
        actor=event.user_id,
    )


@on(events.TeamMatchWithdrawn)
def notify_match_withdrawn(event: events.TeamMatchWithdrawn) -> None:
    """Notify the captain who did not cancel the match."""
    captains = {event.home_captain_id, event.away_captain_id} - {event.by_id}
    _notify_of_match(
        event,
        captains,
        lambda facts: NotificationText(_("The match between %(home)s and %(away)s was cancelled") % facts),
        actor=event.by_id,
    )


@on(events.TeamMatchExpired)
def notify_match_expired(event: events.TeamMatchExpired) -> None:
    """Notify the captain who proposed the match."""
    read_about(user_id=event.away_captain_id, about=_about_match(event.match_id), now=clock.now())
    _notify_of_match(
        event,
        [event.home_captain_id],
        lambda facts: NotificationText(
            _("%(away)s did not answer the match against %(home)s in time, so the proposal expired") % facts
        ),
    )


@on(events.TeamMatchStarted)
def notify_match_started(event: events.TeamMatchStarted) -> None:
    """Notify the captains who do not play, both if a board stays unplayed; players know by their games."""
    captains = {event.home_captain_id, event.away_captain_id}

    def compose(facts: dict[str, str]) -> NotificationText:
        text = ""
        if event.unplayed:
            numbers = ", ".join(map(str, event.unplayed))
            text = _("Not played, because the two players there don't play each other: board %(numbers)s.")
            text %= {"numbers": numbers}
        return NotificationText(_("The match between %(home)s and %(away)s has started") % facts, text)

    _notify_of_match(event, captains if event.unplayed else captains - set(event.player_ids), compose)


@on(events.TeamMatchFinished)
def notify_match_finished(event: events.TeamMatchFinished) -> None:
    """Notify the players and both captains of the result."""
    score = {"mine": points(event.home_points / 2), "theirs": points(event.away_points / 2)}
    people = {*event.player_ids, event.home_captain_id, event.away_captain_id}
    _notify_of_match(
        event,
        people,
        lambda facts: NotificationText(
            _("The match between %(home)s and %(away)s is over: %(mine)s to %(theirs)s") % {**facts, **score}
        ),
    )


def _notify_of_team(
    event: events.TeamChanged,
    people: Iterable[int],
    compose: Callable[[], NotificationText],
    *,
    actor: int | None = None,
    page: str = "teams:team",
) -> None:
    draft = Draft(
        kind=Kind.TEAM,
        key=_key(event),
        about=_about_team(event.team_id),
        link=reverse(page, args=[event.team_id]),
        actor_id=actor,
    )
    if isinstance(event, events.AskedToJoin | events.InvitedToTeam):
        _say_again(people, draft, compose)
    notify_users(people, draft, lambda _person: compose())


def _forget_words(
    event: events.AskingWithdrawn | events.InvitationWithdrawn, said: type[events.TeamChanged]
) -> None:
    """Forget what was notified of a player and a team, from all who were captains then."""
    about = Notice.objects.filter(about=_about_team(event.team_id), kind=Kind.TEAM).exclude(about="")
    forget(about.filter(key__startswith=_key_of(said, event.team_id, event.user_id)), now=clock.now())


def _say_again(people: Iterable[int], draft: Draft, compose: Callable[[], NotificationText]) -> None:
    """Give a notification that was forgotten today the new words; what was sent of it is not sent again."""
    rows = Notice.objects.filter(user__in=people, key=draft.key, about=draft.about, subject="")
    for notice in rows.filter(withdrawn_at__isnull=False).select_related("user"):
        if draft.actor_id is not None and accounts.has_blocked(notice.user_id, draft.actor_id):
            continue
        with person(notice.user).localized():
            text = compose()
        notice.subject, notice.text, notice.actor_id = text.subject, text.text, draft.actor_id
        notice.withdrawn_at = notice.read_at = None
        notice.save(update_fields=["subject", "text", "actor", "withdrawn_at", "read_at"])
        dropped = Delivery.objects.filter(notice=notice, state=State.DROPPED)
        dropped.update(state=State.WAITING, done_at=None)


def _notify_of_match(
    event: events.MatchChanged,
    people: Iterable[int],
    compose: Callable[[dict[str, str]], NotificationText],
    *,
    actor: int | None = None,
) -> None:
    draft = Draft(
        kind=Kind.TEAM,
        key=_key(event),
        about=_about_match(event.match_id),
        link=reverse("teams:match", args=[event.match_id]),
        actor_id=actor,
    )
    unnamed = _unnamed(event)

    def compose_for(person: Person) -> NotificationText:
        sides = unnamed.get(person.user.pk, ())
        made = compose({"home": event.home, "away": event.away} | {side: _("another team") for side in sides})
        return replace(made, subject=capfirst(made.subject)) if sides else made

    notify_users(people, draft, compose_for)


def _unnamed(event: events.MatchChanged) -> dict[int, set[Side]]:
    """The sides that are not named to those who have blocked their captains, unless it is their own team."""
    blockers = {
        Side.HOME: accounts.blocker_ids(event.home_captain_id),
        Side.AWAY: accounts.blocker_ids(event.away_captain_id),
    }
    unnamed: dict[int, set[Side]] = defaultdict(set)
    if any(blockers.values()):
        match = matches.access_match(event.match_id)
        for side, team in ((Side.HOME, match.home), (Side.AWAY, match.away)):
            for user_id in blockers[side] - member_ids(team.public_id, blockers[side]):
                unnamed[user_id].add(side)
    return unnamed


def _key(event: events.TeamChanged | events.MatchChanged) -> str:
    """Return a key that is different each time, because the same thing may happen again.

    What one does and takes back is notified once a day, and a match is announced to its teams once.
    """
    thing = event.team_id if isinstance(event, events.TeamChanged) else event.match_id
    if isinstance(event, events.MembersAskedToPlay):
        return f"{type(event).__name__}:{thing}"
    moment = clock.now()
    at = moment.date() if isinstance(event, _REPEATED) else moment
    return f"{_key_of(type(event), thing, getattr(event, 'user_id', ''))}{at.isoformat()}"


def _key_of(kind: type[events.TeamChanged | events.MatchChanged], thing: str, who: object) -> str:
    """Return the beginning of a key, without the moment."""
    return f"{kind.__name__}:{thing}:{who}:"


def _about_team(team_id: str) -> str:
    return f"team:{team_id}"


def _about_match(match_id: str) -> str:
    return f"team-match:{match_id}"
