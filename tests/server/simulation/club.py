"""The simulated site: its members, clock, workers, and outgoing mail and push messages."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random

from django.conf import settings
from django.core import mail
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.notices import jobs as notices
from crownhead.server.ops.processes.sweeper import all_jobs
from crownhead.server.ops.processes.worker import run_ready_tasks
from tests.server.conftest import Api
from tests.server.simulation import contest_observer as contest_observer
from tests.server.simulation.calendar import DAY, Calendar
from tests.server.simulation.delivery_check import DeliveryCheck
from tests.server.simulation.expected_notices import ExpectedNotices
from tests.server.simulation.observer import Observer
from tests.server.simulation.outgoing import Delivery, PushService, is_notice, parse_email
from tests.server.simulation.people import Member, create_members, endpoint_of, token_of
from tests.server.simulation.timings import MAIL, PUSH

_SENDING = {
    "notices by e-mail",
    "notices by push message",
}  # run by `send`, which checks what they send
_DAILY = timedelta(hours=6)  # jobs this rare run once a day in the simulation


@dataclass(slots=True)
class Club:
    """The state of the simulation."""

    calendar: Calendar
    dice: Random
    people: dict[int, Member]
    expected: ExpectedNotices
    observer: Observer
    pushes: PushService = field(default_factory=PushService)
    client: Client = field(default_factory=lambda: Client(raise_request_exception=True))
    count: Counter[str] = field(default_factory=Counter)
    stops: list[tuple[int, str]] = field(default_factory=list)  # unsubscribe links of e-mails
    stopped: set[int] = field(default_factory=set)  # members who have followed one
    _email_count: int = 0

    @property
    def here(self) -> list[Member]:
        """The members who have not left, in order."""
        return [member for member in self.people.values() if not member.gone]

    def api(self, member: Member) -> Api:
        """An API client of a member; each request counts as activity."""
        member.note(self.calendar.now)
        return Api(token_of_member(member), self.client)

    def open_page(self, member: Member, path: str) -> int:
        """Open a page as a member; the status of the response."""
        self.client.force_login(member.user, backend=settings.AUTHENTICATION_BACKENDS[0])
        member.note(self.calendar.now)
        answer = self.client.get(path)
        self.client.logout()
        self.expected.page_opened(member.key, path)
        self.count["pages"] += 1
        return answer.status_code

    def work(self, *, daily: bool = False) -> None:
        """Run the jobs that are due twice, in order and backwards, as two workers would; then all tasks."""
        now = self.calendar.now
        due = [job for job in all_jobs() if job.name not in _SENDING and (daily or job.every < _DAILY)]
        for job in (*due, *reversed(due)):
            job.run(now)
        while run_ready_tasks():
            self.count["tasks"] += 1

    def send(self) -> None:
        """Send e-mails and push messages, and compare them with the expected ones."""
        self.expected.check_rows()
        for channel, job in ((PUSH, notices.send_push), (MAIL, notices.send_mail)):
            for _ in range(2 + len(self.people) // 40):  # as often as workers run them in a minute
                job(self.calendar.now)
            DeliveryCheck(self.expected, channel, self.calendar.now).compare(self._sent(channel))

    def row(self, member: Member) -> User:
        """The current account of a member."""
        return User.objects.get(pk=member.key)

    def _sent(self, channel: str) -> dict[int, Delivery]:
        return self._emails_sent() if channel == MAIL else self._pushes_sent()

    def _emails_sent(self) -> dict[int, Delivery]:
        by_address = {member.user.email: member for member in self.people.values()}
        found: dict[int, Delivery] = {}
        for email in mail.outbox[self._email_count :]:
            member = by_address.get(email.to[0])
            if member is None or not is_notice(email):
                continue
            self.count["letters"] += 1
            if member.key in found:
                self.expected.fault(member.key, f"two e-mails at once: {email.subject}")
            found[member.key] = parse_email(email)
            self.stops.append((member.key, found[member.key].stop))
        self._email_count = len(mail.outbox)
        return found

    def _pushes_sent(self) -> dict[int, Delivery]:
        taken = self.pushes.empty()
        self.count["pushes"] += len(taken)
        found: dict[int, Delivery] = {}
        for member in self.people.values():
            devices = [taken.pop(endpoint_of(member.user, number), None) for number in range(member.devices)]
            if any(delivery != devices[0] for delivery in devices):
                self.expected.fault(member.key, f"their browsers got different messages: {devices}")
            if devices and devices[0] is not None:
                found[member.key] = devices[0]
        assert not taken, f"push messages for nobody: {taken}"
        return found

    def raise_faults(self) -> None:
        """Fail if anything was wrong so far."""
        faults = self.expected.faults
        if faults:
            lines = "\n".join(faults[:12])
            raise AssertionError(f"day {self.calendar.day}, {len(faults)} faults:\n{lines}")


def token_of_member(member: Member) -> str:
    """The API token of a member."""
    return token_of(member.user)


def create_club(count: int, dice: Random) -> Club:
    """A new site with members."""
    calendar = Calendar()
    people = create_members(count, dice, calendar.now)
    expected = ExpectedNotices(people)
    return Club(calendar, dice, people, expected, Observer(expected))


def end_day(club: Club) -> None:
    """The checks at the end of a day."""
    club.expected.check_states()
    club.expected.prune(club.calendar.now - 2 * DAY)
    club.raise_faults()
