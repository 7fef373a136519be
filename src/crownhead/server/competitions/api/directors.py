"""The API of tournaments for their directors; each action is logged with its reason."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router
from ninja import Status as Answer

from crownhead.server.accounts.api.auth import SIGNED_IN, checked_message, signed_in
from crownhead.server.competitions import selectors, services
from crownhead.server.competitions.access import expect_director
from crownhead.server.competitions.schemas import (
    AdjournBody,
    AnnulBody,
    ForfeitBody,
    PairsBody,
    ReasonBody,
    ResultBody,
    SubstituteBody,
    TournamentInvitation,
    UntilBody,
    UsernamesBody,
    in_utc,
    invitation_out,
)
from crownhead.server.core import clock
from crownhead.server.core.api.openapi import problems
from crownhead.server.core.api.parameters import OFFSET

router = Router(tags=["directing tournaments"], auth=SIGNED_IN)
_ROOT = "/tournaments/{tournament_id}"
_TABLE = _ROOT + "/rounds/{number}/tables/{table}"
_DONE = Answer(204, None)


@router.post(_ROOT + "/start", response={204: None}, summary="Start a tournament")
@problems(409)
def start_tournament(request: HttpRequest, tournament_id: str) -> Answer[None]:
    """At once, if enough players have entered."""
    services.start(user=signed_in(request), tournament_id=tournament_id, now=clock.now())
    return _DONE


@router.post(_ROOT + "/cancel", response={204: None}, summary="Cancel a tournament")
@problems(409)
def cancel_tournament(request: HttpRequest, tournament_id: str, body: ReasonBody) -> Answer[None]:
    """Before it begins."""
    services.cancel(
        user=signed_in(request),
        tournament_id=tournament_id,
        reason=checked_message(request, body.reason),
        now=clock.now(),
    )
    return _DONE


@router.post(_ROOT + "/close", response={204: None}, summary="Pair no further rounds")
@problems(409)
def close_tournament(request: HttpRequest, tournament_id: str, body: ReasonBody) -> Answer[None]:
    """The tournament ends when the open games have been played."""
    services.close(
        user=signed_in(request),
        tournament_id=tournament_id,
        reason=checked_message(request, body.reason),
        now=clock.now(),
    )
    return _DONE


@router.post(_ROOT + "/extend", response={204: None}, summary="Extend a deadline")
@problems(409)
def extend_tournament(request: HttpRequest, tournament_id: str, body: UntilBody) -> Answer[None]:
    """To enter, to play an arena, or to make appointments."""
    services.extend(
        user=signed_in(request),
        tournament_id=tournament_id,
        until=in_utc("until", body.until),
        reason=checked_message(request, body.reason),
        now=clock.now(),
    )
    return _DONE


@router.put(_ROOT + "/directors", response={204: None}, summary="Set the directors besides the host")
def set_tournament_directors(request: HttpRequest, tournament_id: str, body: UsernamesBody) -> Answer[None]:
    """For the host. New directors are asked, and direct it once they agree."""
    services.set_directors(
        user=signed_in(request), tournament_id=tournament_id, usernames=body.usernames, now=clock.now()
    )
    return _DONE


@router.post(_ROOT + "/invitations", response={204: None}, summary="Invite players")
@problems(409)
def invite_to_tournament(request: HttpRequest, tournament_id: str, body: UsernamesBody) -> Answer[None]:
    """They play if they accept; rating limits don't apply to them."""
    services.invite(
        user=signed_in(request), tournament_id=tournament_id, usernames=body.usernames, now=clock.now()
    )
    return _DONE


@router.get(
    _ROOT + "/invitations", response=list[TournamentInvitation], summary="List a tournament's invitations"
)
@problems(403)
def list_tournament_invitations(
    request: HttpRequest,
    tournament_id: str,
    offset: OFFSET = 0,
    limit: Annotated[int, Query(ge=1, le=100)] = 100,
) -> list[TournamentInvitation]:
    """For its directors: whom they have invited, those first who have not answered."""
    tournament = selectors.access_tournament(tournament_id)
    expect_director(signed_in(request), tournament)
    return [invitation_out(row) for row in selectors.invitations(tournament)[offset : offset + limit]]


@router.delete(
    _ROOT + "/invitations/{username}", response={204: None}, summary="Withdraw an invitation to a tournament"
)
@problems(422)
def withdraw_tournament_invitation(request: HttpRequest, tournament_id: str, username: str) -> Answer[None]:
    """Does nothing if the player has answered."""
    services.withdraw_invitation(
        user=signed_in(request), tournament_id=tournament_id, username=username, now=clock.now()
    )
    return _DONE


