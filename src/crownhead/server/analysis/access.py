"""What the engine is asked on behalf of whom: how much, and nothing about a user's running games.

Neither for their positions, nor for those that are like them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from crownhead import VARIANTS, Position, Variant
from crownhead.notation.moves import play_through
from crownhead.server.accounts.selectors import User, computers
from crownhead.server.analysis.engine import likeness
from crownhead.server.analysis.events import EngineRefused
from crownhead.server.analysis.models import Allowance
from crownhead.server.core import clock
from crownhead.server.core.events import emit
from crownhead.server.core.limits import seconds_to_wait, seconds_until_free, too_many
from crownhead.server.core.problems import Forbidden, TooMany
from crownhead.server.play import selectors
from crownhead.server.play.games.selectors.starts import has_own_start
from crownhead.server.play.selectors import Game, Games

_SCOPE, _FEW = "own_games", 50  # what counts them, and so many that are compared however often
_AT_ONCE = 100  # games that are replayed for one request; what is remembered of them helps the next
_PARTS = 16  # in which what more of them guard is remembered
_TOGETHER = 8  # plies of a review that are compared together, before each of those that may be near
_OPENING = 8  # plies, in which games against the computer and others are often alike

_replays = threading.local()

Requester = User | AnonymousUser | None
_Placements = tuple[likeness.Placement, ...]


class OwnGameInProgress(Forbidden):
    """The position is like one of a game that the asker is playing."""

    slug = "own-game-runs"
    title = gettext_lazy("You are playing this position")


def expect_no_own_game(*, user: Requester, position: Position) -> None:
    """Raise ``OwnGameInProgress`` if the position is like one of a running game of the user.

    For who reads: nothing is kept, as anybody can make others open an address.
    """
    expect_no_own_game_along(user=user, positions=(position,))


def expect_no_own_game_along(*, user: Requester, positions: Iterable[Position]) -> None:
    """Expect it of several positions, as of the solution of a problem."""
    if not isinstance(user, User):
        return
    own = OwnGames(user)
    if any(own.like(position) is not None for position in positions):
        raise OwnGameInProgress(refusal_sentence())


def expect_may_ask(*, user: User | None, position: Position) -> None:
    """Raise ``OwnGameInProgress`` likewise, and keep for the staff what was asked (``EngineRefused``).

    For a request by which the user asks the engine and that no other site can make their browser send: a form
    with its token, or an operation that changes something. Call it outside a transaction.
    """
    if _noted(user, OwnGames(user).like(position), position):
        raise OwnGameInProgress(refusal_sentence())


def is_relayed(*, user: User | None, position: Position, plies: int = 0, is_own_start: bool = False) -> bool:
    """Whether a position of the user's game against the computer is like one of a running game with a person.

    The computer's reply would be a move for that game: the user only has to play the other side's moves here.
    ``plies``: made in the game against the computer; ``is_own_start``: it began from a position of somebody's
    own. Where both games are beyond the opening that games have in common, or this one did not begin with it,
    what is near counts, too; otherwise the same position. By other laws a game in its opening counts for
    nothing. Who has very many running games and has had too many compared is taken to relay. Nothing is kept.
    """
    try:
        return _relayed_game(user, position, plies, is_own_start=is_own_start) is not None
    except TooMany:
        return True


def is_asked_to_relay(
    *, user: User | None, position: Position, plies: int = 0, is_own_start: bool = False
) -> bool:
    """Whether it is, where the user asks for the reply: a game that was found is kept for the staff.

    Call it as ``expect_may_ask``.
    """
    try:
        game = _relayed_game(user, position, plies, is_own_start=is_own_start)
    except TooMany:
        return True
    return _noted(user, game, position)


def refusal_sentence() -> str:
    """Why there is no engine for a position of one's own game."""
    return _(
        "The engine is off while your game is in progress, and the club's server checks this too. "
        "You can analyse the game when it is over."
    )


def plays_such_games(*, user: User | None, variant: Variant) -> bool:
    """Whether the user has a running game on such a board, so that positions are or will be refused."""
    return user is not None and _running(user, variant).exists()


def may_watch(*, user: User | None, position: Position) -> bool:
    """Whether the user may follow what the engine finds in a position."""
    return OwnGames(user).like(position) is None


