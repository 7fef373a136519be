"""The API of tournaments for their directors; each act is logged with its reason."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Router
from ninja import Status as Answer

from crownhead.server.accounts.api.auth import SIGNED_IN, signed_in
from crownhead.server.competitions import services
from crownhead.server.competitions.schemas import (
    AdjournBody,
    AnnulBody,
    Because,
    ForfeitBody,
    NamesBody,
    PairsBody,
    ReplaceBody,
    ResultBody,
    UntilBody,
    in_utc,
)
from crownhead.server.core import clock

router = Router(tags=["directing tournaments"], auth=SIGNED_IN)
_ROOT = "/tournaments/{tournament_id}"
_TABLE = _ROOT + "/rounds/{number}/tables/{table}"
_DONE = Answer(204, None)


@router.post(_ROOT + "/start", response={204: None}, summary="Begin")
def start(request: HttpRequest, tournament_id: str) -> Answer[None]:
    """At once, if enough have entered."""
    services.start(user=signed_in(request), tournament_id=tournament_id, now=clock.now())
    return _DONE


@router.post(_ROOT + "/cancel", response={204: None}, summary="Call off")
def cancel(request: HttpRequest, tournament_id: str, body: Because) -> Answer[None]:
    """Before it begins."""
    services.cancel(user=signed_in(request), tournament_id=tournament_id, reason=body.reason, now=clock.now())
    return _DONE


@router.post(_ROOT + "/close", response={204: None}, summary="Pair no further round")
def close(request: HttpRequest, tournament_id: str, body: Because) -> Answer[None]:
    """It ends when what is open has been played."""
    services.close(user=signed_in(request), tournament_id=tournament_id, reason=body.reason, now=clock.now())
    return _DONE


@router.post(_ROOT + "/extend", response={204: None}, summary="Give more time")
def extend(request: HttpRequest, tournament_id: str, body: UntilBody) -> Answer[None]:
    """To enter, to play an arena, or to make appointments."""
    services.extend(
        user=signed_in(request),
        tournament_id=tournament_id,
        until=in_utc("until", body.until),
        reason=body.reason,
        now=clock.now(),
    )
    return _DONE


@router.put(_ROOT + "/directors", response={204: None}, summary="Who directs besides the host")
def directors(request: HttpRequest, tournament_id: str, body: NamesBody) -> Answer[None]:
    """For the host."""
    services.set_directors(
        user=signed_in(request), tournament_id=tournament_id, usernames=body.usernames, now=clock.now()
    )
    return _DONE


@router.post(_ROOT + "/invitations", response={204: None}, summary="Invite players")
def invite(request: HttpRequest, tournament_id: str, body: NamesBody) -> Answer[None]:
    """To a tournament for invited ones."""
    services.invite(
        user=signed_in(request), tournament_id=tournament_id, usernames=body.usernames, now=clock.now()
    )
    return _DONE


@router.put(_ROOT + "/seeds", response={204: None}, summary="Seed the field")
def seed(request: HttpRequest, tournament_id: str, body: NamesBody) -> Answer[None]:
    """The strongest first; before it begins."""
    services.seed(
        user=signed_in(request), tournament_id=tournament_id, usernames=body.usernames, now=clock.now()
    )
    return _DONE


@router.put(_ROOT + "/players/{username}", response={204: None}, summary="Give somebody a place")
def enter_player(request: HttpRequest, tournament_id: str, username: str) -> Answer[None]:
    """Whatever ratings and invitations say."""
    services.enter_player(
        user=signed_in(request), tournament_id=tournament_id, username=username, now=clock.now()
    )
    return _DONE


@router.post(_ROOT + "/players/{username}/expel", response={204: None}, summary="Put somebody out")
def expel(request: HttpRequest, tournament_id: str, username: str, body: Because) -> Answer[None]:
    """His open games are lost."""
    services.expel(
        user=signed_in(request),
        tournament_id=tournament_id,
        username=username,
        reason=body.reason,
        now=clock.now(),
    )
    return _DONE


@router.post(_ROOT + "/players/{username}/replace", response={204: None}, summary="Let a substitute play")
def replace(request: HttpRequest, tournament_id: str, username: str, body: ReplaceBody) -> Answer[None]:
    """He takes over the place; games that go on are played anew."""
    services.replace(
        user=signed_in(request),
        tournament_id=tournament_id,
        username=username,
        substitute=body.substitute,
        reason=body.reason,
        now=clock.now(),
    )
    return _DONE


@router.put(_ROOT + "/pairs", response={204: None}, summary="Pair by hand")
def pair(request: HttpRequest, tournament_id: str, body: PairsBody) -> Answer[None]:
    """The round that is held, before it begins."""
    services.pair_by_hand(
        user=signed_in(request),
        tournament_id=tournament_id,
        pairs=[(names[0], names[1]) for names in body.pairs],
        reason=body.reason,
        now=clock.now(),
    )
    return _DONE


@router.post(_ROOT + "/release", response={204: None}, summary="Let the round begin")
def release(request: HttpRequest, tournament_id: str) -> Answer[None]:
    """That is held."""
    services.release(user=signed_in(request), tournament_id=tournament_id, now=clock.now())
    return _DONE


@router.post(_TABLE + "/adjourn", response={204: None}, summary="Adjourn a pairing, or resume it")
def adjourn(
    request: HttpRequest, tournament_id: str, number: int, table: int, body: AdjournBody
) -> Answer[None]:
    """Its clocks stand still, and the next round need not wait."""
    services.adjourn(
        user=signed_in(request),
        tournament_id=tournament_id,
        number=number,
        table=table,
        until=None if body.until is None else in_utc("until", body.until),
        reason=body.reason,
        now=clock.now(),
    )
    return _DONE


@router.post(_TABLE + "/forfeit", response={204: None}, summary="Declare a forfeit")
def forfeit(
    request: HttpRequest, tournament_id: str, number: int, table: int, body: ForfeitBody
) -> Answer[None]:
    """What is left of a pairing is lost for one of the two, or for both."""
    services.forfeit(
        user=signed_in(request),
        tournament_id=tournament_id,
        number=number,
        table=table,
        loser=body.loser,
        reason=body.reason,
        now=clock.now(),
    )
    return _DONE


@router.post(_ROOT + "/games/{game_id}/adjudicate", response={204: None}, summary="Adjudicate a game")
def adjudicate(request: HttpRequest, tournament_id: str, game_id: str, body: ResultBody) -> Answer[None]:
    """One that goes on ends so; of one that is over the tables tell another result."""
    services.adjudicate(
        user=signed_in(request),
        tournament_id=tournament_id,
        game_id=game_id,
        result=body.result,
        reason=body.reason,
        now=clock.now(),
    )
    return _DONE


@router.post(_ROOT + "/games/{game_id}/annul", response={204: None}, summary="Annul a game")
def annul(request: HttpRequest, tournament_id: str, game_id: str, body: AnnulBody) -> Answer[None]:
    """It counts for nothing here."""
    services.annul(
        user=signed_in(request),
        tournament_id=tournament_id,
        game_id=game_id,
        again=body.again,
        reason=body.reason,
        now=clock.now(),
    )
    return _DONE
