"""How a game begins: it is offered, waits, and is taken, withdrawn or forgotten."""

from __future__ import annotations

import random
import secrets
from datetime import datetime, timedelta
from zlib import crc32

from django.db import connection, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

import crownhead
from crownhead import CrownheadError
from crownhead.server.accounts.access import hold_user
from crownhead.server.accounts.selectors import User
from crownhead.server.core import limits
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Forbidden, Unprocessable
from crownhead.server.play import problems
from crownhead.server.play.clocks.time_control import Pace
from crownhead.server.play.events import GameCreated, GameWithdrawn, game_event
from crownhead.server.play.games import endings
from crownhead.server.play.games.endings import access_locked_game
from crownhead.server.play.games.options import Flexibility, GameOptions
from crownhead.server.play.games.selectors import blocking, candidates, guests, rated_limits, terms
from crownhead.server.play.games.selectors.replay import full_tokens
from crownhead.server.play.games.services import account_closing, seating
from crownhead.server.play.matches import services as match_services
from crownhead.server.play.models import Game, Invitation, Seat, Status

WAITING_TIME = timedelta(days=14)  # how long a game stays in the waiting room, or an invitation good
LIVE_WAITING_TIME = timedelta(hours=1)  # of a live game; one for everybody ends as its maker leaves the club
EXACTLY = Flexibility()


def create_game(
    *,
    creator: User,
    options: GameOptions,
    now: datetime,
    open_to_all: bool = True,
    invited: User | None = None,
    message: str = "",
    again_of: str = "",
) -> Game:
    """Put a new game into the waiting room, with the creator's first move if there is one.

    With ``open_to_all`` false it waits for one player alone: ``invited``, who gets the message, or anyone who
    has a link to it. ``again_of``: the game after which it is offered to the same opponent. Raises
    ``TooMany`` for somebody who offers one game after another, whether they withdraw them or not.
    """
    variant = options.checked(invited=not open_to_all)
    guests.expect_may_offer(creator, options, open_to_all=open_to_all)
    replay = crownhead.Game(variant, start=options.first_position(), draw_rules=options.draw_rules)
    start_fen = replay.position.fen()
    if options.first_move is not None:
        _push(replay, options.first_move)
    _spend_offer(creator)
    with transaction.atomic():
        terms.check_limit(creator, pace=options.control().pace)
        if options.rated:
            rated_limits.expect_may_rate(creator, invited, now)
        game = Game.objects.create(
            start_fen=start_fen,
            moves=full_tokens(replay),
            version=len(replay.moves),
            creator=creator,
            open=open_to_all,
            invited=invited,
            **terms.columns_of(options),
            **terms.seats_of(options, creator),
            **match_services.columns_of(options, creator=creator, now=now),
            created_at=now,
            expires_at=now + (LIVE_WAITING_TIME if options.control().pace is Pace.LIVE else WAITING_TIME),
        )
        if invited is not None:
            Invitation.objects.create(game=game, message=message, again_of=again_of)
        emit(game_event(GameCreated, game))
    return game


def join(*, user: User, game_id: str, now: datetime, dice: random.Random | None = None) -> Game:
    """Join a waiting game and start the clock; ``dice`` draws sides and ballots."""
    with transaction.atomic():
        game = access_locked_game(user, game_id, joining=True)
        invited = game.open or user.pk in {game.invited_id, game.creator_id}
        if game.status == Status.WAITING and not invited:
            raise endings.no_such_game(game_id)
        endings.settle(game, now)
        if game.status == Status.WAITING:
            return join_locked_game(game, user=user, now=now, dice=dice)
    raise no_longer_waiting(game)


def join_locked_game(game: Game, *, user: User, now: datetime, dice: random.Random | None = None) -> Game:
    """Start a locked waiting game with ``user`` as the opponent, who was held before it was.

    Raises the problem if they may not join.
    """
    chance = secrets.SystemRandom() if dice is None else dice
    if game.creator_id == user.pk:
        raise problems.OwnGame(_("You can't join your own game."))
    if account_closing.is_left_by_its_creator(game):
        raise problems.NotWaiting(_("This game was withdrawn."))
    if game.open and not terms.in_range(user, game):
        raise problems.NotInRange(_("Your rating is outside the range of this game."))
    blocking.expect_may_join(game, user)
    guests.expect_may_join(user, game)
    terms.check_limit(user, pace=game.pace)
    if game.rated:
        rated_limits.expect_may_rate(user, game.creator, now)
    _seat_players(game, user, now, chance)
    return game