class OwnGames:
    """A user's running games, read once for each board that is asked about; nobody else has any.

    What they guard is compared once, however many games have it in common. Those beyond the opening guard
    what is near by the laws of any variant on their board: without kings, or without a mule, two variants
    often have the same moves. Those still in it guard nothing by other laws, and ``in_review`` only the same
    positions.
    """

    def __init__(self, user: Requester, *, in_review: bool = False) -> None:
        self._user, self._in_review = user if isinstance(user, User) else None, in_review
        self._most = _replays_so_far() + _AT_ONCE
        self._games: dict[tuple[str, ...], tuple[list[Game], list[Game]]] = {}
        self._guarded: dict[tuple[str, ...], _Guarded] = {}  # by the variants that are asked about alike
        self._parts: dict[str, tuple[_Guarded, _Guarded]] = {}

    def are_there(self, variant: Variant) -> bool:
        """Whether the user has running games that guard anything in a variant."""
        return any(part.is_any for part in self._guarding(variant))

    def like(self, position: Position) -> Game | None:
        """A running game to which a position is near, or one of which it is the same."""
        found = (part.like(position) for part in self._guarding(position.variant))
        return next((game for game in found if game is not None), None)

    def may_be_like(self, positions: Sequence[Position]) -> bool:
        """Whether any of a few positions in a row, of the same game, may be like a running game."""
        return any(part.may_be_like(positions) for part in self._guarding(positions[0].variant))

    def _guarding(self, variant: Variant) -> tuple[_Guarded, _Guarded]:
        """What is guarded by the laws of all variants on a board, and by those of this one alone."""
        if variant.key not in self._parts:
            board = _keys_on_board(variant)
            laws = tuple(key for key in board if likeness.plays_alike(VARIANTS[key], variant))
            beyond, opening = self._on_board(variant)
            common = [game for game in opening if game.variant in laws]
            with _counting(self._user, len(beyond) + len(common)):
                around, exact = ((), common) if self._in_review else (common, ())
                self._parts[variant.key] = (
                    self._kept(("beyond the opening", *board), beyond, ()),
                    self._kept(laws, around, exact),
                )
        return self._parts[variant.key]

    def _kept(self, name: tuple[str, ...], around: Sequence[Game], exact: Sequence[Game]) -> _Guarded:
        if name not in self._guarded:
            self._guarded[name] = _Guarded(around, exact, most=self._most)
        return self._guarded[name]

    def _on_board(self, variant: Variant) -> tuple[list[Game], list[Game]]:
        """The games beyond the opening that games have in common, and those still in it."""
        keys = _keys_on_board(variant)
        if keys not in self._games:
            beyond: list[Game] = []
            opening: list[Game] = []
            for game in () if self._user is None else _compared(self._user, variant):
                (opening if _is_in_common_opening(game) else beyond).append(game)
            self._games[keys] = beyond, opening
        return self._games[keys]


def barred_plies(user: Requester, positions: Iterable[Position]) -> frozenset[int]:
    """The plies of a game of which a review says nothing to a user, as their running games are like them."""
    own, every = OwnGames(user, in_review=True), list(positions)
    return frozenset(
        ply
        for first in range(0, len(every), _TOGETHER)
        if own.may_be_like(every[first : first + _TOGETHER])
        for ply, position in enumerate(every[first : first + _TOGETHER], first)
        if own.like(position) is not None
    )


def expect_allowed(user: Requester) -> None:
    """Raise ``Forbidden`` with the reason if the staff have blocked the user from the engine."""
    own = _allowance_of(user)
    if own is not None and own.shut:
        raise Forbidden(
            _("The staff have blocked your access to the engine: %(reason)s") % {"reason": own.reason}
        )


def games_at_once(user: User) -> int:
    """How many games against computers the user may have in progress."""
    own = _allowance_of(user)
    everybody: int = settings.COMPUTER_GAMES_PER_PLAYER
    return everybody if own is None or own.games is None else own.games


def max_seconds(user: Requester) -> int:
    """For how many seconds the user may have a position analysed."""
    own = _allowance_of(user)
    everybody: int = settings.ANALYSIS_SECONDS
    return everybody if own is None or own.seconds is None else own.seconds


def _relayed_game(user: User | None, position: Position, plies: int, *, is_own_start: bool) -> Game | None:
    if user is None:
        return None
    is_opening = _is_common(plies, is_own_start=is_own_start)
    around: list[Game] = []
    exact: list[Game] = []
    them = {one.pk for one in computers()}
    for game in _compared(user, position.variant):
        if game.first_player_id in them or game.second_player_id in them:
            continue
        if not _is_in_common_opening(game):
            (exact if is_opening else around).append(game)
        elif is_own_start and _plays_alike(game, position.variant):
            around.append(game)
    with _counting(user, len(around) + len(exact)):
        guarded = _Guarded(around, exact, most=_replays_so_far() + _AT_ONCE)
    return guarded.like(position)


@contextmanager
def _counting(user: User | None, games: int) -> Iterator[None]:
    """Count for the user what is replayed within: of many games, so many at once, and so many an hour.

    Raises ``TooMany``, which of the first kind tells them to try again in a moment.
    """
    who = f"user:{user.pk}" if user else ""
    if games > _FEW and (wait := seconds_until_free(scope=_SCOPE, who=who)):
        raise too_many(wait)
    before = _replays_so_far()
    try:
        yield
    finally:
        if new := _replays_so_far() - before:
            seconds_to_wait(scope=_SCOPE, who=who, amount=new)


