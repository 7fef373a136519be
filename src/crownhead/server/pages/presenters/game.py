"""The page of one game: what its address asks for, and everything it shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from html import escape
from typing import Any
from urllib.parse import urlencode

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

import crownhead
from crownhead import VARIANTS, Colour
from crownhead.rules.draws import draw_rules_of
from crownhead.server.accounts.choices import Submitting, Turned
from crownhead.server.accounts.selectors import User, preferences_of
from crownhead.server.competitions.selectors.boards import no_show_minutes, pairs_again
from crownhead.server.pages.presenters import talk
from crownhead.server.pages.presenters.talk import Talk
from crownhead.server.play import selectors
from crownhead.server.play.choices import Seat, Status
from crownhead.server.play.clocks import presenters as clock_presenters
from crownhead.server.play.clocks.time_control import Pace
from crownhead.server.play.draws.presenters import draw_rules_sentence
from crownhead.server.play.games.selectors.replay import seat_of
from crownhead.server.play.invitations import selectors as invitations
from crownhead.server.play.matches.presenters import MatchLine, match_line
from crownhead.server.play.plans.presenters import PlanPresenter, present_plan
from crownhead.server.play.presence import selectors as presence
from crownhead.server.play.presenters import games
from crownhead.server.play.presenters.board.boards import BoardPresenter, GameBoard, hint
from crownhead.server.play.presenters.board.diagrams import bottom_of
from crownhead.server.play.presenters.board.moves import touched
from crownhead.server.play.presenters.board.touch import BoardQuery, Touch, bottom_side
from crownhead.server.play.presenters.board.words import (
    decision_reason,
    first_move_sentence,
    turn_sentence,
)
from crownhead.server.play.presenters.games import Ply, Row, Strip
from crownhead.server.play.presenters.state import GameState, PlayerInfo, game_state
from crownhead.server.play.selectors import Game, Viewer
from crownhead.server.ratings.selectors import Rating, ratings_by_name

_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Request:
    """A request between the players; ``accept`` and ``decline``: the actions, if the viewer may answer."""

    sentence: str
    accept: str = ""
    decline: str = ""

    @property
    def ends_game(self) -> bool:
        """Whether the game is over once it is accepted, so that the viewer is asked first."""
        return self.accept == "accept"


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePage:
    """What the template shows. ``chosen`` is the move on the board, as the text field has it."""

    state: GameState
    board: BoardPresenter
    upper: Strip
    lower: Strip
    ratings: Mapping[Colour, Rating]  # of those players who have one
    rows: tuple[Row, ...]
    ply: int
    last_ply: int
    move_number: int
    status: str
    requests: tuple[Request, ...]
    decision: str  # why it was decided by somebody, if it was
    pauses: list[str]
    annulment: str
    invitation: str
    hint: str
    chosen: str
    fen: str
    draw_rules: str
    board_query: BoardQuery
    spoken: str
    match: MatchLine | None
    talk: Talk
    plan: PlanPresenter | None
    news: dict[str, Any] | None
    rematch_offered: bool = False
    pairs_again: bool = False  # the viewer's next opponent in the arena comes by itself
    first_move_in: int | None = None  # minutes that the viewer has for one, where the game is lost without
    claim_in: int | None = None  # milliseconds until the viewer may claim the game, as the opponent has left
    plies: dict[str, int] = field(default_factory=dict)

    @property
    def is_live(self) -> bool:
        """Whether the game is played live."""
        return _is_live(self.state)

    @property
    def first_move(self) -> str:
        """How soon the viewer must make their first move; empty if they lose only by their clock."""
        return first_move_sentence(self.first_move_in) if self.first_move_in else ""

    @property
    def is_open(self) -> bool:
        """Whether the game waits for anybody."""
        return self.state.status == Status.WAITING and self.state.open

    @property
    def has_menu(self) -> bool:
        """Whether rules, exports and reports stand in a menu: nobody reads them while a live game runs."""
        return self.is_live and self.state.status == Status.PLAYING

    @property
    def upper_rating(self) -> Rating | None:
        """The rating of the player above the board."""
        return self.ratings.get(self.upper.colour)

    @property
    def lower_rating(self) -> Rating | None:
        """The rating of the player below it."""
        return self.ratings.get(self.lower.colour)

    @property
    def move_list(self) -> SafeString:
        """The moves as HTML."""
        return _move_list(self.rows)

    @property
    def browsing(self) -> bool:
        """Whether an earlier position is shown."""
        return self.ply < self.last_ply

    @property
    def dark_side(self) -> str:
        """The colour in which the darker side is drawn."""
        return self.board.dark_side

    @property
    def cancel_query(self) -> str:
        """The address of this page with nothing touched."""
        return self.board_query.query()

    @property
    def try_query(self) -> str:
        """The query for an analysis board with the position shown."""
        return urlencode({"variant": self.state.variant.key, "fen": self.fen})

    @property
    def flip_query(self) -> str:
        """The address of this page with the board turned."""
        ply = self.ply if self.browsing else None
        return BoardQuery(flip=not self.board_query.flip).query(ply=ply)


def game_page(*, game: Game, viewer: Viewer, board_query: BoardQuery, now: datetime) -> GamePage:
    """The page of a game for a viewer."""
    record = selectors.shown_replay(game)
    state = game_state(game, viewer, now, replayed=record)
    ply = len(record.moves) if board_query.ply is None else min(board_query.ply, len(record.moves))
    near = _near(state, viewer)
    confirms = isinstance(viewer, User) and preferences_of(viewer).submit == Submitting.ALWAYS
    table = _table(state, record, board_query, ply, near, confirms=confirms)
    away = presence.absences(game, now) if _is_live(state) else {}
    upper, lower = (
        replace(strip, absent=_seat_of(state, strip) in away)
        for strip in games.strips(
            state=state, position=table.position, start=record.start, bottom=bottom_side(near, board_query)
        )
    )
    return GamePage(
        state=state,
        board=table.presenter(),
        upper=upper,
        lower=lower,
        ratings=_ratings(state, now),
        rows=games.rows(record, state.moves, ply=ply, planned=state.planned),
        ply=ply,
        last_ply=len(record.moves),
        move_number=games.move_number(record, ply),
        status=games.status_sentence(state, record),
        requests=_requests(state),
        decision=decision_reason(state.adjudication_reason, loser=_loser(state)),
        pauses=clock_presenters.pause_sentences(state, now),
        annulment=talk.annulment(game, state),
        invitation=talk.invitation(game, state),
        hint=hint(table, board_query),
        chosen=table.touch.chosen_text,
        fen=table.position.fen(),
        draw_rules=_draw_rules(state),
        board_query=board_query,
        spoken=spoken(state, table, upper, lower),
        match=match_line(state, state.match, viewer) if state.match else None,
        talk=talk.talk_of(game, state, viewer, part=board_query.chat),
        plan=present_plan(game, Seat(state.viewer_seat), record)
        if state.viewer_seat and state.rights.plan
        else None,
        news=_news_data(state, record) if state.status == Status.PLAYING else None,
        rematch_offered=state.rights.invite_again
        and isinstance(viewer, User)
        and bool(invitations.rematch_offered(user=viewer, game=game)),
        pairs_again=_pairs_again(state, viewer, now),
        first_move_in=_first_move_in(state),
        claim_in=_claim_in(state, away, now),
        plies={"back": max(ply - 1, 0), "forward": min(ply + 1, len(record.moves))},
    )


def _pairs_again(state: GameState, viewer: Viewer, now: datetime) -> bool:
    if not (state.viewer_seat and state.outcome and state.contest and isinstance(viewer, User)):
        return False
    return _is_live(state) and pairs_again(state.contest.event, viewer.pk, now)


def _first_move_in(state: GameState) -> int | None:
    """How many minutes the viewer has to come to the board, while they have not moved and the clock runs."""
    played = len(state.moves) - state.opening_plies
    waits = played == 0 or (played == 1 and state.rights.move)
    stands = state.time.adjourned_until is not None
    if stands or not (state.rights.resign and waits and state.contest and _is_live(state)):
        return None
    return no_show_minutes(state.contest.event)


def _loser(state: GameState) -> str:
    """The name of who lost; empty for the viewer, or where nobody did."""
    winner = state.outcome and state.outcome.winner
    if not winner or Seat(winner).opponent == state.viewer_seat:
        return ""
    loser: PlayerInfo | None = getattr(state, Seat(winner).opponent)
    return loser.display_name if loser else ""


def _ratings(state: GameState, now: datetime) -> dict[Colour, Rating]:
    """The ratings of both players, once there are two; computers and guests have none."""
    players = {games.colour_of(state, seat): getattr(state, seat) for seat in Seat.values}
    if not all(players.values()):
        return {}
    places = {colour: (player.username, state.variant.key) for colour, player in players.items()}
    known = ratings_by_name(places.values(), now=now)
    return {colour: known[place] for colour, place in places.items() if place in known}


def _seat_of(state: GameState, strip: Strip) -> Seat:
    return Seat.FIRST if strip.colour is state.variant.start.first else Seat.SECOND


def _claim_in(state: GameState, away: Mapping[Seat, datetime], now: datetime) -> int | None:
    if not state.viewer_seat:
        return None
    since = away.get(Seat(state.viewer_seat).opponent)
    return None if since is None else max(0, presence.until_claim(since, now) // _MILLISECOND)


def spoken(state: GameState, table: GameBoard, *strips: Strip) -> str:
    """What a screen reader hears when the page changes: the last move and the status."""
    left = [
        _("%(time)s left.") % {"time": strip.clock.text}
        for strip in strips
        if strip.mine and strip.to_move and strip.clock
    ]
    texts = (table.last_sentence, games.status_sentence(state, table.replay), *left)
    return " ".join(filter(None, (*texts, *(request.sentence for request in _requests(state)))))


def _requests(state: GameState) -> tuple[Request, ...]:
    rights = state.rights
    draw = ("accept", "decline") if rights.answer_draw else ()
    back = ("accept-take-back", "decline-take-back") if rights.answer_take_back else ()
    requests = (
        Request(games.draw_offer_sentence(state), *draw),
        Request(games.take_back_sentence(state), *back),
    )
    return tuple(request for request in requests if request.sentence)


def _table(
    state: GameState,
    record: crownhead.Game,
    board_query: BoardQuery,
    ply: int,
    near: Colour,
    *,
    confirms: bool,
) -> GameBoard:
    """The board; ``confirms``: the viewer wants to submit moves of live games too."""
    may_move = state.rights.move and ply == len(record.moves)
    return GameBoard(
        replay=record,
        bottom=bottom_side(bottom_of(record.variant, near), board_query),
        ply=ply,
        touch=touched(record.position, board_query.at) if may_move else Touch(),
        key=state.id if state.viewer_seat else "",
        mine=games.my_colour(state) if state.status == Status.PLAYING else None,
        live=_is_live(state),
        at_once=_is_live(state) and not confirms,
    )


def _is_live(state: GameState) -> bool:
    return state.time.control.pace is Pace.LIVE


def _near(state: GameState, viewer: Viewer) -> Colour:
    """The side at the bottom by the viewer's preference: their own, or the same in every game."""
    first = state.variant.start.first
    wanted = preferences_of(viewer).turned if isinstance(viewer, User) else Turned.MINE
    if wanted == Turned.MINE:
        return games.my_colour(state) or first
    return first if wanted == Turned.FIRST else first.opponent


