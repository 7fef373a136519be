"""The API of what two players do besides moving: take-backs, conditional moves, words, notes, appeals."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field, StrictInt, StrictStr

from crownhead.server.accounts.api.auth import ANYONE, SIGNED_IN, needs, signed_in, viewer
from crownhead.server.accounts.choices import Scope
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.api.openapi import problems
from crownhead.server.play import selectors
from crownhead.server.play.access import seat_of_user
from crownhead.server.play.api.games import game_response
from crownhead.server.play.chat import selectors as chat_selectors
from crownhead.server.play.chat.services import send_message, write_note
from crownhead.server.play.clocks.services import give_time
from crownhead.server.play.draws import services as draw_services
from crownhead.server.play.models import Appeal, Game
from crownhead.server.play.plans import services as plan_services
from crownhead.server.play.plans.selectors import plan_info
from crownhead.server.play.presence.services import claim_abandoned
from crownhead.server.play.problems import NotAPlayer
from crownhead.server.play.schemas import MAX_TEXT, MOST, Body, GameOut, MoveText, SeatName
from crownhead.server.play.staff import selectors as staff_selectors
from crownhead.server.play.staff.services import appeal
from crownhead.server.play.take_backs import services as take_back_services
from crownhead.server.play.take_backs.services import ask_take_back

router = Router(tags=["playing"])
MAX_LINES = 100  # of a chat, in one answer
_ASK = "/games/{game_id}/take-back"


class NewPlan(Body):
    """Lines of moves, each starting with the opponent's; ``version`` is that of the plan they replace."""

    version: Annotated[StrictInt, Field(ge=0, le=MOST)]
    game_version: Annotated[StrictInt, Field(ge=0, le=MOST)] | None = Field(
        None, description="The game's version that the lines begin from: refused if it has moved on."
    )
    lines: Annotated[list[Annotated[list[MoveText], Field(max_length=100)]], Field(max_length=100)]


class PlanOut(Schema):
    """Your conditional moves; the lines start after ``ply`` moves of the game."""

    version: int = Field(description="The number to send with the next plan.")
    ply: int
    lines: list[list[str]]


class NewChatMessage(Body):
    """A message to your opponent."""

    message: Annotated[StrictStr, Field(max_length=MAX_TEXT)]


class ChatMessage(Schema):
    """A chat message, and how many moves had been made when it was written."""

    seat: SeatName
    text: str
    ply: int
    written_at: datetime


class GameNote(Body):
    """Your private note on a game."""

    text: Annotated[StrictStr, Field(max_length=20_000)]


class NewAppeal(Body):
    """What you ask the staff to declare, and why."""

    claim: Annotated[StrictStr, Field(max_length=16)] = Field(description="`win` or `draw`.")
    reason: Annotated[StrictStr, Field(max_length=MAX_TEXT)]


class AppealOut(Schema):
    """A player's request to the staff; ``granted`` is null until they have answered."""

    seat: SeatName
    claim: str
    reason: str = Field(description="Empty in an appeal of your opponent.")
    asked_at: datetime
    granted: bool | None
    answer: str
    answered_at: datetime | None


@router.post(_ASK, auth=SIGNED_IN, response=GameOut, summary="Ask for a take-back")
@problems(409)
def request_take_back(request: HttpRequest, game_id: str) -> GameOut:
    """Ask for your last move and the reply, in unrated games. The request lapses as a draw offer does."""
    game = ask_take_back(user=signed_in(request), game_id=game_id, now=clock.now())
    return game_response(request, game)


@router.post(f"{_ASK}/accept", auth=SIGNED_IN, response=GameOut, summary="Accept a take-back")
@problems(409)
def accept_take_back(request: HttpRequest, game_id: str) -> GameOut:
    """The player who asked is on turn again, and the version goes up."""
    game = take_back_services.accept_take_back(user=signed_in(request), game_id=game_id, now=clock.now())
    return game_response(request, game)


@router.post(f"{_ASK}/decline", auth=SIGNED_IN, response=GameOut, summary="Decline a take-back")
@problems(409)
def decline_take_back(request: HttpRequest, game_id: str) -> GameOut:
    """The game goes on."""
    game = take_back_services.decline_take_back(user=signed_in(request), game_id=game_id, now=clock.now())
    return game_response(request, game)


@router.post("/games/{game_id}/abort", auth=SIGNED_IN, response=GameOut, summary="Abort a live game")
@problems(409)
def abort_game(request: HttpRequest, game_id: str) -> GameOut:
    """Before both players have moved, in a game outside contests and matches. It doesn't count."""
    game = draw_services.abort(user=signed_in(request), game_id=game_id, now=clock.now())
    return game_response(request, game)


@router.post(
    "/games/{game_id}/give-time", auth=SIGNED_IN, response=GameOut, summary="Give your opponent time"
)
@problems(409)
def give_time_to_opponent(request: HttpRequest, game_id: str) -> GameOut:
    """15 seconds, in a live game outside contests."""
    game = give_time(user=signed_in(request), game_id=game_id, now=clock.now())
    return game_response(request, game)


