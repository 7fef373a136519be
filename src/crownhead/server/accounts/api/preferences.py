"""The API of what one chose."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field, StrictBool, StrictStr

from crownhead.server.accounts.api.accounts import Body
from crownhead.server.accounts.api.auth import SIGNED_IN, signed_in
from crownhead.server.accounts.choices import (
    AfterSubmit,
    Appearance,
    Entry,
    Motion,
    Names,
    Numbers,
    Sound,
    Theme,
    Turned,
    Visibility,
)
from crownhead.server.accounts.preferences.services import set_preferences
from crownhead.server.accounts.selectors import preferences_of

router = Router(tags=["accounts"])


class PreferencesOut(Schema):
    """How somebody wants the club to be."""

    time_zone: Annotated[str, Field(description="of the tz database; empty: UTC")]
    language: Annotated[str, Field(description="empty: what the browser asks for")]
    appearance: Annotated[Appearance, Field(description="light or dark pages")]
    theme: Annotated[Theme, Field(description="the colours of boards")]
    numbers: Annotated[Numbers, Field(description="where the names of squares stand")]
    names: Annotated[Names, Field(description="what squares are called")]
    motion: Annotated[Motion, Field(description="whether pieces are seen to move")]
    sound: Annotated[Sound, Field(description="whether moves are heard")]
    turned: Annotated[Turned, Field(description="the side at the bottom of a board")]
    entry: Annotated[Entry, Field(description="how moves are made")]
    then: Annotated[AfterSubmit, Field(description="where one goes after a move")]
    visibility: Annotated[Visibility, Field(description="who may read the profile")]
    show_here: Annotated[bool, Field(description="whether others see that one is here")]


class PreferencesChanges(Body):
    """What to choose anew; what is not named, or null, stays."""

    time_zone: Annotated[StrictStr, Field(max_length=64)] | None = None
    language: Annotated[StrictStr, Field(max_length=16)] | None = None
    appearance: Appearance | None = None
    theme: Theme | None = None
    numbers: Numbers | None = None
    names: Names | None = None
    motion: Motion | None = None
    sound: Sound | None = None
    turned: Turned | None = None
    entry: Entry | None = None
    then: AfterSubmit | None = None
    visibility: Visibility | None = None
    show_here: StrictBool | None = None


@router.get("/preferences", auth=SIGNED_IN, response=PreferencesOut, summary="My preferences")
def read_preferences(request: HttpRequest) -> PreferencesOut:
    """How I want the club to be, on every device."""
    return PreferencesOut.model_validate(preferences_of(signed_in(request)), from_attributes=True)


@router.patch("/preferences", auth=SIGNED_IN, response=PreferencesOut, summary="Change my preferences")
def change_preferences(request: HttpRequest, changes: PreferencesChanges) -> PreferencesOut:
    """What is not named stays as it is."""
    chosen = set_preferences(user=signed_in(request), changes=changes.model_dump(exclude_none=True))
    return PreferencesOut.model_validate(chosen, from_attributes=True)
