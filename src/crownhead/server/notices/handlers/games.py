"""Notify players of their games, in the transaction in which something happens."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crownhead import Termination
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.events import on
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.models import Choice, Device, Notice
from crownhead.server.notices.presenters import games as game_texts
from crownhead.server.notices.presenters.games import (
    CHOICES,
    REMINDERS,
    SEATS,
    GameText,
    SeatedGame,
    about_game,
    seated_game,
)
from crownhead.server.notices.selectors.recipients import Person
from crownhead.server.notices.services.games import mark_game_seen, notify_player, notify_start, notify_turn
from crownhead.server.notices.services.notify import (
    Draft,
    NotificationText,
    acted,
    forget,
    notify_users,
    read_about,
    withdraw,
)
from crownhead.server.play import events
from crownhead.server.play.choices import FORFEIT
from crownhead.server.play.games.providers import annotate_players

_BEFORE_THE_MOVE = (Kind.TURN, Kind.HALF, Kind.FIFTH, Kind.TWO_HOURS)
_OFFERS = (Kind.DRAW, Kind.TAKE_BACK)
_TRANSIENT = frozenset(kind for kind in Kind if kind.row.transient)
_STARTS = (Kind.PAIRED, Kind.CHALLENGED, Kind.ANSWERED)
_BY_THE_STAFF = {Termination.ADJUDICATION.value, FORFEIT}


annotate_players(
    CHOICES,
    lambda player: (
        Exists(Choice.objects.filter(user=OuterRef(player)))
        | Exists(Device.objects.filter(user=OuterRef(player)))
    ),
)


@on(events.GameCreated)
def notify_invited(event: events.GameCreated) -> None:
    """Notify the invited player."""
    if event.invited_id is not None:
        seated = seated_game(event.game_id)
        notify_player(
            seated,
            seated.game.invited,
            "",
            Kind.INVITED,
            game_texts.invited,
            key="invited",
            actor=event.creator_id,
        )


@on(events.GameStarted)
def notify_started(event: events.GameStarted) -> None:
    """Notify the players who did not start the game themselves, and the player to move."""
    seated = seated_game(event.game_id)
    withdraw(about=seated.about, kinds=[Kind.INVITED], now=clock.now())
    began = _starter(event, seated)
    for seat in SEATS:
        player, on_turn = seated.player(seat), event.turn == seat
        if player is not None and player.pk == began:
            if on_turn:
                notify_turn(seated, seat)
            continue
        if event.invited_id is None or event.creator_id != seated.key(seat):
            notify_start(seated, seat)
            continue
        also = Kind.TURN if on_turn and not seated.is_live else None
        # The game runs even if the player has blocked the opponent since.
        notify_player(seated, player, seat, Kind.ANSWERED, game_texts.accepted, key="begun", also=also)


@on(events.MovePlayed)
def notify_moved(event: events.MovePlayed) -> None:
    """Withdraw what the mover has dealt with, and notify the opponent."""
    seated, mover = SeatedGame(event.row), _player(event, event.seat)
    done = withdraw if seated.last_move_was_planned else acted
    if mover is not None:
        done(about=seated.about, user_id=mover, kinds=(*_BEFORE_THE_MOVE, *_OFFERS), now=clock.now())
    if event.turn is not None:
        notify_turn(seated, event.turn)


@on(events.MovesTakenBack)
def notify_taken_back(event: events.MovesTakenBack) -> None:
    """Notify the player whose turn it is again."""
    withdraw(about=about_game(event.game_id), kinds=(*_BEFORE_THE_MOVE, *_OFFERS), now=clock.now())
    notify_turn(seated_game(event.game_id), event.seat, game_texts.turned_back)


@on(events.TimeIsShort)
def notify_time_short(event: events.TimeIsShort) -> None:
    """Remind the player to move."""
    seated, kind = seated_game(event.game_id), REMINDERS[event.reminder]
    compose = game_texts.time_short(event.reminder)
    key = f"{event.reminder}:{event.version}"
    notify_player(seated, seated.player(event.seat), event.seat, kind, compose, key=key)


@on(events.DrawOffered)
def notify_draw_offered(event: events.DrawOffered) -> None:
    """Notify the opponent of a draw offer."""
    _notify_opponent(event, event.seat, Kind.DRAW, game_texts.draw_offered)


@on(events.DrawDeclined)
def notify_draw_declined(event: events.DrawDeclined) -> None:
    """Notify the player who offered the draw."""
    _answered(event, event.seat, Kind.DRAW)
    _notify_opponent(event, event.seat, Kind.DRAW, game_texts.draw_declined)


@on(events.TakeBackAsked)
def notify_take_back_asked(event: events.TakeBackAsked) -> None:
    """Notify the opponent of a take-back request."""
    _notify_opponent(event, event.seat, Kind.TAKE_BACK, game_texts.take_back_asked)


@on(events.TakeBackDeclined)
def notify_take_back_declined(event: events.TakeBackDeclined) -> None:
    """Notify the player who asked for the take-back."""
    _answered(event, event.seat, Kind.TAKE_BACK)
    _notify_opponent(event, event.seat, Kind.TAKE_BACK, game_texts.take_back_declined)


@on(events.ChatWritten)
def notify_chat(event: events.ChatWritten) -> None:
    """Notify the opponent of a chat message."""
    _notify_opponent(event, event.seat, Kind.CHAT, game_texts.chat)


@on(events.GameEnded)
def notify_ended(event: events.GameEnded) -> None:
    """Notify both players of the result, except a player who resigned; that it began is no news any more."""
    seated = seated_game(event.game_id)
    withdraw(about=seated.about, kinds=_TRANSIENT, now=clock.now())
    read_about(about=seated.about, kinds=_STARTS, now=clock.now())
    decided = event.termination in _BY_THE_STAFF and not seated.is_no_show
    kind, also = (Kind.APPEAL, Kind.ENDED) if decided else (Kind.ENDED, None)
    for seat in SEATS:
        if event.termination == Termination.RESIGNATION and event.winner != seat:
            mark_game_seen(_player(event, seat), seated.about)
        else:
            notify_player(seated, seated.player(seat), seat, kind, game_texts.ended, key="ended", also=also)


@on(events.GameAnnulled)
def notify_annulled(event: events.GameAnnulled) -> None:
    """Notify both players that the staff annulled the game."""
    _notify_both(event, Kind.APPEAL, game_texts.annulled, key="annulled")


@on(events.AppealMade)
def notify_staff(event: events.AppealMade) -> None:
    """Notify all staff that a player asks for a decision."""
    seated, compose = seated_game(event.game_id), game_texts.appeal_made
    key = f"appealed:{clock.now().isoformat()}"
    for member in User.objects.filter(is_staff=True, is_active=True):
        notify_player(seated, member, event.seat, Kind.STAFF, compose, key=key)


@on(events.OutageMadeUp)
def notify_staff_of_outage(event: events.OutageMadeUp) -> None:
    """Notify all staff of a time in which nobody could play, once it is made up for."""
    draft = Draft(
        kind=Kind.STAFF,
        key=f"outage:{event.pk}",
        about=f"outage:{event.pk}",
        link=reverse("admin:index"),
    )
    facts = {
        "begins": f"{event.begins_at:%Y-%m-%d %H:%M:%S}",
        "ends": f"{event.ends_at:%Y-%m-%d %H:%M:%S}",
        "games": event.games,
    }

    def compose(_person: Person) -> NotificationText:
        if event.ends_at < event.begins_at:
            subject = _("The server's clock was set back")
        else:
            subject = _("The club was down for a while")
        text = ngettext(
            "From %(begins)s to %(ends)s UTC. Clocks and deadlines allow for this in %(games)s game.",
            "From %(begins)s to %(ends)s UTC. Clocks and deadlines allow for this in %(games)s games.",
            event.games,
        )
        return NotificationText(subject, text % facts)

    staff = User.objects.filter(is_staff=True, is_active=True).values_list("pk", flat=True)
    notify_users(staff, draft, compose)


@on(events.AppealAnswered)
def notify_answered(event: events.AppealAnswered) -> None:
    """Notify the player that the staff have answered their request."""
    seated = seated_game(event.game_id)
    if seated.game.termination in _BY_THE_STAFF:
        return  # the answer is the end of the game, of which both are notified
    key = f"appeal:{clock.now().isoformat()}"
    notify_player(
        seated, seated.player(event.seat), event.seat, Kind.APPEAL, game_texts.appeal_answered, key=key
    )


@on(events.GameAdjourned)
def notify_adjourned(event: events.GameAdjourned) -> None:
    """Notify both players that a director stopped or restarted the clock; what was said before is over."""
    now = clock.now()
    withdraw(about=about_game(event.game_id), kinds=[Kind.TOURNAMENT], now=now)
    key = f"adjourned:{event.until}:{now.isoformat()}"
    _notify_both(event, Kind.TOURNAMENT, game_texts.adjourned(event.until), key=key)


@on(events.GameDeclined)
def notify_declined(event: events.GameDeclined) -> None:
    """Notify the player whose invitation was declined."""
    _withdraw_invitation_of(event)
    seated = seated_game(event.game_id)
    notify_player(
        seated,
        seated.game.creator,
        "",
        Kind.ANSWERED,
        game_texts.declined,
        key="declined",
        actor=event.invited_id,
    )


@on(events.GameExpired)
def notify_expired(event: events.GameExpired) -> None:
    """Notify the player whose offer or invitation expired."""
    _withdraw_invitation_of(event)
    seated = seated_game(event.game_id)
    notify_player(seated, seated.game.creator, "", Kind.ANSWERED, game_texts.expired, key="expired")


@on(events.GameWithdrawn)
def withdraw_invitation(event: events.GameWithdrawn) -> None:
    """Withdraw the notification of an invitation that was withdrawn, with what it says."""
    rows = Notice.objects.filter(about=about_game(event.game_id), kind=Kind.INVITED)
    forget(rows.exclude(about=""), now=clock.now())  # as the index has it


@on(events.MatchEnded)
def notify_match_ended(event: events.MatchEnded) -> None:
    """Notify both players of the result of a match."""
    draft = Draft(
        kind=Kind.ENDED,
        key=f"match:{event.match_id}:ended",
        about=f"match:{event.match_id}",
        link=reverse("pages:match", args=[event.match_id]),
    )
    players = [key for key in (event.creator_id, event.opponent_id) if key is not None]
    notify_users(players, draft, lambda person: game_texts.match_ended(person, event.winner_id))


def _notify_opponent(event: events.GameChanged, seat: str, kind: Kind, compose: GameText) -> None:
    """Notify the opponent of the player on ``seat``; in a live game the board already shows it."""
    seated = seated_game(event.game_id)
    mark_game_seen(_player(event, seat), seated.about)
    if seated.is_live:
        return
    other = "second" if seat == "first" else "first"
    key = f"{kind.value}:{clock.now().isoformat()}"
    actor = _player(event, seat)
    notify_player(seated, seated.player(other), other, kind, compose, key=key, actor=actor)


def _notify_both(event: events.GameChanged, kind: Kind, compose: GameText, *, key: str) -> None:
    seated = seated_game(event.game_id)
    for seat in SEATS:
        notify_player(seated, seated.player(seat), seat, kind, compose, key=key)


def _answered(event: events.GameChanged, seat: str, kind: Kind) -> None:
    withdraw(about=about_game(event.game_id), user_id=_player(event, seat), kinds=[kind], now=clock.now())


def _withdraw_invitation_of(event: events.GameChanged) -> None:
    withdraw(about=about_game(event.game_id), kinds=[Kind.INVITED], now=clock.now())


def _starter(event: events.GameStarted, seated: SeatedGame) -> int | None:
    """Return who joined the game; None if it started by itself, in a contest or match."""
    if event.contest is not None or (seated.game.match_number or 1) > 1:
        return None
    players: Iterable[int | None] = (event.first_id, event.second_id)
    return next((key for key in players if key is not None and key != event.creator_id), None)


def _player(event: events.GameChanged, seat: str) -> int | None:
    return event.first_id if seat == "first" else event.second_id
