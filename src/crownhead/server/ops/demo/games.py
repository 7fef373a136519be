"""Games of the sample club: the engine plays both sides, each at the level of the member it plays for."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache
from random import Random
from typing import Any

import crownhead
from crownhead import VARIANTS
from crownhead.engine.engine import Engine
from crownhead.engine.levels import choose
from crownhead.rules.schema import Objective, PieceKind
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.problems import Problem
from crownhead.server.ops.demo.people import Members
from crownhead.server.ops.demo.script import SCRIPT
from crownhead.server.play import selectors
from crownhead.server.play.chat import services as chat
from crownhead.server.play.choices import Seat
from crownhead.server.play.clocks import timing
from crownhead.server.play.draws import services as draws
from crownhead.server.play.games.options import BankClock, GameOptions, LiveClock
from crownhead.server.play.games.selectors.replay import full_tokens, seat_of
from crownhead.server.play.games.services import create_game
from crownhead.server.play.games.services.seating import start_game
from crownhead.server.play.moves.services import play_move
from crownhead.server.play.selectors import Game, replay_game

DAY = timedelta(days=1)
LONGEST = 110  # plies; then they agree to a draw
_LOST_BY = 3  # men, with which a player may resign; a crowned piece counts as two
_RESIGNS = 0.35  # each time
_FEWEST_PLIES = 20  # before somebody resigns
_MEGABYTES = 1
_REST = 10  # all the others together
_MAIN = next(iter(SCRIPT["shares"]))
_DAYS = (1, 2, 3, 3, 5, 7)
_LIVE = (LiveClock(initial=300, increment=3), LiveClock(initial=600, increment=5))
_SLOW = LiveClock(initial=3600, increment=30)  # so that a live game is still going when somebody looks


def some_variant(dice: Random, *, only_main: bool = False) -> str:
    """The key of a variant, the popular ones more often."""
    shares: dict[str, float] = dict(SCRIPT["shares"])
    rest = [key for key in VARIANTS if key not in shares]
    if not only_main:
        shares |= dict.fromkeys(rest, _REST / len(rest))
    (key,) = dice.choices(list(shares), list(shares.values()))
    return key


def add_finished_games(members: Members, count: int, *, now: datetime, dice: Random) -> None:
    """Games of the last four months, most of them rated, oldest first; every tenth lost on time."""
    for number in range(count):
        ended = now - 115 * DAY * (1 - number / count) - DAY / 12
        live = dice.random() < 0.45
        first, second = members.two(dice)
        length = DAY / 48 if live else DAY * dice.uniform(8, 16)
        options = GameOptions(
            variant=some_variant(dice, only_main=live),
            colour="first",
            rated=dice.random() < 0.85,
            **_pace(live=live, dice=dice),
        )
        begun = ended - length
        with clock.stopped(begun):
            game = start_game(first=first, second=second, options=options, now=begun, dice=dice)
        finish(game, members, at=ended, dice=dice, on_time=number % 10 == 7)


def add_running_games(members: Members, count: int, *, now: datetime, dice: Random) -> list[Game]:
    """Games in progress, some of them live; every third is one of the member."""
    made = []
    for number in range(count):
        first, second = members.two(dice)
        if number % 3 == 0:
            first, second = dice.sample([members.member, members.everybody[1 + number // 3 % 9]], 2)
        live = number % 6 == 1 and members.member not in (first, second)
        moved = now - (DAY / 1440 if live else DAY * dice.uniform(0.02, 0.6))
        begun = moved - (DAY / 48 if live else DAY * dice.uniform(2, 20))
        terms: dict[str, Any] = {"clock": _SLOW} if live else {"days_per_move": dice.choice(_DAYS)}
        options = GameOptions(
            variant=_MAIN if live and number < 6 else some_variant(dice, only_main=live),
            colour="first",
            rated=number % 2 == 0,
            **terms,
        )
        with clock.stopped(begun):
            game = start_game(first=first, second=second, options=options, now=begun, dice=dice)
        add_moves(game, members, dice.randint(6, 34), at=moved, dice=dice)
        made.append(game)
    return made


def add_offers(members: Members, count: int, *, now: datetime, dice: Random) -> None:
    """Games that wait for an opponent, and one that the member is invited to.

    None is live: who took it would wait for somebody who does not come.
    """
    makers = [user for user in members.everybody[1:] if user.pk % 3 == 1 or len(members.everybody) < 20]
    for number in range(count):
        made = now - DAY * dice.uniform(0.05, 4)
        options = GameOptions(
            variant=_MAIN if number == 0 else some_variant(dice),
            colour=dice.choice(("random", "random", "first", "second")),
            rated=number % 2 == 0,
            **_pace(live=False, dice=dice),
        )
        with clock.stopped(made):
            create_game(creator=makers[number % len(makers)], options=options, now=made)
    invitation = GameOptions(
        variant=some_variant(dice, only_main=True), colour="random", days_per_move=3, rated=True
    )
    asked = now - DAY / 10
    with clock.stopped(asked):
        create_game(
            creator=members.everybody[4],
            options=invitation,
            now=asked,
            open_to_all=False,
            invited=members.member,
            message="You owe me a rematch!",
        )


def finish(game: Game, members: Members, *, at: datetime, dice: Random, on_time: bool = False) -> None:
    """Play a game to its end: by the laws, by agreement, by resignation, or by the clock."""
    record = _some_moves(game, members, LONGEST, dice, resigning=True)
    over = record.outcome() is not None
    last = record.moves[-1] if over else None
    if over:
        record.pop()
    with clock.stopped(at):
        put_moves(game, record, now=at)
        game = Game.objects.with_players().get(pk=game.pk)
        mover, other = _players(game)
        if on_time:
            assert game.deadline_at is not None
            put_moves(game, record, now=at - (game.deadline_at - at))
            selectors.access_game(viewer=None, public_id=game.public_id, now=at + DAY / 1440)
        elif _is_lost(record):
            draws.resign(user=mover, game_id=game.public_id, now=at)
        elif last is not None:
            text = record.position.notation(last)
            play_move(user=mover, game_id=game.public_id, move=text, version=game.version, now=at)
        else:
            with suppress(Problem):  # the other side's offer may be there already
                draws.offer_draw(user=other, game_id=game.public_id, now=at)
            draws.accept_draw(user=mover, game_id=game.public_id, now=at)


def add_moves(game: Game, members: Members, plies: int, *, at: datetime, dice: Random) -> None:
    """Let a running game go on to so many plies, unless it would be over by then."""
    record = _some_moves(game, members, plies, dice)
    if record.outcome() is not None:
        record.pop()
    with clock.stopped(at):
        put_moves(game, record, now=at, dice=dice)


def access(game_id: str) -> Game:
    """A game by its public identifier, with its players."""
    return Game.objects.with_players().get(public_id=game_id)


def put_moves(game: Game, record: crownhead.Game, *, now: datetime, dice: Random | None = None) -> None:
    """Put the moves of a record on a game's board, the last one made now; ``dice``: some time is used up."""
    seat = seat_of(record.variant, record.position.turn)
    changes: dict[str, Any] = {}
    if dice is not None and game.pace == "live":
        assert game.first_left is not None
        changes = {name: game.first_left * dice.uniform(0.6, 0.95) for name in timing.LEFT.values()}
    for name, value in changes.items():
        setattr(game, name, value)
    changes |= {"moves": full_tokens(record), "version": len(record.moves), "last_moved_at": now}
    changes |= timing.start_turn_changes(game, seat=seat, now=now, plies=len(record.moves))
    Game.objects.filter(pk=game.pk).update(**changes)


