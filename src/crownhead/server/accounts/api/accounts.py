"""The API of accounts: sign up, tokens, who am I."""

from datetime import datetime
from typing import Annotated

from django.http import HttpRequest
from ninja import Path, Router, Schema, Status
from pydantic import ConfigDict, Field, StrictStr

from crownhead.server.accounts import selectors, services
from crownhead.server.accounts.api.auth import SIGNED_IN, signed_in
from crownhead.server.accounts.preferences.services import LONGEST_TEXT, set_profile
from crownhead.server.accounts.security import services as security_services
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock, limits

router = Router(tags=["accounts"])

Password = Annotated[str, Field(min_length=1, max_length=128)]


class Body(Schema):
    """A body whose misspelt members are refused rather than ignored."""

    model_config = ConfigDict(extra="forbid")


class NewAccount(Schema):
    """What a new account is made of."""

    username: Annotated[str, Field(min_length=3, max_length=20, description="letters, digits, - and _")]
    email: Annotated[str, Field(min_length=3, max_length=254)]
    password: Password


class Account(Schema):
    """An account as everybody may see it."""

    username: str


class Credentials(Schema):
    """A name or an e-mail address, and the password."""

    username: Annotated[
        str, Field(min_length=1, max_length=254, description="the name, or the e-mail address")
    ]
    password: Password
    code: Annotated[str, Field(max_length=40, description="of the second factor, if there is one")] = ""
    name: Annotated[str, Field(max_length=60, description="of the program, for its owner")] = ""


class NewToken(Schema):
    """A token, shown this once."""

    token: str


class TokenOut(Schema):
    """A token of mine; the token itself is told only when it is made."""

    id: int
    name: str
    created_at: datetime
    last_used_at: datetime | None


class Me(Schema):
    """An account as its owner sees it."""

    username: str
    email: str
    email_confirmed: bool
    is_staff: bool
    joined_at: datetime
    text: Annotated[str, Field(description="what the profile says, in Markdown")]
    country: Annotated[str, Field(description="ISO 3166-1, like NL; empty: none")]


class ProfileChanges(Body):
    """What to tell of oneself; what is not named, or null, stays."""

    text: Annotated[StrictStr, Field(max_length=LONGEST_TEXT, description="Markdown")] | None = None
    country: (
        Annotated[StrictStr, Field(max_length=2, description="ISO 3166-1, like NL; empty: none")] | None
    ) = None


@router.post("/accounts", auth=None, response={201: Account}, summary="Sign up")
def create_account(request: HttpRequest, account: NewAccount) -> Status[dict[str, str]]:
    """An e-mail goes to the address to confirm it."""
    limits.spend(scope="signup", who=limits.address(request))
    name = services.sign_up(
        request=request, username=account.username, email=account.email, password=account.password
    )
    return Status(201, {"username": name})


@router.post("/tokens", auth=None, response={201: NewToken}, summary="Get a token")
def create_token(request: HttpRequest, credentials: Credentials) -> Status[dict[str, str]]:
    """Send it as `Authorization: Bearer <token>`."""
    limits.spend(scope="token", who=limits.address(request))
    token = services.create_token(
        request=request,
        login=credentials.username.strip(),
        password=credentials.password,
        code=credentials.code,
        name=credentials.name,
        now=clock.now(),
    )
    return Status(201, {"token": token})


@router.delete("/tokens/current", auth=SIGNED_IN, response={204: None}, summary="End the token in use")
def revoke_token(request: HttpRequest) -> Status[None]:
    """The token that this request bears ends; a session stays."""
    services.revoke_token(token=request.headers.get("Authorization", "").partition(" ")[2].strip())
    return Status(204, None)


@router.get("/tokens", auth=SIGNED_IN, response=list[TokenOut], summary="My tokens")
def tokens(request: HttpRequest) -> list[TokenOut]:
    """Newest first."""
    return [
        TokenOut(id=row.pk, name=row.name, created_at=row.created_at, last_used_at=row.last_used_at)
        for row in security_services.tokens_of(signed_in(request))
    ]


@router.delete("/tokens/{int:token_id}", auth=SIGNED_IN, response={204: None}, summary="End a token of mine")
def end_token(request: HttpRequest, token_id: Annotated[int, Path(ge=1, lt=2**63)]) -> Status[None]:
    """Whoever holds it acts for me no more."""
    security_services.end_token(user=signed_in(request), token_id=token_id)
    return Status(204, None)


@router.get("/me", auth=SIGNED_IN, response=Me, summary="Who am I?")
def me(request: HttpRequest) -> Me:
    """The account that makes the request."""
    return me_of(signed_in(request))


@router.patch("/me", auth=SIGNED_IN, response=Me, summary="Edit my profile")
def edit_me(request: HttpRequest, changes: ProfileChanges) -> Me:
    """What everybody may read of me."""
    user = signed_in(request)
    set_profile(user=user, **changes.model_dump(exclude_none=True))
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
