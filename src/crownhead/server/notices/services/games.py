"""Notifying players of games: the steps that several handlers share."""

from __future__ import annotations

from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.models import Notice
from crownhead.server.notices.presenters import games as game_texts
from crownhead.server.notices.presenters.games import GameText, SeatedGame
from crownhead.server.notices.selectors.replays import replayed_by
from crownhead.server.notices.services.notify import Draft, notify_user, read_about


def notify_player(
    seated: SeatedGame,
    player: User | None,
    seat: str,
    kind: Kind,
    compose: GameText,
    *,
    key: str,
    actor: int | None = None,
    also: Kind | None = None,
) -> Notice | None:
    """Notify a player of a game; ``seat`` is empty if they have none yet."""
    draft = Draft(
        kind=kind,
        key=f"{seated.about}:{key}",
        link=seated.link,
        about=seated.about,
        actor_id=actor,
        also=also,
        gathered=kind is Kind.CHAT,
        usual=not seated.has_choices(seat),
    )
    return notify_user(player, draft, lambda person: compose(seated, seat, person))


def notify_turn(seated: SeatedGame, seat: str, compose: GameText = game_texts.turn) -> None:
    """Notify the player to move; in a live game the board already shows it."""
    if not seated.is_live:
        notify_player(
            seated, seated.player(seat), seat, Kind.TURN, compose, key=f"turn:{seated.game.version}"
        )


def notify_start(seated: SeatedGame, seat: str) -> None:
    """Notify a player of a game that they did not start.

    If several start in one round of a tournament, there is one notification for the first and one for all
    others, and one for each where it is their turn. A live game, which waits for its players, and one that
    replays another have their own.
    """
    player, is_turn = seated.player(seat), seated.game.turn == seat
    also = Kind.TURN if is_turn and not seated.is_live else None
    draft = Draft(kind=Kind.PAIRED, key=seated.occasion, link=seated.link, about=seated.about, also=also)
    if (
        notify_user(player, draft, lambda person: game_texts.begun(seated, seat, person))
        or seated.contest is None
    ):
        return
    before = replayed_by(seated.game)
    if before is not None or seated.is_live:
        compose = game_texts.begun if before is None else game_texts.replayed(before)
        notify_player(seated, player, seat, Kind.PAIRED, compose, key="begun", also=also)
        return
    others = Draft(
        kind=Kind.PAIRED,
        key=f"{seated.occasion}:others:{clock.now():%Y-%m-%d}",
        link=seated.contest.link or seated.link,
        about=seated.about_contest,
    )
    notify_user(player, others, lambda _person: game_texts.others_begun(seated))
    if is_turn:
        notify_turn(seated, seat)


def mark_game_seen(user_id: int | None, about: str) -> None:
    """Mark a game's notifications as read: the player has its page open."""
    if user_id is not None:
        read_about(user_id=user_id, about=about, now=clock.now())
