"""Vacations set in advance, from one whole hour to another, paid for by the budget of their years."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db import transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import hold_member, hold_user
from crownhead.server.accounts.selectors import User
from crownhead.server.core import limits
from crownhead.server.core.problems import Conflict, NotFound
from crownhead.server.play.clocks.time_control import HOUR
from crownhead.server.play.games import endings
from crownhead.server.play.models import Vacation
from crownhead.server.play.problems import TooFewHours
from crownhead.server.play.vacation import budget, selectors
from crownhead.server.play.vacation.validators import check_span

MAX_SETTLED = 10  # games that are lost on time by the time somebody plans a vacation, in one request
MAX_PLANNED = 20  # at once, of one player: each clock is reckoned through them


def plan(*, user: User, begins: datetime, ends: datetime, now: datetime) -> list[Vacation]:
    """Set a vacation in advance, of whole hours; one that crosses the new year is made two."""
    check_span(begins, ends, now)
    limits.spend(scope="vacations", who=f"user:{user.pk}")
    _settle_clocks_of(user_id=user.pk, now=now)
    with transaction.atomic():
        hold_member(user)
        if Vacation.objects.filter(
            user=user, automatic=False, begins_at__lt=ends, ends_at__gt=begins
        ).exists():
            raise Conflict(_("You have already planned another vacation at that time."))
        made = [_part(user, *span) for span in _by_year(begins, ends)]
        if len(selectors.planned(user=user, now=now)) + len(made) > MAX_PLANNED:
            raise Conflict(
                _("You can have at most %(count)s vacations planned at once. Cancel one that you don't need.")
                % {"count": MAX_PLANNED}
            )
        for part in made:
            have = selectors.budget(user_id=user.pk, year=part.year)
            if part.hours > have.left:
                raise TooFewHours(
                    _("You have %(left)s hours left for %(year)s, not %(hours)s.")
                    % {"left": have.left, "year": part.year, "hours": part.hours}
                )
            part.save()
        budget.set_clocks(user_id=user.pk, now=now)
    return made


def cancel(*, user: User, vacation_id: int, now: datetime) -> None:
    """Call a vacation off, or end it with the hour that has begun; what is not used is given back."""
    limits.spend(scope="vacations", who=f"user:{user.pk}")
    _settle_clocks_of(user_id=user.pk, now=now)
    with transaction.atomic():
        hold_user(user.pk)
        planned = Vacation.objects.filter(user=user, automatic=False, ends_at__gt=now)
        vacation = planned.filter(pk=vacation_id).first()
        if vacation is None:
            raise NotFound(_("You have no such vacation planned."))
        begun = max(-((vacation.begins_at - now) // HOUR), 0)  # whole hours, the one that has begun included
        if begun == 0:
            vacation.delete()
        else:
            vacation.hours, vacation.ends_at = begun, vacation.begins_at + begun * HOUR
            vacation.save()
        budget.set_clocks(user_id=user.pk, now=now)


def _settle_clocks_of(*, user_id: int, now: datetime) -> None:
    """Apply the rules of time to all games in which the player is on turn; it stays whatever comes of them.

    Raises ``Conflict`` where more games have just been lost than a request ends: workers end the others.
    """
    due = budget.on_turn(user_id).filter(deadline_at__lte=now)
    for _number in range(MAX_SETTLED):
        game = due.first()  # the hours used for one may have reached the others too
        if game is None:
            return
        with transaction.atomic():
            endings.settle(endings.lock_game(game.public_id), now)
        if due.filter(pk=game.pk).exists():
            return  # nobody loses on time while the club is out of order
    if due.exists():
        raise Conflict(_("Many of your games have just run out of time. Try again in a minute."))


def _by_year(begins: datetime, ends: datetime) -> list[tuple[datetime, datetime]]:
    begins, ends = begins.astimezone(UTC), ends.astimezone(UTC)
    new_year = datetime(begins.year + 1, 1, 1, tzinfo=UTC)
    if ends <= new_year:
        return [(begins, ends)]
    return [(begins, new_year), *_by_year(new_year, ends)]


def _part(user: User, begins: datetime, ends: datetime) -> Vacation:
    return Vacation(
        user=user, begins_at=begins, ends_at=ends, year=begins.year, hours=(ends - begins) // HOUR
    )