def _noted(user: User | None, game: Game | None, position: Position) -> bool:
    """Keep for the staff what a player asked about a game of theirs; whether there is one."""
    if user is None or game is None:
        return False
    with transaction.atomic():
        emit(
            EngineRefused(
                user_id=user.pk,
                game_id=game.public_id,
                variant=position.variant_key,
                fen=position.fen(),
                ply=len(game.moves.split()),
                at=clock.now(),
            )
        )
    return True


class _Guarded:
    """What running games guard: some of them with what is near to their positions, some the same alone.

    ``most``: the number of replays of this thread at which there were enough; raises ``TooMany``.
    """

    def __init__(self, around: Iterable[Game], exact: Iterable[Game], *, most: int) -> None:
        near = _with_placements(around, most)
        parts = _PARTS if len(near) > _FEW else 1
        self._parts: list[list[tuple[Game, _Placements]]] = [[] for _ in range(parts)]
        for game, known in near:
            self._parts[game.pk % parts].append((game, known))
        table = _kept_table if parts > 1 else _table
        self._surroundings = likeness.Surroundings(
            *(table(tuple(known for _, known in part)) for part in self._parts)
        )
        self._equal: dict[likeness.Placement, Game] = {}
        for game, known in _with_placements(exact, most):
            for one in known:
                self._equal.setdefault(one, game)
        self.is_any = bool(near or self._equal)

    def may_be_like(self, positions: Sequence[Position]) -> bool:
        """Whether any of a few positions in a row may be like these games; if not, none of them is."""
        return bool(self._equal) or self._surroundings.may_find(positions)

    def like(self, position: Position) -> Game | None:
        """The game to which a position is near, or one of which it is the same."""
        if not self.is_any:
            return None
        if found := self._surroundings.find(position):
            part, near = found
            return next(game for game, known in self._parts[part] if near in known)
        forms = likeness.forms(position) if self._equal else ()
        return next((self._equal[form] for form in forms if form in self._equal), None)


def _table(known: tuple[_Placements, ...]) -> likeness.Table:
    return likeness.Table.of(chain.from_iterable(known))


# A move changes the games of one part. Those of hundreds of games take some 80 KB each.
_kept_table = lru_cache(maxsize=256)(_table)


def _with_placements(games: Iterable[Game], most: int) -> list[tuple[Game, _Placements]]:
    """Games with what they guard, in an order that stays; of those that are the same, the first."""
    played: dict[tuple[str, str, str], Game] = {}
    for game in sorted(games, key=lambda game: game.pk):
        played.setdefault((game.variant, game.start_fen, game.moves), game)
    found = []
    for moves, game in played.items():
        found.append((game, guarded_placements(*moves)))
        if _replays_so_far() > most:
            raise too_many(1)
    return found


@lru_cache(maxsize=8192)  # of a kilobyte: who asks again, or follows several studies, has the same games
def guarded_placements(variant: str, start: str, moves: str) -> _Placements:
    """What a running game bars; its draw rules and its opening bar nothing else."""
    _replays.count = _replays_so_far() + 1
    origin = Position.from_fen(start, variant)
    positions = (origin, *play_through(origin, moves)[1])
    is_usual = origin.fen() == Position.start(variant).fen()
    return tuple(dict.fromkeys(likeness.guarded(positions, answers=is_usual)))


def _replays_so_far() -> int:
    """How many games this thread has replayed."""
    count: int = getattr(_replays, "count", 0)
    return count


def _is_in_common_opening(game: Game) -> bool:
    """Whether so little was played from the usual start that other games go the same way."""
    return _is_common(len(game.moves.split()), is_own_start=has_own_start(game))


def _is_common(plies: int, *, is_own_start: bool) -> bool:
    return plies < _OPENING and not is_own_start


def _plays_alike(game: Game, variant: Variant) -> bool:
    return likeness.plays_alike(VARIANTS[game.variant], variant)


def _running(user: User, variant: Variant) -> Games:
    """The user's running games of variants that share the board."""
    return selectors.my_games(user=user).filter(variant__in=_keys_on_board(variant))


def _compared(user: User, variant: Variant) -> Games:
    """Those games with as much of their rows as comparing them takes: of hundreds, a quarter of the time."""
    names = ("public_id", "variant", "start_fen", "moves", "first_player", "second_player")
    return _running(user, variant).select_related(None).only(*names)


def _keys_on_board(variant: Variant) -> tuple[str, ...]:
    return tuple(key for key, row in VARIANTS.items() if likeness.shares_board(row, variant))


def _allowance_of(user: Requester) -> Allowance | None:
    if not isinstance(user, User):
        return None
    return Allowance.objects.filter(user=user).first()
