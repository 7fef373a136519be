"""Notify people of ladders: challenges, changes of place, removal, closing."""

from __future__ import annotations

from django.utils.translation import gettext as _

from crownhead.server.accounts import selectors as accounts
from crownhead.server.core.events import on
from crownhead.server.ladders import events
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.presenters import games as game_texts
from crownhead.server.notices.presenters.games import SEATS, SeatedGame, about_contest, seated_game
from crownhead.server.notices.selectors.recipients import Person, name_of
from crownhead.server.notices.services.games import notify_player, notify_turn
from crownhead.server.notices.services.notify import Draft, NotificationText, notify_user, withdraw
from crownhead.server.notices.tasks import notify_ladder_closed


@on(events.Challenged)
def notify_challenged(event: events.Challenged) -> None:
    """Send one notification of the challenge instead of one per game, and say whose turn it is."""
    games = [seated_game(game_id) for game_id in event.game_ids]
    for about in (*(game.about for game in games), about_contest(event.ladder_id)):
        withdraw(about=about, kinds=[Kind.PAIRED], now=event.at)
    # The game where it is their turn comes first, so that one notification covers both.
    games.sort(key=lambda game: game.on_turn != event.challenged_id)
    withdraw(about=games[0].about, kinds=[Kind.TURN], user_id=event.challenged_id, now=event.at)
    facts = {"ladder": event.name}

    def challenged(game: SeatedGame, seat: str, person: Person) -> NotificationText:
        text = game_texts.begun(game, seat, person)
        names = {"name": name_of(event.challenger_id), **facts}
        return NotificationText(_("%(ladder)s: %(name)s challenged you") % names, text.text)

    for number, game in enumerate(games):
        for seat in SEATS:
            is_challenged = game.key(seat) == event.challenged_id
            is_turn = game.game.turn == seat
            if is_challenged and number == 0:
                also = Kind.TURN if is_turn else None
                player = game.player(seat)
                notify_player(game, player, seat, Kind.CHALLENGED, challenged, key="challenged", also=also)
            elif is_turn:
                notify_turn(game, seat)


@on(events.PlaceTaken)
def notify_place_taken(event: events.PlaceTaken) -> None:
    """Notify the player who moved, and the player whose place was taken."""
    facts = {"ladder": event.name, "before": event.before, "after": event.after}
    draft = _draft(event, f"place:{event.user_id}")
    notify_user(
        accounts.user(event.user_id),
        draft,
        lambda _person: NotificationText(_move(event) % facts),
    )
    if event.taken_from is not None:
        facts["name"] = name_of(event.user_id)
        notify_user(
            accounts.user(event.taken_from),
            draft,
            lambda _person: NotificationText(
                _("%(ladder)s: %(name)s took your place") % facts,
                _("It was %(after)s. Challenge somebody above you to climb again.") % facts,
            ),
        )


def _move(event: events.PlaceTaken) -> str:
    if not event.is_step:
        return _("%(ladder)s: you moved from %(before)s to %(after)s")
    if event.after > event.before:
        return _("%(ladder)s: you climbed from step %(before)s to step %(after)s")
    return _("%(ladder)s: you went down from step %(before)s to step %(after)s")


@on(events.LadderLeft)
def notify_removed(event: events.LadderLeft) -> None:
    """Notify players whom the staff removed; those who left themselves know."""
    if event.by_staff:
        facts = {"ladder": event.name}
        notify_user(
            accounts.user(event.user_id),
            _draft(event, f"left:{event.user_id}"),
            lambda _person: NotificationText(_("%(ladder)s: the staff removed you") % facts),
        )


@on(events.LadderClosed)
def notify_closed(event: events.LadderClosed) -> None:
    """Notify everybody on the ladder; there may be very many, so it is a task of the worker."""
    notify_ladder_closed.enqueue(event.ladder_id)


def _draft(event: events.LadderEvent, key: str) -> Draft:
    return Draft(
        kind=Kind.TOURNAMENT,
        key=f"ladder:{event.ladder_id}:{key}:{event.at.isoformat()}",
        about=f"ladder:{event.ladder_id}",
        link=event.link,
    )
