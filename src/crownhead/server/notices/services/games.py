"""Telling players of their games: the steps that several handlers share."""

from __future__ import annotations

from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.models import Notice
from crownhead.server.notices.presenters import game_texts
from crownhead.server.notices.presenters.game_texts import Speak
from crownhead.server.notices.presenters.games import Table
from crownhead.server.notices.services.localized import Matter, speak_to
from crownhead.server.notices.services.notify import read_about


def tell_of_game(
    here: Table,
    player: User | None,
    seat: str,
    kind: Kind,
    speak: Speak,
    *,
    key: str,
    actor: int | None = None,
    also: Kind | None = None,
) -> Notice | None:
    """Tell somebody of a game; ``seat``: his, or empty where he has none yet."""
    matter = Matter(
        kind=kind,
        key=f"{here.about}:{key}",
        link=here.link,
        about=here.about,
        actor_id=actor,
        also=also,
        gathered=kind is Kind.CHAT,
    )
    return speak_to(player, matter, lambda person: speak(here, seat, person))


def tell_turn(here: Table, seat: str, speak: Speak = game_texts.turn) -> None:
    """It is the turn of the one on the seat; by the board of a live game both see it."""
    if not here.is_live:
        tell_of_game(here, here.player(seat), seat, Kind.TURN, speak, key=f"turn:{here.game.version}")


def tell_of_beginning(here: Table, seat: str) -> None:
    """A game begins that he did not begin himself.

    Of several that begin in one round of a tournament he is told by one notice for the first and one for all
    others, and in which of them it is his turn.
    """
    player, is_turn = here.player(seat), here.game.turn == seat
    also = Kind.TURN if is_turn and not here.is_live else None
    matter = Matter(kind=Kind.PAIRED, key=here.occasion, link=here.link, about=here.about, also=also)
    if speak_to(player, matter, lambda person: game_texts.begun(here, seat, person)) or here.contest is None:
        return
    others = Matter(
        kind=Kind.PAIRED,
        key=f"{here.occasion}:others:{clock.now():%Y-%m-%d}",
        link=here.contest.link or here.link,
        about=here.about_contest,
    )
    speak_to(player, others, lambda _person: game_texts.others_begun(here))
    if is_turn:
        tell_turn(here, seat)


def has_seen(user_id: int | None, about: str) -> None:
    """Who acts in a game has its page before him."""
    if user_id is not None:
        read_about(user_id=user_id, about=about, now=clock.now())
