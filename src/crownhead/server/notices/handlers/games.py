"""What players are told of their games as they happen, in the transaction in which they happen."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse

from crownhead import Termination
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.events import on
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.presenters import game_texts
from crownhead.server.notices.presenters.game_texts import REMINDERS, Speak
from crownhead.server.notices.presenters.games import SEATS, Table, about_game, table
from crownhead.server.notices.services.games import has_seen, tell_of_beginning, tell_of_game, tell_turn
from crownhead.server.notices.services.localized import Matter, speak_to_all
from crownhead.server.notices.services.notify import acted, withdraw
from crownhead.server.play import events
from crownhead.server.play.choices import FORFEIT

_BEFORE_THE_MOVE = (Kind.TURN, Kind.HALF, Kind.FIFTH, Kind.TWO_HOURS)
_OFFERS = (Kind.DRAW, Kind.TAKE_BACK)
_PASSING = frozenset(kind for kind in Kind if kind.row.passing)
_BY_THE_STAFF = {Termination.ADJUDICATION.value, FORFEIT}


@on(events.GameCreated)
def tell_the_invited(event: events.GameCreated) -> None:
    """Somebody is offered a game."""
    if event.invited_id is not None:
        here = table(event.game_id)
        tell_of_game(
            here,
            here.game.invited,
            "",
            Kind.INVITED,
            game_texts.invited,
            key="invited",
            actor=event.creator_id,
        )


@on(events.GameStarted)
def tell_that_it_has_begun(event: events.GameStarted) -> None:
    """Whoever did not begin it himself; and whose turn it is."""
    here = table(event.game_id)
    withdraw(about=here.about, kinds=[Kind.INVITED], now=clock.now())
    began = _who_began(event, here)
    for seat in SEATS:
        player, on_turn = here.player(seat), event.turn == seat
        if player is not None and player.pk == began:
            if on_turn:
                tell_turn(here, seat)
            continue
        if event.invited_id is None or event.creator_id != here.key(seat):
            tell_of_beginning(here, seat)
            continue
        also = Kind.TURN if on_turn and not here.is_live else None
        # His game runs, whoever it is by now that he does not want to hear of.
        tell_of_game(here, player, seat, Kind.ANSWERED, game_texts.accepted, key="begun", also=also)


@on(events.MovePlayed)
def tell_whose_turn_it_is(event: events.MovePlayed) -> None:
    """The one who moved is reminded of nothing more; the other is told."""
    here, mover = table(event.game_id), _player(event, event.seat)
    done = withdraw if here.last_move_was_planned else acted
    if mover is not None:
        done(about=here.about, user_id=mover, kinds=(*_BEFORE_THE_MOVE, *_OFFERS), now=clock.now())
    if event.turn is not None:
        tell_turn(here, event.turn)


@on(events.MovesTakenBack)
def tell_who_has_his_move_back(event: events.MovesTakenBack) -> None:
    """The turn is another one's."""
    withdraw(about=about_game(event.game_id), kinds=(*_BEFORE_THE_MOVE, *_OFFERS), now=clock.now())
    tell_turn(table(event.game_id), event.seat, game_texts.turned_back)


@on(events.TimeIsShort)
def tell_that_time_is_short(event: events.TimeIsShort) -> None:
    """The one on turn is reminded."""
    here, kind = table(event.game_id), REMINDERS[event.reminder]
    speak = game_texts.time_short(event.reminder)
    key = f"{event.reminder}:{event.version}"
    tell_of_game(here, here.player(event.seat), event.seat, kind, speak, key=key)


@on(events.DrawOffered)
def tell_of_the_offer(event: events.DrawOffered) -> None:
    """The opponent is asked."""
    _tell_opponent(event, event.seat, Kind.DRAW, game_texts.draw_offered)


@on(events.DrawDeclined)
def tell_that_it_is_declined(event: events.DrawDeclined) -> None:
    """The one who offered hears it."""
    _answered(event, event.seat, Kind.DRAW)
    _tell_opponent(event, event.seat, Kind.DRAW, game_texts.draw_declined)


@on(events.TakeBackAsked)
def tell_of_the_request(event: events.TakeBackAsked) -> None:
    """The opponent is asked."""
    _tell_opponent(event, event.seat, Kind.TAKE_BACK, game_texts.take_back_asked)


@on(events.TakeBackDeclined)
def tell_that_it_stands(event: events.TakeBackDeclined) -> None:
    """The one who asked hears it."""
    _answered(event, event.seat, Kind.TAKE_BACK)
    _tell_opponent(event, event.seat, Kind.TAKE_BACK, game_texts.take_back_declined)


@on(events.ChatWritten)
def tell_of_words(event: events.ChatWritten) -> None:
    """The opponent wrote beside the board."""
    _tell_opponent(event, event.seat, Kind.CHAT, game_texts.chat)


