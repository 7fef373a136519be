"""The API of your preferences."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field, StrictBool, StrictStr

from crownhead.server.accounts.api.accounts import Body
from crownhead.server.accounts.api.auth import SIGNED_IN, needs, signed_in
from crownhead.server.accounts.choices import (
    AfterSubmit,
    Appearance,
    Invitations,
    Motion,
    MoveEntry,
    Names,
    Numbers,
    Scope,
    Sound,
    Submitting,
    Theme,
    Turned,
    Visibility,
)
from crownhead.server.accounts.preferences.services import set_preferences
from crownhead.server.accounts.selectors import preferences_of

router = Router(tags=["accounts"])


class AccountPreferences(Schema):
    """How you want the site to look and behave."""

    time_zone: Annotated[str, Field(description="A name of the tz database; empty for UTC.")]
    language: Annotated[str, Field(description="A language code; empty for the browser's.")]
    appearance: Annotated[Appearance, Field(description="Light or dark pages.")]
    theme: Annotated[Theme, Field(description="The colours of boards.")]
    numbers: Annotated[Numbers, Field(description="Where the square numbers are.")]
    names: Annotated[Names, Field(description="How squares are named.")]
    motion: Annotated[Motion, Field(description="Whether moves are animated.")]
    sound: Annotated[Sound, Field(description="Which games are heard.")]
    turned: Annotated[Turned, Field(description="The side at the bottom of the board.")]
    entry: Annotated[MoveEntry, Field(description="How moves are entered.")]
    submit: Annotated[Submitting, Field(description="In which games a move waits for Submit.")]
    then: Annotated[AfterSubmit, Field(description="What to show after a move.")]
    visibility: Annotated[Visibility, Field(description="Who can read your profile.")]
    show_here: Annotated[bool, Field(description="Whether others see that you are online.")]
    invitations: Annotated[Invitations, Field(description="Who may invite you to games, contests and teams.")]
    guests: Annotated[bool, Field(description="Whether guests without an account may join casual games.")]


class AccountPreferencesChanges(Body):
    """Changes to preferences; what is left out or null stays as it is."""

    time_zone: Annotated[StrictStr, Field(max_length=64)] | None = None
    language: Annotated[StrictStr, Field(max_length=16)] | None = None
    appearance: Appearance | None = None
    theme: Theme | None = None
    numbers: Numbers | None = None
    names: Names | None = None
    motion: Motion | None = None
    sound: Sound | None = None
    turned: Turned | None = None
    entry: MoveEntry | None = None
    submit: Submitting | None = None
    then: AfterSubmit | None = None
    visibility: Visibility | None = None
    show_here: StrictBool | None = None
    invitations: Invitations | None = None
    guests: StrictBool | None = None


@router.get("/preferences", auth=SIGNED_IN, response=AccountPreferences, summary="Get your preferences")
def get_preferences(request: HttpRequest) -> AccountPreferences:
    """They apply on every device."""
    return AccountPreferences.model_validate(preferences_of(signed_in(request)), from_attributes=True)


@router.patch("/preferences", auth=SIGNED_IN, response=AccountPreferences, summary="Change your preferences")
@needs(Scope.PLAY, shows=True)
def change_preferences(request: HttpRequest, changes: AccountPreferencesChanges) -> AccountPreferences:
    """What you leave out stays as it is."""
    chosen = set_preferences(user=signed_in(request), changes=changes.model_dump(exclude_none=True))
    return AccountPreferences.model_validate(chosen, from_attributes=True)
