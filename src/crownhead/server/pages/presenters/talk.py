"""Chat, notes and requests to the staff, as the page of a game shows them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from crownhead import Colour
from crownhead.server.accounts.selectors import User
from crownhead.server.play.chat import selectors as chat_selectors
from crownhead.server.play.chat.selectors import SHOWN, ChatLine
from crownhead.server.play.choices import FORFEIT, Claim, Status
from crownhead.server.play.invitations import selectors as invitation_selectors
from crownhead.server.play.presenters.games import colour_of, is_called_off, unrated_sentence
from crownhead.server.play.presenters.state import GameState
from crownhead.server.play.selectors import Game, Viewer
from crownhead.server.play.staff import selectors as staff_selectors
from crownhead.server.play.staff.selectors import Appeal

PLAYERS = ("first", "second")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the chat."""

    name: str
    colour: Colour
    mine: bool
    text: str
    written_at: datetime


@dataclass(frozen=True, slots=True)
class AppealLine:
    """A request to the staff; ``reason`` is empty for the opponent, ``answer`` until they have answered."""

    question: str
    reason: str
    verdict: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Chat, note and appeals of a game, as far as the viewer may see them.

    ``lines``: a part of the chat; ``theirs``: how many lines of it all are by others; ``older``: the number
    of the part before this one, if there is one; ``is_latest``: there is none after it. ``unanswered``: the
    opponent has written since the viewer's last move or message.
    """

    reads: bool
    unanswered: bool = False
    lines: tuple[Line, ...] = ()
    theirs: int = 0
    older: int | None = None
    is_latest: bool = True
    keeps_note: bool = False
    note: str = ""
    appeals: tuple[AppealLine, ...] = ()
    may_appeal: bool = False


def talk_of(game: Game, state: GameState, viewer: Viewer, *, part: int = 0) -> Talk:
    """Chat, note and appeals of a game for one viewer; ``part``: of the chat, the latest being 0."""
    plays = isinstance(viewer, User) and state.viewer_seat is not None
    is_inside = plays or (isinstance(viewer, User) and viewer.acts_as_staff)
    begun = state.status in {Status.PLAYING, Status.FINISHED}
    keeps_note = plays and begun and isinstance(viewer, User) and not viewer.is_guest
    rows, goes_on = (
        chat_selectors.latest_lines(game=game, viewer=viewer, offset=part * SHOWN) if begun else ([], False)
    )
    lines = tuple(_line(state, row) for row in rows)
    appeals = list(staff_selectors.appeals(game=game, viewer=viewer)) if begun and is_inside else []
    waits = any(row.seat == state.viewer_seat and row.answered_at is None for row in appeals)
    last = rows[-1] if plays and state.status == Status.PLAYING and rows and not part else None
    return Talk(
        reads=begun and not _with_guest(state) and (is_inside or bool(lines)),
        unanswered=last is not None
        and isinstance(viewer, User)
        and chat_selectors.is_unanswered(game, viewer, seat=last.seat, ply=last.ply),
        lines=lines,
        theirs=chat_selectors.count_by_others(game=game, viewer=viewer)
        if goes_on or (part and lines)
        else sum(not line.mine for line in lines),
        older=part + 1 if goes_on else None,
        is_latest=part == 0,
        keeps_note=keeps_note,
        note=chat_selectors.note(game=game, user=viewer) if keeps_note and isinstance(viewer, User) else "",
        appeals=tuple(_appeal(state, row) for row in appeals),
        may_appeal=state.rights.appeal and not waits,
    )


def annulment(game: Game, state: GameState) -> str:
    """Why a game is annulled, or not rated as it was to be; empty if it is neither."""
    if not state.annulled:
        return unrated_sentence(game)
    action = game.staff_actions.filter(verb="annulled").order_by("-pk").first()
    if action:
        return _("The staff annulled this game. Reason: %(reason)s") % {"reason": action.reason}
    outcome = state.outcome
    if is_called_off(state) or (outcome and outcome.termination == FORFEIT and outcome.winner is None):
        return ""  # the status already says so
    if state.contest and outcome and outcome.winner:
        return _("Not rated: each side must make at least two moves.") if state.rated else ""
    return _("Not counted: each side must make at least two moves.")


def invitation(game: Game, state: GameState) -> str:
    """The message of an invitation, for its two players; else empty."""
    if not (state.rights.decline or state.rights.withdraw) or state.open:
        return ""
    return invitation_selectors.message_of(game)


def _with_guest(state: GameState) -> bool:
    """Whether a guest plays: nobody chats with one."""
    return any(player is not None and player.is_guest for player in (state.first, state.second))


def _line(state: GameState, row: ChatLine) -> Line:
    return Line(
        name=_name(state, row.seat),
        colour=colour_of(state, row.seat),
        mine=row.seat == state.viewer_seat,
        text=row.text,
        written_at=row.written_at,
    )


def _appeal(state: GameState, row: Appeal) -> AppealLine:
    facts = {"name": _name(state, row.seat)}
    asks = {
        Claim.WIN.value: _("%(name)s asks the staff to declare a win."),
        Claim.DRAW.value: _("%(name)s asks the staff to declare a draw."),
    }
    verdicts = {None: "", True: _("Granted by the staff."), False: _("Declined by the staff.")}
    return AppealLine(asks[row.claim] % facts, row.reason, verdicts[row.granted], row.answer)


def _name(state: GameState, seat: str) -> str:
    player = state.first if seat == "first" else state.second
    return player.display_name if player else ""
