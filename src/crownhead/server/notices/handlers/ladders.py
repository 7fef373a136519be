"""What people are told of ladders: who challenges them, where they stand, that they stand there no more."""

from __future__ import annotations

from django.utils.translation import gettext as _

from crownhead.server.accounts import selectors as accounts
from crownhead.server.core.events import after, on
from crownhead.server.ladders import events
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.presenters import game_texts
from crownhead.server.notices.presenters.games import SEATS, Table, about_contest, table
from crownhead.server.notices.selectors.recipients import Person, name_of
from crownhead.server.notices.services.games import tell_of_game, tell_turn
from crownhead.server.notices.services.localized import Matter, Words, speak_to
from crownhead.server.notices.services.notify import withdraw
from crownhead.server.notices.tasks import spread_closing


@on(events.Challenged)
def tell_the_challenged(event: events.Challenged) -> None:
    """One notice of the challenge in place of those of its games; and whose turn it is in them."""
    here = [table(game_id) for game_id in event.game_ids]
    for about in (*(game.about for game in here), about_contest(event.ladder_id)):
        withdraw(about=about, kinds=[Kind.PAIRED], now=event.at)
    # The one where it is his turn comes first, so that one notice says both.
    here.sort(key=lambda game: game.on_turn != event.challenged_id)
    withdraw(about=here[0].about, kinds=[Kind.TURN], user_id=event.challenged_id, now=event.at)
    facts = {"ladder": event.name}

    def challenged(game: Table, seat: str, person: Person) -> Words:
        words = game_texts.begun(game, seat, person)
        names = {"name": name_of(event.challenger_id), **facts}
        return Words(_("%(name)s challenged you on %(ladder)s") % names, words.text)

    for number, game in enumerate(here):
        for seat in SEATS:
            is_challenged = game.key(seat) == event.challenged_id
            is_turn = game.game.turn == seat
            if is_challenged and number == 0:
                also = Kind.TURN if is_turn else None
                player = game.player(seat)
                tell_of_game(game, player, seat, Kind.CHALLENGED, challenged, key="challenged", also=also)
            elif is_turn:
                tell_turn(game, seat)


@on(events.PlaceTaken)
def tell_where_one_stands(event: events.PlaceTaken) -> None:
    """By a result, or for want of games; and whose place it was."""
    facts = {"ladder": event.name, "before": event.before, "after": event.after}
    matter = _matter(event, f"place:{event.user_id}")
    speak_to(
        accounts.user(event.user_id),
        matter,
        lambda _person: Words(_("You moved from %(before)s to %(after)s on %(ladder)s") % facts),
    )
    if event.taken_from is not None:
        facts["name"] = name_of(event.user_id)
        speak_to(
            accounts.user(event.taken_from),
            matter,
            lambda _person: Words(
                _("%(name)s took your place on %(ladder)s") % facts,
                _("It was %(after)s. Challenge somebody above you to climb again.") % facts,
            ),
        )


@on(events.LadderLeft)
def tell_who_was_taken_off(event: events.LadderLeft) -> None:
    """By the staff, or by the rules; who left by himself knows."""
    if event.by_staff:
        facts = {"ladder": event.name}
        speak_to(
            accounts.user(event.user_id),
            _matter(event, f"left:{event.user_id}"),
            lambda _person: Words(_("The staff removed you from %(ladder)s") % facts),
        )


@after(events.LadderClosed)
def tell_all_that_it_is_closed(event: events.LadderClosed) -> None:
    """Everybody on it; there may be very many, so it is a task."""
    spread_closing.enqueue(event.ladder_id)


def _matter(event: events.LadderEvent, key: str) -> Matter:
    return Matter(
        kind=Kind.TOURNAMENT,
        key=f"ladder:{event.ladder_id}:{key}:{event.at.isoformat()}",
        about=f"ladder:{event.ladder_id}",
        link=event.link,
    )