@router.put(_ROOT + "/seeds", response={204: None}, summary="Seed the players")
@problems(409)
def set_tournament_seeds(request: HttpRequest, tournament_id: str, body: UsernamesBody) -> Answer[None]:
    """The strongest first; before the tournament begins."""
    services.seed(
        user=signed_in(request), tournament_id=tournament_id, usernames=body.usernames, now=clock.now()
    )
    return _DONE


@router.post(_ROOT + "/players/{username}/expel", response={204: None}, summary="Expel a player")
@problems(409)
def expel_tournament_player(
    request: HttpRequest, tournament_id: str, username: str, body: ReasonBody
) -> Answer[None]:
    """The player's open games are lost."""
    services.expel(
        user=signed_in(request),
        tournament_id=tournament_id,
        username=username,
        reason=checked_message(request, body.reason),
        now=clock.now(),
    )
    return _DONE


@router.post(_ROOT + "/players/{username}/replace", response={204: None}, summary="Invite a substitute")
@problems(409)
def replace_tournament_player(
    request: HttpRequest, tournament_id: str, username: str, body: SubstituteBody
) -> Answer[None]:
    """If they accept, they take the player's place; open games are then played again from the start."""
    services.invite_substitute(
        user=signed_in(request),
        tournament_id=tournament_id,
        username=username,
        substitute=body.substitute,
        reason=checked_message(request, body.reason),
        now=clock.now(),
    )
    return _DONE


@router.put(_ROOT + "/pairs", response={204: None}, summary="Pair a round by hand")
@problems(409)
def set_pairings(request: HttpRequest, tournament_id: str, body: PairsBody) -> Answer[None]:
    """The round that is on hold, before it begins."""
    services.pair_by_hand(
        user=signed_in(request),
        tournament_id=tournament_id,
        pairs=[(names[0], names[1]) for names in body.pairs],
        reason=checked_message(request, body.reason),
        now=clock.now(),
    )
    return _DONE


@router.post(_ROOT + "/release", response={204: None}, summary="Release a round")
@problems(409)
def release_round(
    request: HttpRequest,
    tournament_id: str,
    later: Annotated[
        bool, Query(description="Live games start 20 hours from now, which their players are told.")
    ] = False,
) -> Answer[None]:
    """Starts the round that is on hold."""
    services.release(user=signed_in(request), tournament_id=tournament_id, now=clock.now(), later=later)
    return _DONE


@router.post(_TABLE + "/adjourn", response={204: None}, summary="Adjourn or resume a pairing")
@problems(409)
def adjourn_pairing(
    request: HttpRequest, tournament_id: str, number: int, table: int, body: AdjournBody
) -> Answer[None]:
    """Its clocks stop, and the next round doesn't wait for it."""
    services.adjourn(
        user=signed_in(request),
        tournament_id=tournament_id,
        number=number,
        table=table,
        until=None if body.until is None else in_utc("until", body.until),
        reason=checked_message(request, body.reason),
        now=clock.now(),
    )
    return _DONE


@router.post(_TABLE + "/forfeit", response={204: None}, summary="Declare a forfeit")
@problems(409)
def forfeit_pairing(
    request: HttpRequest, tournament_id: str, number: int, table: int, body: ForfeitBody
) -> Answer[None]:
    """The remaining games of a pairing are lost for one player, or for both."""
    services.forfeit(
        user=signed_in(request),
        tournament_id=tournament_id,
        number=number,
        table=table,
        loser=body.loser,
        reason=checked_message(request, body.reason),
        now=clock.now(),
    )
    return _DONE


@router.post(_ROOT + "/games/{game_id}/adjudicate", response={204: None}, summary="Adjudicate a game")
@problems(409)
def adjudicate_game(request: HttpRequest, tournament_id: str, game_id: str, body: ResultBody) -> Answer[None]:
    """Ends a game in progress with this result, or changes the result in the tables of one that is over."""
    services.adjudicate(
        user=signed_in(request),
        tournament_id=tournament_id,
        game_id=game_id,
        result=body.result,
        reason=checked_message(request, body.reason),
        now=clock.now(),
    )
    return _DONE


@router.post(_ROOT + "/games/{game_id}/annul", response={204: None}, summary="Annul a game")
@problems(409)
def annul_game(request: HttpRequest, tournament_id: str, game_id: str, body: AnnulBody) -> Answer[None]:
    """It no longer counts in the tournament."""
    services.annul(
        user=signed_in(request),
        tournament_id=tournament_id,
        game_id=game_id,
        again=body.again,
        reason=checked_message(request, body.reason),
        now=clock.now(),
    )
    return _DONE