def auto_match(
    *,
    user: User,
    options: GameOptions,
    now: datetime,
    flexibility: Flexibility = EXACTLY,
    dice: random.Random | None = None,
) -> Game:
    """Join the oldest waiting game on these terms or within their range, or else offer one on just these.

    Games on just these terms come first. Asking twice offers it once, but counts as two offers.
    """
    if options.match() or options.first_move is not None:
        raise Unprocessable(
            _("This is only possible for a single game without a first move."),
            field="games, wins, first_move",
        )
    options.checked()
    _expect_may_look(user)
    with transaction.atomic():
        hold_user(user.pk)  # before any game
        _hold_waiting_room(options.variant)
        search = candidates.Search(user, options, now)
        for taken in [EXACTLY] if flexibility == EXACTLY else [EXACTLY, flexibility]:
            for offered in search.fitting(taken):
                with transaction.atomic():
                    game = endings.lock_offer(offered.public_id)
                    if game is not None and game.status == Status.WAITING:
                        return join_locked_game(game, user=user, now=now, dice=dice)
                    transaction.set_rollback(True)  # one that is taken is held no longer
        seats = Q(creator=user, **terms.seats_of(options, user))
        mine = candidates.offered(options, EXACTLY, now).with_players().filter(seats).first()
        if mine is None:
            return create_game(creator=user, options=options, now=now)
        _spend_offer(user)  # looking again and again makes as much work
        return mine


def _expect_may_look(user: User) -> None:
    """Raise ``TooMany`` for somebody whose offers are used up: a search may end with one."""
    if wait := limits.seconds_until_free(scope=_offers_of(user), who=f"user:{user.pk}"):
        raise limits.too_many(wait)


def _spend_offer(user: User) -> None:
    limits.spend(scope=_offers_of(user), who=f"user:{user.pk}")


def _offers_of(user: User) -> str:
    return "guest_offers" if user.is_guest else "offers"


def withdraw_waiting(*, user: User, game_id: str, now: datetime) -> Game:
    """Withdraw the user's waiting game."""
    with transaction.atomic():
        game = access_locked_game(user, game_id)
        if game.creator_id != user.pk:
            raise Forbidden(_("You can only withdraw your own games."))
        endings.settle(game, now)
        if game.status == Status.WAITING:
            endings.update(game, status=Status.WITHDRAWN, ended_at=now)
            emit(game_event(GameWithdrawn, game))
        if game.status == Status.WITHDRAWN:
            return game
    raise no_longer_waiting(game)


def no_longer_waiting(game: Game) -> problems.NotWaiting:
    """The problem for a game that cannot be joined or withdrawn any more."""
    why = {
        Status.WITHDRAWN: _("This game was withdrawn."),
        Status.DECLINED: _("The invitation was declined."),
        Status.EXPIRED: _("This game has expired."),
    }.get(Status(game.status), _("Somebody else has already joined this game."))
    return problems.NotWaiting(why)


def _hold_waiting_room(variant: str) -> None:
    """Let nobody else look for a game of the variant until the transaction ends.

    Two who ask at the same time would else both see nobody, and both wait.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [crc32(f"waiting room {variant}".encode())])


def _push(replay: crownhead.Game, move: str) -> None:
    try:
        replay.push(move)
    except CrownheadError as error:
        raise problems.IllegalMove(str(error), field="first_move") from error


def _seat_players(game: Game, user: User, now: datetime, dice: random.Random) -> None:
    seated = {Seat.FIRST: game.first_player, Seat.SECOND: game.second_player}
    free = dice.choice([seat for seat, player in seated.items() if player is None])
    seating.start_now(game, players={free: user, free.opponent: game.creator}, now=now, dice=dice)
    match_services.begin(game, opponent=user, now=now, dice=dice)