@router.post(
    "/games/{game_id}/claim-abandoned", auth=SIGNED_IN, response=GameOut, summary="Claim an abandoned game"
)
@problems(409)
def claim_abandoned_game(request: HttpRequest, game_id: str) -> GameOut:
    """You win a live game if the other player left the site at least a minute ago."""
    game = claim_abandoned(user=signed_in(request), game_id=game_id, now=clock.now())
    return game_response(request, game)


@router.get("/games/{game_id}/plan", auth=SIGNED_IN, response=PlanOut, summary="Get your conditional moves")
@problems(403)
def get_plan(request: HttpRequest, game_id: str) -> PlanOut:
    """Nobody else sees them."""
    user = signed_in(request)
    return _plan(_game(request, game_id), user)


@router.put("/games/{game_id}/plan", auth=SIGNED_IN, response=PlanOut, summary="Set your conditional moves")
@problems(409)
def set_plan(request: HttpRequest, game_id: str, body: NewPlan) -> PlanOut:
    """When the opponent's move follows one of the lines, your reply is made at once."""
    user = signed_in(request)
    game = plan_services.set_plan(
        user=user,
        game_id=game_id,
        version=body.version,
        game_version=body.game_version,
        lines=body.lines,
        now=clock.now(),
    )
    return _plan(game, user)


@router.get(
    "/games/{game_id}/chat", auth=ANYONE, response=list[ChatMessage], summary="Read the chat of a game"
)
def get_chat(
    request: HttpRequest,
    game_id: str,
    offset: Annotated[int, Query(ge=0, le=10_000, description="How many of the latest to leave out.")] = 0,
    limit: Annotated[int, Query(ge=1, le=MAX_LINES)] = MAX_LINES,
) -> list[ChatMessage]:
    """The latest messages, in order. While the game goes on, only its players can read it."""
    chat_lines, _goes_on = chat_selectors.latest_lines(
        game=_game(request, game_id), viewer=viewer(request), offset=offset, limit=limit
    )
    return [ChatMessage.model_validate(line, from_attributes=True) for line in chat_lines]


@router.post(
    "/games/{game_id}/chat",
    auth=SIGNED_IN,
    response=list[ChatMessage],
    summary="Write in the chat of a game",
)
@problems(409)
@needs(Scope.TALK, shows=True)
def send_chat_message(request: HttpRequest, game_id: str, body: NewChatMessage) -> list[ChatMessage]:
    """To your opponent; the answer is the latest messages, in order."""
    user = signed_in(request)
    game = send_message(user=user, game_id=game_id, text=body.message, now=clock.now())
    chat_lines, _goes_on = chat_selectors.latest_lines(game=game, viewer=user, limit=MAX_LINES)
    return [ChatMessage.model_validate(line, from_attributes=True) for line in chat_lines]


@router.get(
    "/games/{game_id}/note", auth=SIGNED_IN, response=GameNote, summary="Get your private note on a game"
)
def get_note(request: HttpRequest, game_id: str) -> GameNote:
    """Nobody else sees it."""
    return GameNote(text=chat_selectors.note(game=_game(request, game_id), user=signed_in(request)))


@router.put(
    "/games/{game_id}/note", auth=SIGNED_IN, response=GameNote, summary="Set your private note on a game"
)
@problems(409)
def set_note(request: HttpRequest, game_id: str, body: GameNote) -> GameNote:
    """An empty text deletes it."""
    user = signed_in(request)
    write_note(user=user, game_id=game_id, text=body.text)
    return GameNote(text=chat_selectors.note(game=_game(request, game_id), user=user))


@router.get(
    "/games/{game_id}/appeals", auth=SIGNED_IN, response=list[AppealOut], summary="List the appeals in a game"
)
@problems(403)
def list_appeals(request: HttpRequest, game_id: str) -> list[AppealOut]:
    """What the players asked the staff to decide, and the answers; for the two players and the staff.

    Only the staff read the opponent's reason.
    """
    user, game = signed_in(request), _game(request, game_id)
    if not user.acts_as_staff:
        seat_of_user(game, user)
    return [_appeal(row) for row in staff_selectors.appeals(game=game, viewer=user)]


@router.post(
    "/games/{game_id}/appeals",
    auth=SIGNED_IN,
    response=list[AppealOut],
    summary="Ask the staff to decide a game",
)
@problems(409)
@needs(Scope.TALK, shows=True)
def create_appeal(request: HttpRequest, game_id: str, body: NewAppeal) -> list[AppealOut]:
    """Claim a ``win`` or a ``draw``, and say why; not in a game against the computer."""
    user = signed_in(request)
    game = appeal(user=user, game_id=game_id, claim=body.claim, reason=body.reason, now=clock.now())
    return [_appeal(row) for row in staff_selectors.appeals(game=game, viewer=user)]


def _game(request: HttpRequest, game_id: str) -> Game:
    return selectors.access_game(viewer=viewer(request), public_id=game_id, now=clock.now())


def _plan(game: Game, user: User) -> PlanOut:
    seat = seat_of_user(game, user)
    if seat is None:
        raise NotAPlayer("expected a game that has begun")
    return PlanOut.model_validate(plan_info(game, seat), from_attributes=True)


def _appeal(row: Appeal) -> AppealOut:
    return AppealOut.model_validate(row, from_attributes=True)
