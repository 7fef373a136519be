"""What people are told of teams: who asks, who is invited, who leads, and the matches."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.urls import reverse
from django.utils.translation import gettext as _

from crownhead.server.core import clock
from crownhead.server.core.events import on
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.selectors.recipients import name_of
from crownhead.server.notices.services.localized import Matter, Words, speak_to_all
from crownhead.server.notices.services.notify import read_about
from crownhead.server.play.matches.presenters import points
from crownhead.server.teams import events


@on(events.AskedToJoin)
def tell_the_captain(event: events.AskedToJoin) -> None:
    """Somebody wants to join."""
    facts = {"name": name_of(event.user_id), "team": event.team}
    _of_team(
        event,
        [event.captain_id],
        lambda: Words(_("%(name)s wants to join %(team)s") % facts, event.message),
        actor=event.user_id,
        page="teams:members",
    )


@on(events.InvitedToTeam)
def tell_the_invited(event: events.InvitedToTeam) -> None:
    """The captain wants him."""
    facts = {"name": name_of(event.by_id), "team": event.team}
    _of_team(
        event,
        [event.user_id],
        lambda: Words(_("%(name)s invites you to join the team %(team)s") % facts, event.message),
        actor=event.by_id,
    )


@on(events.AskingAnswered)
def tell_who_asked(event: events.AskingAnswered) -> None:
    """The captain has answered."""
    facts = {"team": event.team}

    def words() -> Words:
        yes, no = _("You are now a member of %(team)s"), _("%(team)s declined your request to join")
        return Words((yes if event.accepted else no) % facts)

    _of_team(event, [event.user_id], words, actor=event.captain_id)


@on(events.InvitationAnswered)
def tell_who_invited(event: events.InvitationAnswered) -> None:
    """The one who was invited has answered."""
    read_about(user_id=event.user_id, about=_about_team(event.team_id), now=clock.now())
    facts = {"name": name_of(event.user_id), "team": event.team}

    def words() -> Words:
        yes, no = _("%(name)s joined %(team)s"), _("%(name)s declined your invitation to %(team)s")
        return Words((yes if event.accepted else no) % facts)

    _of_team(event, [event.captain_id], words, actor=event.user_id)


@on(events.MemberLeft)
def tell_who_was_removed(event: events.MemberLeft) -> None:
    """He belongs to it no more; the captain hears of those who went by themselves."""
    facts = {"name": name_of(event.user_id), "team": event.team}
    if event.removed:
        _of_team(event, [event.user_id], lambda: Words(_("You were removed from the team %(team)s") % facts))
    else:
        _of_team(
            event,
            [event.captain_id],
            lambda: Words(_("%(name)s left %(team)s") % facts),
            actor=event.user_id,
        )


@on(events.CaptainChanged)
def tell_the_new_captain(event: events.CaptainChanged) -> None:
    """The team is his."""
    facts = {"team": event.team}
    _of_team(event, [event.captain_id], lambda: Words(_("You are now the captain of %(team)s") % facts))


@on(events.TeamMatchProposed)
def tell_the_other_captain(event: events.TeamMatchProposed) -> None:
    """He is to answer."""
    _of_match(
        event,
        [event.away_captain_id],
        lambda facts: Words(_("%(home)s proposes a match to %(away)s") % facts, _("Accept or decline.")),
        actor=event.home_captain_id,
    )


@on(events.TeamMatchAnswered)
def tell_who_proposed(event: events.TeamMatchAnswered) -> None:
    """The other captain has answered."""

    def words(facts: dict[str, str]) -> Words:
        if not event.accepted:
            return Words(_("%(away)s declined the match against %(home)s") % facts)
        return Words(_("%(away)s accepted the match against %(home)s") % facts, _("Choose your line-up."))

    read_about(user_id=event.away_captain_id, about=_about_match(event.match_id), now=clock.now())
    _of_match(event, [event.home_captain_id], words, actor=event.away_captain_id)


@on(events.TeamMatchWithdrawn)
def tell_that_it_is_off(event: events.TeamMatchWithdrawn) -> None:
    """The captains, but for the one who called it off."""
    captains = {event.home_captain_id, event.away_captain_id} - {event.by_id}
    _of_match(
        event,
        captains,
        lambda facts: Words(_("The match between %(home)s and %(away)s was cancelled") % facts),
    )


@on(events.TeamMatchStarted)
def tell_the_captains(event: events.TeamMatchStarted) -> None:
    """Those who do not play; the players are told of their games."""
    captains = {event.home_captain_id, event.away_captain_id} - set(event.player_ids)
    _of_match(
        event, captains, lambda facts: Words(_("The match between %(home)s and %(away)s has started") % facts)
    )


@on(events.TeamMatchFinished)
def tell_the_result(event: events.TeamMatchFinished) -> None:
    """All who had a part in it."""
    score = {"mine": points(event.home_points / 2), "theirs": points(event.away_points / 2)}
    people = {*event.player_ids, event.home_captain_id, event.away_captain_id}
    _of_match(
        event,
        people,
        lambda facts: Words(
            _("The match between %(home)s and %(away)s is over: %(mine)s to %(theirs)s") % {**facts, **score}
        ),
    )


def _of_team(
    event: events.TeamChanged,
    people: Iterable[int],
    words: Callable[[], Words],
    *,
    actor: int | None = None,
    page: str = "teams:team",
) -> None:
    matter = Matter(
        kind=Kind.TEAM,
        key=_key(event),
        about=_about_team(event.team_id),
        link=reverse(page, args=[event.team_id]),
        actor_id=actor,
    )
    speak_to_all(people, matter, lambda _person: words())


def _of_match(
    event: events.MatchChanged,
    people: Iterable[int],
    words: Callable[[dict[str, str]], Words],
    *,
    actor: int | None = None,
) -> None:
    matter = Matter(
        kind=Kind.TEAM,
        key=_key(event),
        about=_about_match(event.match_id),
        link=reverse("teams:match", args=[event.match_id]),
        actor_id=actor,
    )
    speak_to_all(people, matter, lambda _person: words({"home": event.home, "away": event.away}))


def _key(event: events.TeamChanged | events.MatchChanged) -> str:
    """Each thing happens at a moment of its own, and may happen again later."""
    thing = event.team_id if isinstance(event, events.TeamChanged) else event.match_id
    who = getattr(event, "user_id", "")
    return f"{type(event).__name__}:{thing}:{who}:{clock.now().isoformat()}"


def _about_team(team_id: str) -> str:
    return f"team:{team_id}"


def _about_match(match_id: str) -> str:
    return f"team-match:{match_id}"