@on(events.GameEnded)
def tell_of_the_end(event: events.GameEnded) -> None:
    """Both hear the result, but for the one who resigned."""
    here = table(event.game_id)
    withdraw(about=here.about, kinds=_PASSING, now=clock.now())
    kind, also = (Kind.APPEAL, Kind.ENDED) if event.termination in _BY_THE_STAFF else (Kind.ENDED, None)
    for seat in SEATS:
        if event.termination == Termination.RESIGNATION and event.winner != seat:
            has_seen(_player(event, seat), here.about)
        else:
            tell_of_game(here, here.player(seat), seat, kind, game_texts.ended, key="ended", also=also)


@on(events.GameAnnulled)
def tell_that_it_counts_for_nothing(event: events.GameAnnulled) -> None:
    """The staff have said so."""
    _tell_both(event, Kind.APPEAL, game_texts.annulled, key="annulled")


@on(events.AppealMade)
def tell_the_staff(event: events.AppealMade) -> None:
    """A player asks for a decision."""
    here, speak = table(event.game_id), game_texts.appeal_made
    key = f"appealed:{clock.now().isoformat()}"
    for member in User.objects.filter(is_staff=True, is_active=True):
        tell_of_game(here, member, event.seat, Kind.STAFF, speak, key=key)


@on(events.AppealAnswered)
def tell_of_the_answer(event: events.AppealAnswered) -> None:
    """Who asked the staff hears that they have answered."""
    here = table(event.game_id)
    if here.game.termination in _BY_THE_STAFF:
        return  # the answer is the end of the game, which both are told
    key = f"appeal:{clock.now().isoformat()}"
    tell_of_game(here, here.player(event.seat), event.seat, Kind.APPEAL, game_texts.appeal_answered, key=key)


@on(events.GameAdjourned)
def tell_that_the_clock_stands(event: events.GameAdjourned) -> None:
    """By a director's word."""
    key = f"adjourned:{event.until.isoformat() if event.until else clock.now().isoformat()}"
    _tell_both(event, Kind.TOURNAMENT, game_texts.adjourned(event.until), key=key)


@on(events.GameDeclined)
def tell_that_it_was_declined(event: events.GameDeclined) -> None:
    """Who invited hears it."""
    _offer_is_gone(event)
    here = table(event.game_id)
    tell_of_game(
        here,
        here.game.creator,
        "",
        Kind.ANSWERED,
        game_texts.declined,
        key="declined",
        actor=event.invited_id,
    )


@on(events.GameExpired)
def tell_that_nobody_came(event: events.GameExpired) -> None:
    """Who offered hears it."""
    _offer_is_gone(event)
    here = table(event.game_id)
    tell_of_game(here, here.game.creator, "", Kind.ANSWERED, game_texts.expired, key="expired")


@on(events.GameWithdrawn)
def forget_the_invitation(event: events.GameWithdrawn) -> None:
    """There is nothing to answer any more."""
    _offer_is_gone(event)


@on(events.MatchEnded)
def tell_of_the_match(event: events.MatchEnded) -> None:
    """Both hear who has won it."""
    matter = Matter(
        kind=Kind.ENDED,
        key=f"match:{event.match_id}:ended",
        about=f"match:{event.match_id}",
        link=reverse("pages:match", args=[event.match_id]),
    )
    players = [key for key in (event.creator_id, event.opponent_id) if key is not None]
    speak_to_all(players, matter, lambda person: game_texts.match_ended(person, event.winner_id))


def _tell_opponent(event: events.GameChanged, seat: str, kind: Kind, speak: Speak) -> None:
    """Of an act of the one on ``seat``; by the board of a live game he sees it."""
    here = table(event.game_id)
    has_seen(_player(event, seat), here.about)
    if here.is_live:
        return
    other = "second" if seat == "first" else "first"
    key = f"{kind.value}:{clock.now().isoformat()}"
    actor = _player(event, seat)
    tell_of_game(here, here.player(other), other, kind, speak, key=key, actor=actor)


def _tell_both(event: events.GameChanged, kind: Kind, speak: Speak, *, key: str) -> None:
    here = table(event.game_id)
    for seat in SEATS:
        tell_of_game(here, here.player(seat), seat, kind, speak, key=key)


def _answered(event: events.GameChanged, seat: str, kind: Kind) -> None:
    withdraw(about=about_game(event.game_id), user_id=_player(event, seat), kinds=[kind], now=clock.now())


def _offer_is_gone(event: events.GameChanged) -> None:
    withdraw(about=about_game(event.game_id), kinds=[Kind.INVITED], now=clock.now())


def _who_began(event: events.GameStarted, here: Table) -> int | None:
    """Who took the game; None where it began by itself: in a contest, or as the next one of a match."""
    if event.contest is not None or (here.game.match_number or 1) > 1:
        return None
    players: Iterable[int | None] = (event.first_id, event.second_id)
    return next((key for key in players if key is not None and key != event.creator_id), None)


def _player(event: events.GameChanged, seat: str) -> int | None:
    return event.first_id if seat == "first" else event.second_id
