"""The API of vacations: the budget of the year, and vacations planned in advance."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest
from ninja import Router, Schema
from ninja import Status as Answer
from pydantic import AwareDatetime

from crownhead.server.accounts.api.auth import SIGNED_IN, signed_in
from crownhead.server.core import clock
from crownhead.server.core.api.openapi import problems
from crownhead.server.play.models import Vacation
from crownhead.server.play.schemas import Body
from crownhead.server.play.vacation import selectors as vacation_selectors
from crownhead.server.play.vacation import services as vacation_services

router = Router(tags=["vacation"])


class NewVacation(Body):
    """From one whole hour to another, with their offsets from UTC."""

    begins: AwareDatetime
    ends: AwareDatetime


class VacationOut(Schema):
    """A planned vacation, or the part of it that falls in one year."""

    id: int
    begins: datetime
    ends: datetime
    hours: int


class MyVacation(Schema):
    """Your hours of this year (UTC): all, used, left, and the vacations planned."""

    year: int
    hours: int
    used: int
    left: int
    planned: list[VacationOut]


@router.get("/vacation", auth=SIGNED_IN, response=MyVacation, summary="Get your vacation")
def get_vacation(request: HttpRequest) -> MyVacation:
    """What is left this year, and the vacations you have planned."""
    user, now = signed_in(request), clock.now()
    have = vacation_selectors.budget(user_id=user.pk, year=now.year)
    rows = vacation_selectors.planned(user=user, now=now)
    return MyVacation(
        year=have.year, hours=have.hours, used=have.used, left=have.left, planned=[_out(row) for row in rows]
    )


@router.post("/vacation", auth=SIGNED_IN, response={201: list[VacationOut]}, summary="Plan a vacation")
@problems(409)
def plan_vacation(request: HttpRequest, body: NewVacation) -> Answer[list[VacationOut]]:
    """It stops the clocks of games that allow it. One that crosses the new year is answered as two."""
    made = vacation_services.plan(
        user=signed_in(request),
        begins=clock.in_utc(body.begins),
        ends=clock.in_utc(body.ends),
        now=clock.now(),
    )
    return Answer(201, [_out(row) for row in made])


@router.delete("/vacation/{vacation_id}", auth=SIGNED_IN, response={204: None}, summary="Cancel a vacation")
@problems(409)
def cancel_vacation(request: HttpRequest, vacation_id: int) -> Answer[None]:
    """One that has begun ends with the current hour; unused hours return to your budget."""
    vacation_services.cancel(user=signed_in(request), vacation_id=vacation_id, now=clock.now())
    return Answer(204, None)


def _out(row: Vacation) -> VacationOut:
    return VacationOut(id=row.pk, begins=row.begins_at, ends=row.ends_at, hours=row.hours)
