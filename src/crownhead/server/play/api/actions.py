"""The API of what two players do besides moving: take-backs, conditional moves, words, notes, appeals."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field, StrictInt, StrictStr

from crownhead.server.accounts.api.auth import ANYONE, SIGNED_IN, signed_in, viewer
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.limits import Limit
from crownhead.server.play import selectors
from crownhead.server.play.access import seat_of_user
from crownhead.server.play.api.games import shown
from crownhead.server.play.chat import selectors as chat_selectors
from crownhead.server.play.chat import services as chat_services
from crownhead.server.play.models import Appeal, Game
from crownhead.server.play.plans import services as plan_services
from crownhead.server.play.problems import NotAPlayer
from crownhead.server.play.schemas import MOST, MOST_TEXT, Body, GameOut, MoveText, SeatName
from crownhead.server.play.staff import selectors as staff_selectors
from crownhead.server.play.staff import services as staff_services
from crownhead.server.play.take_backs import services as take_back_services

router = Router(tags=["players"])
_ASK = "/games/{game_id}/take-back"


class NewPlan(Body):
    """Lines of moves, each beginning with the opponent's; ``version``: of the plan that they replace."""

    version: Annotated[StrictInt, Field(ge=0, le=MOST)]
    game_version: Annotated[StrictInt, Field(ge=0, le=MOST)] | None = Field(
        None, description="The game's version that the lines begin from: refused if it has moved on."
    )
    lines: Annotated[list[Annotated[list[MoveText], Field(max_length=100)]], Field(max_length=100)]


class PlanOut(Schema):
    """My conditional moves; the lines begin after ``ply`` moves of the game."""

    version: int
    ply: int
    lines: list[list[str]]


class NewLine(Body):
    """Something to say."""

    message: Annotated[StrictStr, Field(max_length=MOST_TEXT)]


class LineOut(Schema):
    """What somebody said, when so many moves had been made."""

    seat: SeatName
    text: str
    ply: int
    written_at: datetime


class NoteBody(Body):
    """What I write for myself."""

    text: Annotated[StrictStr, Field(max_length=20_000)]


class NewAppeal(Body):
    """What I ask the staff to declare, and why."""

    claim: Annotated[StrictStr, Field(max_length=16)]
    reason: Annotated[StrictStr, Field(max_length=MOST_TEXT)]


class AppealOut(Schema):
    """What a player asked of the staff; ``granted`` is null until they have answered."""

    seat: SeatName
    claim: str
    reason: str
    asked_at: datetime
    granted: bool | None
    answer: str
    answered_at: datetime | None


@router.post(_ASK, auth=SIGNED_IN, response=GameOut, summary="Ask for a move back")
def ask_take_back(request: HttpRequest, game_id: str) -> GameOut:
    """My last move, with the answer to it; in unrated games. It lapses as a draw offer does."""
    game = take_back_services.ask_take_back(user=signed_in(request), game_id=game_id, now=clock.now())
    return shown(request, game)


@router.post(f"{_ASK}/accept", auth=SIGNED_IN, response=GameOut, summary="Give a move back")
def accept_take_back(request: HttpRequest, game_id: str) -> GameOut:
    """The one who asked is on turn, and the version is greater than before."""
    game = take_back_services.accept_take_back(user=signed_in(request), game_id=game_id, now=clock.now())
    return shown(request, game)


@router.post(f"{_ASK}/decline", auth=SIGNED_IN, response=GameOut, summary="Decline to give a move back")
def decline_take_back(request: HttpRequest, game_id: str) -> GameOut:
    """The game goes on."""
    game = take_back_services.decline_take_back(user=signed_in(request), game_id=game_id, now=clock.now())
    return shown(request, game)


@router.get("/games/{game_id}/plan", auth=SIGNED_IN, response=PlanOut, summary="My conditional moves")
def read_plan(request: HttpRequest, game_id: str) -> PlanOut:
    """Nobody else sees them."""
    user = signed_in(request)
    return _plan(_game(request, game_id), user)


@router.put("/games/{game_id}/plan", auth=SIGNED_IN, response=PlanOut, summary="Set conditional moves")
def set_plan(request: HttpRequest, game_id: str, body: NewPlan) -> PlanOut:
    """While the opponent is on turn. When he plays into a line, my answer is made at once."""
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


@router.get("/games/{game_id}/chat", auth=ANYONE, response=list[LineOut], summary="What the players said")
def read_chat(request: HttpRequest, game_id: str) -> list[LineOut]:
    """Others read it only when the game is over."""
    found = chat_selectors.lines(game=_game(request, game_id), viewer=viewer(request))
    return [LineOut.model_validate(line, from_attributes=True) for line in found]


@router.post(
    "/games/{game_id}/chat", auth=SIGNED_IN, throttle=Limit("chat"), response=list[LineOut], summary="Say it"
)
def say(request: HttpRequest, game_id: str, body: NewLine) -> list[LineOut]:
    """To the opponent."""
    user = signed_in(request)
    game = chat_services.say(user=user, game_id=game_id, text=body.message, now=clock.now())
    found = chat_selectors.lines(game=game, viewer=user)
    return [LineOut.model_validate(line, from_attributes=True) for line in found]


@router.get("/games/{game_id}/note", auth=SIGNED_IN, response=NoteBody, summary="My note")
def read_note(request: HttpRequest, game_id: str) -> NoteBody:
    """Nobody else sees it."""
    return NoteBody(text=chat_selectors.note(game=_game(request, game_id), user=signed_in(request)))


@router.put("/games/{game_id}/note", auth=SIGNED_IN, response=NoteBody, summary="Write my note")
def write_note(request: HttpRequest, game_id: str, body: NoteBody) -> NoteBody:
    """An empty one is none."""
    user = signed_in(request)
    chat_services.write_note(user=user, game_id=game_id, text=body.text)
    return NoteBody(text=chat_selectors.note(game=_game(request, game_id), user=user))


@router.get("/games/{game_id}/appeals", auth=SIGNED_IN, response=list[AppealOut], summary="Appeals")
def appeals(request: HttpRequest, game_id: str) -> list[AppealOut]:
    """What the players asked of the staff, and the answers: for the two and the staff."""
    user, game = signed_in(request), _game(request, game_id)
    if not user.is_staff:
        seat_of_user(game, user)
    return [_appeal(row) for row in staff_selectors.appeals(game=game)]


@router.post(
    "/games/{game_id}/appeals", auth=SIGNED_IN, response=list[AppealOut], summary="Ask the staff to decide"
)
def appeal(request: HttpRequest, game_id: str, body: NewAppeal) -> list[AppealOut]:
    """Claim a ``win`` or a ``draw``, with a reason."""
    game = staff_services.appeal(
        user=signed_in(request), game_id=game_id, claim=body.claim, reason=body.reason, now=clock.now()
    )
    return [_appeal(row) for row in staff_selectors.appeals(game=game)]


def _game(request: HttpRequest, game_id: str) -> Game:
    return selectors.access_game(viewer=viewer(request), public_id=game_id, now=clock.now())


def _plan(game: Game, user: User) -> PlanOut:
    seat = seat_of_user(game, user)
    if seat is None:
        raise NotAPlayer("expected a game that has begun")
    return PlanOut.model_validate(plan_services.shown(game, seat), from_attributes=True)


def _appeal(row: Appeal) -> AppealOut:
    return AppealOut.model_validate(row, from_attributes=True)
