"""The API of accounts: sign up, tokens, who am I."""

from datetime import datetime
from typing import Annotated

from django.http import HttpRequest
from ninja import Path, Router, Schema, Status
from pydantic import ConfigDict, Field, StrictStr

from crownhead.server.accounts import selectors, services
from crownhead.server.accounts.api.auth import SIGNED_IN, needs, signed_in
from crownhead.server.accounts.choices import Scope
from crownhead.server.accounts.preferences.services import LONGEST_TEXT, set_profile
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.tokens import services as token_services
from crownhead.server.accounts.tokens.selectors import tokens_of
from crownhead.server.accounts.validators import LONGEST_LOGIN, LONGEST_PASSWORD
from crownhead.server.core import clock, limits
from crownhead.server.core.api.openapi import problems

router = Router(tags=["accounts"])

Password = Annotated[str, Field(min_length=1, max_length=LONGEST_PASSWORD)]


class Body(Schema):
    """A body; unknown members are refused rather than ignored."""

    model_config = ConfigDict(extra="forbid")


class NewAccount(Schema):
    """The data of a new account."""

    username: Annotated[str, Field(min_length=3, max_length=20, description="Letters, digits, - and _.")]
    email: Annotated[str, Field(min_length=3, max_length=LONGEST_LOGIN)]
    password: Password


class Account(Schema):
    """An account as everybody sees it."""

    username: str


class Credentials(Schema):
    """A username or e-mail address, and the password."""

    username: Annotated[
        str, Field(min_length=1, max_length=LONGEST_LOGIN, description="The username, or the e-mail address.")
    ]
    password: Password
    code: Annotated[
        str, Field(max_length=40, description="The code of the second factor, if you use one.")
    ] = ""
    name: Annotated[
        str, Field(max_length=60, description="A name for the program, to show in your list.")
    ] = ""
    scopes: Annotated[
        list[Scope],
        Field(min_length=1, max_length=len(Scope), description="What the token will allow."),
    ] = list(token_services.USUAL)
    days: Annotated[
        int | None,
        Field(
            ge=0,
            le=token_services.MAX_DAYS,
            description="Until it expires; 0 for never. Null: the club's own number.",
        ),
    ] = None


class NewToken(Schema):
    """A token. It is shown only this once."""

    token: str


class TokenOut(Schema):
    """One of your tokens. The token itself is shown only when it is created."""

    id: int
    name: str = Field(description="The name of the program that got it.")
    created_at: datetime
    last_used_at: datetime | None = Field(description="Null if it was never used.")
    scopes: list[Scope] = Field(description="What it allows.")
    expires_at: datetime | None = Field(description="Null for never.")


class Me(Schema):
    """An account as its owner sees it."""

    username: str
    email: str
    email_confirmed: bool = Field(description="Whether the address has been confirmed.")
    is_staff: bool
    joined_at: datetime = Field(description="When the account was created.")
    text: Annotated[str, Field(description="The profile's text, in Markdown.")]
    country: Annotated[str, Field(description="An ISO 3166-1 code, such as NL; empty if none.")]


class ProfileChanges(Body):
    """Changes to a profile; what is left out or null stays as it is."""

    text: (
        Annotated[StrictStr, Field(max_length=LONGEST_TEXT, description="The profile's text, in Markdown.")]
        | None
    ) = None
    country: (
        Annotated[
            StrictStr, Field(max_length=2, description="An ISO 3166-1 code, such as NL; empty if none.")
        ]
        | None
    ) = None


@router.post("/accounts", auth=None, response={201: Account}, summary="Sign up")
@problems(409)
def create_account(request: HttpRequest, account: NewAccount) -> Status[dict[str, str]]:
    """The club sends an e-mail to confirm the address."""
    limits.spend(scope="signup", who=limits.address(request))
    name = services.sign_up(
        request=request, username=account.username, email=account.email, password=account.password
    )
    return Status(201, {"username": name})


@router.post("/tokens", auth=None, response={201: NewToken}, summary="Get a token")
@problems(401, 403)
def create_token(request: HttpRequest, credentials: Credentials) -> Status[dict[str, str]]:
    """Send it as `Authorization: Bearer <token>`. You get an e-mail; beyond 50, the oldest is revoked."""
    limits.spend(scope="token", who=limits.address(request))
    user, with_factor = token_services.sign_in(
        request=request,
        login=credentials.username.strip(),
        password=credentials.password,
        code=credentials.code,
    )
    token = token_services.new_token(
        user=user,
        now=clock.now(),
        name=credentials.name,
        scopes=credentials.scopes,
        days=credentials.days,
        in_place_of_oldest=True,
        with_factor=with_factor,
    )
    token_services.announce(request=request, user=user)
    return Status(201, {"token": token})


@router.delete("/tokens/current", auth=SIGNED_IN, response={204: None}, summary="End the token in use")
@needs(None)
def end_current_token(request: HttpRequest) -> Status[None]:
    """Ends the token that this request was made with; a browser session stays signed in."""
    token_services.revoke_token(token=request.headers.get("Authorization", "").partition(" ")[2].strip())
    return Status(204, None)


@router.get("/tokens", auth=SIGNED_IN, response=list[TokenOut], summary="List your tokens")
@needs(Scope.MANAGE, recently=True)
def list_tokens(request: HttpRequest) -> list[TokenOut]:
    """Newest first."""
    return [
        TokenOut(
            id=row.pk,
            name=row.name,
            created_at=row.created_at,
            last_used_at=row.last_used_at,
            scopes=row.granted,
            expires_at=row.expires_at,
        )
        for row in tokens_of(signed_in(request))
    ]


@router.delete(
    "/tokens/{int:token_id}", auth=SIGNED_IN, response={204: None}, summary="End one of your tokens"
)
@needs(Scope.MANAGE, recently=True)
def end_token(request: HttpRequest, token_id: Annotated[int, Path(ge=1, lt=2**63)]) -> Status[None]:
    """Programs that use it are signed out."""
    token_services.end_token(user=signed_in(request), token_id=token_id)
    return Status(204, None)


@router.get("/me", auth=SIGNED_IN, response=Me, summary="Get your account")
def get_me(request: HttpRequest) -> Me:
    """The account that makes the request."""
    return me_of(signed_in(request))


@router.patch("/me", auth=SIGNED_IN, response=Me, summary="Edit your profile")
@needs(Scope.TALK, shows=True)
def update_me(request: HttpRequest, changes: ProfileChanges) -> Me:
    """Changes what everybody can read about you; what you leave out stays as it is."""
    user = signed_in(request)
    set_profile(user=user, now=clock.now(), **changes.model_dump(exclude_none=True))
    return me_of(user)


def me_of(user: User) -> Me:
    """An account as its owner sees it."""
    profile = selectors.profile_of(user)
    return Me(
        username=user.username,
        email=user.email,
        email_confirmed=selectors.email_is_confirmed(user),
        is_staff=user.is_staff,
        joined_at=user.date_joined,
        text=profile.text,
        country=profile.country,
    )