def add_talk(games: list[Game], members: Members, *, now: datetime) -> None:
    """Some words between the players, a note, and a draw offer to the member."""
    lines = ("Hello! Have a good game.", "Thanks, you too.", "I did not see that coming.", "Take your time.")
    for number, game in enumerate(games[:8]):
        row = Game.objects.with_players().get(pk=game.pk)
        users = [user for user in (row.second_player, row.first_player) if user is not None]
        for place, text in enumerate(lines[: 1 + number % 4]):
            at = now - DAY / 24 + place * DAY / 500
            with clock.stopped(at):
                chat.send_message(user=users[place % 2], game_id=row.public_id, text=text, now=at)
    mine = [game for game in games if members.member.pk in (game.first_player_id, game.second_player_id)]
    if len(mine) > 1:
        chat.write_note(
            user=members.member, game_id=mine[0].public_id, text="Keep the bridge as long as possible."
        )
        row = Game.objects.with_players().get(pk=mine[1].pk)
        other = row.second_player if row.first_player == members.member else row.first_player
        assert other is not None
        draws.offer_draw(user=other, game_id=row.public_id, now=now)


def _pace(*, live: bool, dice: Random) -> Mapping[str, Any]:
    if live:
        return {"clock": dice.choice(_LIVE)}
    if dice.random() < 0.15:
        return {"clock": BankClock(time=72, bonus=12, limit=120)}
    return {"days_per_move": dice.choice(_DAYS)}


def _some_moves(
    game: Game, members: Members, most: int, dice: Random, *, resigning: bool = False
) -> crownhead.Game:
    """The game with moves that the engine made for both, up to so many plies in all.

    ``resigning``: it may stop where the side to move has lost too much.
    """
    row = Game.objects.with_players().get(pk=game.pk)
    record = replay_game(row)
    engine = _engine(row.variant)
    keys = {Seat.FIRST: row.first_player_id, Seat.SECOND: row.second_player_id}
    while len(record.moves) < most and record.outcome() is None:
        key = keys[seat_of(record.variant, record.position.turn)]
        level = 3 if key is None else members.levels.get(key, 3)
        if resigning and _is_lost(record) and dice.random() < _RESIGNS:
            break
        record.push(choose(engine, record.position, level=level, dice=dice))
    return record


def _is_lost(record: crownhead.Game) -> bool:
    """Whether the side to move has so much less that a player might resign."""
    if record.variant.rules.objective is not Objective.OPPONENT_WINS:
        return False
    balance, mine = 0, record.position.turn
    for piece in record.position.pieces.values():
        balance += (1 if piece.kind is PieceKind.MAN else 2) * (1 if piece.colour is mine else -1)
    return balance <= -_LOST_BY and len(record.moves) > _FEWEST_PLIES


def _players(game: Game) -> tuple[User, User]:
    """Who is to move in a running game, and who waits."""
    assert game.first_player is not None
    assert game.second_player is not None
    pair = game.first_player, game.second_player
    return pair if game.turn == Seat.FIRST else pair[::-1]


@cache
def _engine(variant: str) -> Engine:
    return Engine(variant, megabytes=_MEGABYTES)
