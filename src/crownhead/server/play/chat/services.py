"""Words between the two players, which nobody else reads before the end, and notes for oneself."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Count, Sum
from django.db.models.functions import Length
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import check_may_write, hold_user
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.limits import spend
from crownhead.server.core.problems import Conflict, TooMany
from crownhead.server.play import problems
from crownhead.server.play.access import check_text, seat_of_user
from crownhead.server.play.events import ChatWritten, game_event
from crownhead.server.play.games import endings
from crownhead.server.play.models import ChatLine, Game, Note, Seat, Status
from crownhead.server.play.selectors import find_seen

LONGEST_LINE, LONGEST_NOTE = 1000, 10_000
MAX_LINES = 500  # of each player, in one game
MAX_NOTES = 5000  # of a member, who may have one about every game that they see
MAX_NOTED = 2_000_000  # characters of all notes of a member
_BEGUN = {Status.PLAYING, Status.FINISHED}


def check_message(text: str) -> str:
    """What may be said; raises ``Unprocessable``."""
    return check_text("message", text, longest=LONGEST_LINE)


def send_message(*, user: User, game_id: str, text: str, now: datetime) -> Game:
    """Say something to the opponent, in a game that has begun, or is over."""
    checked = check_message(text)
    check_may_write(user=user, now=now, text=checked)
    with transaction.atomic():
        game = endings.access_locked_game(user, game_id)
        seat = seat_of_user(game, user)
        if game.status not in _BEGUN or seat is None:
            raise problems.NotInProgress(
                _("This game has not started; its status is %(status)s.") % {"status": game.status}
            )
        _add_line(game, user, seat=seat, text=checked, now=now)
    return game


def send_with_move(game: Game, user: User, *, seat: Seat, text: str, now: datetime) -> str:
    """Say something with a move that has just been made in a locked game.

    Returns why it is left out when the player has written enough; empty if it was sent. Raises
    ``MembersOnly`` where a guest plays.
    """
    try:
        _add_line(game, user, seat=seat, text=text, now=now)
    except (Conflict, TooMany) as problem:
        return _("Your message was not sent with the move.") + " " + problem.message
    return ""


def was_sent_with_move(game: Game, *, seat: Seat, text: str, plies: int) -> bool:
    """Whether this was said with the last of so many plies."""
    return ChatLine.objects.filter(game=game, seat=seat, ply=plies, text=text).exists()


def _add_line(game: Game, user: User, *, seat: Seat, text: str, now: datetime) -> None:
    """Count and keep a line of a locked game, and tell the players.

    Raises ``MembersOnly`` where a guest plays, and ``TooMany`` or ``Conflict`` when the player has written
    enough in an hour, or in this game.
    """
    if game.has_guest:
        raise problems.MembersOnly(_("There is no chat in games with guests."))
    spend(scope="chat", who=f"user:{user.pk}")
    if ChatLine.objects.filter(game=game, seat=seat).count() >= MAX_LINES:
        raise Conflict(_("You can send at most %(count)s messages in one game.") % {"count": MAX_LINES})
    ply = len(game.moves.split())
    ChatLine.objects.create(game=game, seat=seat, text=text, ply=ply, written_at=now)
    emit(game_event(ChatWritten, game, seat=seat))


def write_note(*, user: User, game_id: str, text: str) -> None:
    """Store the user's note about a game, or delete it; raises ``Conflict`` for one too many or too long.

    The game is not held: what holds one may be about to hold a player.
    """
    checked = check_text("text", text, longest=LONGEST_NOTE, least=0)
    with transaction.atomic():
        game = find_seen(viewer=user, public_id=game_id)
        if checked:
            hold_user(user.pk)
            _expect_room_for_note(game, user, checked)
            Note.objects.update_or_create(game=game, user=user, defaults={"text": checked})
        else:
            Note.objects.filter(game=game, user=user).delete()


def _expect_room_for_note(game: Game, user: User, text: str) -> None:
    others = Note.objects.filter(user=user).exclude(game=game)
    had = others.aggregate(count=Count("pk"), characters=Sum(Length("text"), default=0))
    if had["count"] >= MAX_NOTES:
        raise Conflict(
            _("You can have at most %(count)s notes. Delete one that you no longer need.")
            % {"count": MAX_NOTES}
        )
    if had["characters"] + len(text) > MAX_NOTED:
        raise Conflict(
            _("All your notes together can have at most %(count)s characters. Shorten or delete some.")
            % {"count": MAX_NOTED}
        )
