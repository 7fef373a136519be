"""A player's own games as lines of lists: what every list of games shows, and what only the player sees."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.play import selectors
from crownhead.server.play.chat.selectors import marks
from crownhead.server.play.clocks import presenters as clock_presenters
from crownhead.server.play.clocks.time_control import Pace
from crownhead.server.play.games.contests import Contest
from crownhead.server.play.matches import presenters as match_presenters
from crownhead.server.play.presenters import games as game_presenters
from crownhead.server.play.presenters.board.words import side
from crownhead.server.play.presenters.games import Entry
from crownhead.server.play.presenters.state import GameState, MatchInfo, game_state
from crownhead.server.play.selectors import Game


@dataclass(frozen=True, slots=True)
class MatchMark:
    """The match of a game: ``Match of 2 games, game 1``."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class MyGame:
    """A line: the game, the opponent, the player's side, the time left, the match and contest it belongs to.

    ``noted``: the player has a note about it; ``fresh``: it ended after their last visit; ``waits``: what is
    to be answered besides the move, a few words for each.
    """

    entry: Entry
    opponent: str
    variant_key: str
    colour: str
    left: str
    match: MatchMark | None
    contest: Contest | None
    rated: bool
    annulled: bool
    noted: bool
    fresh: bool
    waits: tuple[str, ...]


def my_games(
    games: Iterable[Game], *, user: User, now: datetime, since: datetime | None = None
) -> list[MyGame]:
    """The lines of some games of the user; those that ended after ``since`` are fresh."""
    (lines,) = lists_of_my_games([games], user=user, now=now, since=since)
    return lines


def lists_of_my_games(
    lists: Iterable[Iterable[Game]], *, user: User, now: datetime, since: datetime | None = None
) -> list[list[MyGame]]:
    """The lines of several lists; what they need beside the games is looked up for all at once."""
    rows = [list(games) for games in lists]
    everything = selectors.prefetch_vacations(game for games in rows for game in games)
    with_note, with_message = marks(user=user, games=everything)

    def line(game: Game) -> MyGame:
        has_note, has_message = game.pk in with_note, game.pk in with_message
        return _my_game(game, user, now, noted=has_note, has_message=has_message, since=since)

    return [[line(game) for game in games] for games in rows]


def match_mark(match: MatchInfo) -> MatchMark:
    """The mark of a game in a match."""
    facts = {"match": match_presenters.title(match), "number": match.number}
    return MatchMark(match.id, _("%(match)s, game %(number)s") % facts)


def _my_game(
    game: Game, user: User, now: datetime, *, noted: bool, has_message: bool, since: datetime | None
) -> MyGame:
    record = selectors.shown_replay(game)
    state = game_state(game, user, now, replayed=record, brief=True)
    mine = game_presenters.my_colour(state)
    return MyGame(
        entry=game_presenters.entry(state, record, now=now),
        opponent=_opponent(state),
        variant_key=state.variant.key,
        colour=side(mine, state.variant) if mine else "",
        left=_left(state, now),
        match=match_mark(state.match) if state.match else None,
        contest=state.contest,
        rated=state.rated,
        annulled=state.annulled,
        noted=noted,
        waits=_waits(state, has_message=has_message),
        fresh=since is not None and state.ended_at is not None and state.ended_at > since,
    )


def _waits(state: GameState, *, has_message: bool) -> tuple[str, ...]:
    """What there is to answer, or what the player waits for an answer to."""
    texts = []
    for asked_by, theirs, own in (
        (state.draw_offer, _("draw offered"), _("you offered a draw")),
        (state.take_back, _("take-back requested"), _("you requested a take-back")),
    ):
        if asked_by:
            texts.append(own if asked_by == state.viewer_seat else theirs)
    return (*texts, _("new message")) if has_message else tuple(texts)


def _opponent(state: GameState) -> str:
    """The name of the opponent; empty if there is none yet."""
    other = state.second if state.viewer_seat == "first" else state.first
    return other.display_name if other else ""


def _left(state: GameState, now: datetime) -> str:
    """The time left for the player on turn; digits in a live game."""
    if state.deadline is None:
        return ""
    rest = max(state.deadline - now, now - now)
    return (
        clock_presenters.digits(rest)
        if state.time.control.pace is Pace.LIVE
        else clock_presenters.duration(rest)
    )
