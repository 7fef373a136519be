"""What goes on in the club just now, as its front page shows it to guests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from crownhead.server.accounts import selectors as accounts
from crownhead.server.competitions import selectors as tournaments
from crownhead.server.competitions.choices import Status
from crownhead.server.competitions.presenters.tournaments import TournamentLine, lines
from crownhead.server.people.presenters.people import PersonSummary, summaries
from crownhead.server.play import selectors as games
from crownhead.server.play.choices import PaceKey
from crownhead.server.play.presenters.games import move_number
from crownhead.server.play.presenters.small_boards import SmallBoard, small_board
from crownhead.server.play.presenters.variant_texts import variant_name
from crownhead.server.play.selectors import Game

PEOPLE, FEW = 12, 6
TOURNAMENTS = 4
MAX_COUNTED = 500  # players and games; beyond that it says "500+"
_BEGUN = 4  # plies from which a game is something to look at


@dataclass(frozen=True, slots=True)
class Featured:
    """A running game to look at, on a board that moves along with it."""

    board: SmallBoard
    variant_key: str
    variant_name: str
    move_number: int
    is_live: bool


@dataclass(frozen=True, slots=True)
class ClubNow:
    """What goes on: ``here`` and ``playing`` count players and games, up to `MAX_COUNTED`.

    ``people`` are those who are here and show it; where they are few, also those who were here before.
    ``is_new``: nobody has an account yet.
    """

    featured: Featured | None
    here: int
    playing: int
    people: list[PersonSummary]
    people_are_here: bool
    is_new: bool
    tournaments: list[TournamentLine]

    @property
    def is_quiet(self) -> bool:
        """Whether nobody is here and no game is running."""
        return not (self.here or self.playing)


def club_now(now: datetime) -> ClubNow:
    """What goes on in the club; a handful of queries."""
    top = games.top_to_watch()
    here = accounts.players_online(now)[:MAX_COUNTED].count()
    shown = accounts.players_online(now) if here >= FEW else accounts.players_seen()
    people = summaries(shown[:PEOPLE], now=now)
    return ClubNow(
        featured=featured(top),
        here=here,
        playing=games.games_to_watch().order_by()[:MAX_COUNTED].count() if top else 0,
        people=people,
        people_are_here=here >= FEW,
        is_new=not people and not accounts.has_members(),
        tournaments=_tournaments(),
    )


def featured(running: Sequence[Game]) -> Featured | None:
    """The game to show: a live one that has begun, moved in last; None where nothing is played."""
    if not running:
        return None
    game = max(running, key=_interest)
    replay = games.shown_replay(game)
    return Featured(
        board=small_board(game),
        variant_key=game.variant,
        variant_name=variant_name(replay.variant),
        move_number=move_number(replay, len(replay.moves)),
        is_live=game.pace == PaceKey.LIVE,
    )


def _interest(game: Game) -> tuple[bool, bool, datetime]:
    moved = game.last_moved_at or game.created_at
    return game.version >= _BEGUN, game.pace == PaceKey.LIVE, moved


def _tournaments() -> list[TournamentLine]:
    """The tournaments that run, and those that anybody may still enter."""
    found = [
        row
        for status in (Status.RUNNING, Status.ENTRY)
        for row in tournaments.tournaments(status=status.value)[:TOURNAMENTS]
    ]
    return lines(found[:TOURNAMENTS])