def _draw_rules(state: GameState) -> str:
    return draw_rules_sentence(draw_rules_of(VARIANTS[state.variant.key], state.draw_rules))


def _move_list(rows: Iterable[Row]) -> SafeString:
    """The lines as HTML, each move a link; in Python, for a long game has a hundred of them."""
    planned = _planned()
    lines = "".join(
        f"<li>{_ply(row.first, planned) if row.first else '<span>…</span>'}"
        f"{_ply(row.second, planned) if row.second else ''}</li>"
        for row in rows
    )
    return mark_safe(lines)  # nosec B308 B703 # every text in it is escaped


def _ply(ply: Ply, planned: str) -> str:
    current = ' aria-current="true"' if ply.current else ""
    return f'<a href="?ply={ply.number}"{current}>{escape(ply.text)}{planned if ply.planned else ""}</a>'


def _planned() -> str:
    """The mark of a conditional move."""
    words = escape(_("a conditional move"))
    return (
        f'<span class="planned" title="{words}" aria-hidden="true">{escape(_("if"))}</span>'
        f'<span class="visually-hidden">{words}</span>'
    )


def _news_data(state: GameState, record: crownhead.Game) -> dict[str, Any]:
    """What a game in progress needs to show a move that the stream reports; gaps are written ``{name}``."""
    seats = {colour: seat_of(state.variant, colour).value for colour in Colour}
    return {
        "version": state.version,
        "startsLate": record.start.turn is not state.variant.start.first,
        "seat": state.viewer_seat or "",
        "seats": {colour.value: seat for colour, seat in seats.items()},
        "turns": {colour.value: _turn_text(state, colour, seat) for colour, seat in seats.items()},
        "left": _("%(time)s left.") % {"time": "{time}"},
        "moment": _("less than a minute"),
    }


def _turn_text(state: GameState, colour: Colour, seat: str) -> str:
    if seat == state.viewer_seat:
        return _("Your turn.")
    return turn_sentence(colour, state.variant)
