"""Prepared values for the page of notification settings, and reading its form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.utils.translation import gettext as _

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.problems import Unprocessable
from crownhead.server.notices.channels import vapid
from crownhead.server.notices.kinds import TIMINGS, Channel, Group, Kind, Timing
from crownhead.server.notices.models import Device, Reader
from crownhead.server.notices.selectors import recipients
from crownhead.server.notices.selectors.devices import devices_of
from crownhead.server.notices.selectors.preferences import digest_hour_of, timings_of

GROUPED = (Channel.MAIL, Channel.PUSH)
RECOMMENDED, MIXED = "recommended", "mixed"  # of a group: as for those who choose nothing; differently
_BY_ITSELF = {Kind.NEWS}


@dataclass(frozen=True, slots=True)
class Cell:
    """One choice: ``turn.mail``; ``label`` is for screen readers."""

    name: str
    label: str
    options: tuple[tuple[str, str, bool], ...]  # value, label, chosen


@dataclass(frozen=True, slots=True)
class Row:
    """A kind, with a choice for each channel."""

    label: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Rows that belong together; ``cells``: a choice for all of them at once, by e-mail and by push."""

    name: str
    label: str
    cells: tuple[Cell, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class PreferencesPage:
    """All values of the page."""

    channels: tuple[str, ...]
    sections: tuple[Section, ...]
    hours: tuple[tuple[int, str, bool], ...]
    zone: str
    address: str
    address_counts: bool
    address_is_confirmed: bool
    refused_at: datetime | None
    refused_why: str
    devices: tuple[Device, ...]
    push_key: str


def preferences_page(user: User) -> PreferencesPage:
    """Prepare the page for a user."""
    timings = timings_of(user.pk)
    hour = digest_hour_of(user.pk)
    is_confirmed = accounts.email_is_confirmed(user)
    refusal = Reader.objects.filter(user=user, refused_address=user.email).exclude(refused_address="").first()
    return PreferencesPage(
        channels=(_("Site"), _("E-mail"), _("Push")),
        sections=tuple(
            Section(
                group.value,
                str(group.label),
                tuple(_group_cell(group, channel, timings) for channel in GROUPED),
                tuple(_row(kind, timings) for kind in group.kinds if user.is_staff or not kind.row.for_staff),
            )
            for group in Group
        ),
        hours=tuple((each, f"{each}:00", each == hour) for each in range(24)),
        zone=str(recipients.person(user).zone),
        address=user.email,
        address_counts=is_confirmed or not settings.CONFIRM_EMAIL,
        address_is_confirmed=is_confirmed,
        refused_at=refusal.refused_at if refusal else None,
        refused_why=refusal.refused_why if refusal else "",
        devices=tuple(devices_of(user, clock.now())),
        push_key=vapid.public_text(vapid.make_key(settings.DATA)),
    )


def group_state(group: Group, channel: Channel, timings: Mapping[tuple[Kind, Channel], Timing]) -> str:
    """What the choice for a whole group shows: what all its kinds have, or that they are as recommended."""
    kinds = _kinds(group)
    if all(timings[kind, channel] is kind.default(channel) for kind in kinds):
        return RECOMMENDED
    held = {timings[kind, channel] for kind in kinds}
    return held.pop().value if len(held) == 1 else MIXED


def _kinds(group: Group) -> tuple[Kind, ...]:
    """The kinds that a choice for the group is about: what members have to turn on is left to them."""
    return tuple(kind for kind in group.kinds if kind not in _BY_ITSELF and not kind.row.for_staff)


def _read_groups(
    form: Mapping[str, str], before: Mapping[tuple[Kind, Channel], Timing]
) -> dict[tuple[Kind, Channel], Timing]:
    """The choices for whole groups that differ from how they were shown."""
    timings = {}
    for group in Group:
        for channel in GROUPED:
            value = form.get(f"{group.value}.{channel.value}", MIXED)
            if value == MIXED or value == group_state(group, channel, before):
                continue
            if value != RECOMMENDED and value not in Timing.values:
                raise Unprocessable(_("Choose when you want to be notified."))
            for kind in _kinds(group):
                timings[kind, channel] = kind.default(channel) if value == RECOMMENDED else Timing(value)
    return timings


def read_form(
    form: Mapping[str, str], before: Mapping[tuple[Kind, Channel], Timing]
) -> tuple[dict[tuple[Kind, Channel], Timing], int | None]:
    """Read the choices and the digest hour from the form; raises ``Unprocessable``.

    ``before``: what was chosen when the form was shown. A choice for a group counts if it was changed.
    """
    timings = {}
    for kind in Kind:
        for channel in Channel:
            value = form.get(f"{kind.value}.{channel.value}")
            if value is None:
                continue
            if value not in Timing.values:
                raise Unprocessable(_("Choose when you want to be notified."))
            timings[kind, channel] = Timing(value)
    hour = form.get("digest_hour", "")
    if hour and not (hour.isascii() and hour.isdecimal() and len(hour) < 3):
        raise Unprocessable(_("Choose an hour for the daily digest."))
    return timings | _read_groups(form, before), int(hour) if hour else None


def _row(kind: Kind, timings: Mapping[tuple[Kind, Channel], Timing]) -> Row:
    return Row(kind.label, tuple(_cell(kind, channel, timings[kind, channel]) for channel in Channel))


def _cell(kind: Kind, channel: Channel, chosen: Timing) -> Cell:
    labels = {"kind": kind.label, "channel": channel.label}
    return Cell(
        name=f"{kind.value}.{channel.value}",
        label=_("%(kind)s, %(channel)s") % labels,
        options=tuple(
            (timing.value, _timing_label(timing, channel), timing is chosen) for timing in TIMINGS[channel]
        ),
    )


def _group_cell(group: Group, channel: Channel, timings: Mapping[tuple[Kind, Channel], Timing]) -> Cell:
    held = group_state(group, channel, timings)
    labels = {"kind": str(group.label), "channel": channel.label}
    options = [(RECOMMENDED, _("recommended"), held == RECOMMENDED)]
    options += [(timing.value, _timing_label(timing, channel), held == timing) for timing in TIMINGS[channel]]
    if held == MIXED:
        options.insert(0, (MIXED, _("chosen one by one"), True))
    return Cell(f"{group.value}.{channel.value}", _("%(kind)s, %(channel)s") % labels, tuple(options))


def _timing_label(timing: Timing, channel: Channel) -> str:
    """Return a short label for a narrow column; on the site the choice is only yes or no."""
    if channel is Channel.SITE:
        return _("yes") if timing is Timing.NOW else _("no")
    labels = {
        Timing.NOW: _("right away"),
        Timing.AWAY: _("when away"),
        Timing.DAILY: _("daily"),
        Timing.NEVER: _("never"),
    }
    return labels[timing]
