"""The club of the model: its people, its clock, its workers, and the post that leaves it."""

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
from crownhead.server.ops.sweeper import all_jobs
from crownhead.server.ops.worker import run_ready_tasks
from crownhead.server.play.models import Game
from tests.server.conftest import Api
from tests.server.month import contest_witness as contest_witness
from tests.server.month.calendar import DAY, Calendar
from tests.server.month.ledger import Ledger
from tests.server.month.people import Member, endpoint_of, enrol, token_of
from tests.server.month.post import Parcel, PushService, is_notice, read_letter
from tests.server.month.rounds import Round
from tests.server.month.wishes import MAIL, PUSH
from tests.server.month.witness import Witness

_SENDING = {"notices by e-mail", "notices by push message"}  # the model has a look at what these send
_DAILY = timedelta(hours=6)  # jobs that come as seldom as that are done once a day here


@dataclass(slots=True)
class Club:
    """Everything that the model needs at hand."""

    calendar: Calendar
    dice: Random
    people: dict[int, Member]
    ledger: Ledger
    witness: Witness
    pushes: PushService = field(default_factory=PushService)
    client: Client = field(default_factory=lambda: Client(raise_request_exception=True))
    count: Counter[str] = field(default_factory=Counter)
    stops: list[tuple[int, str]] = field(default_factory=list)  # links by which letters are stopped
    _letters: int = 0

    @property
    def here(self) -> list[Member]:
        """Those who have not left, in order."""
        return [member for member in self.people.values() if not member.gone]

    def api(self, member: Member) -> Api:
        """A program that acts for somebody; each request is one by which he is here."""
        member.note(self.calendar.now)
        return Api(token_of_member(member), self.client)

    def open_page(self, member: Member, path: str) -> int:
        """Somebody looks at a page in a browser; the status of the answer."""
        self.client.force_login(member.user, backend=settings.AUTHENTICATION_BACKENDS[0])
        member.note(self.calendar.now)
        answer = self.client.get(path)
        self.client.logout()
        self.ledger.opened(member.key, path)
        self.count["pages"] += 1
        return answer.status_code

    def work(self, *, daily: bool = False) -> None:
        """The workers do what is due, one in the order of the jobs and another one after him backwards."""
        now = self.calendar.now
        due = [job for job in all_jobs() if job.name not in _SENDING and (daily or job.every < _DAILY)]
        for job in (*due, *reversed(due)):
            job.run(now)
        while run_ready_tasks():
            self.count["tasks"] += 1

    def send(self) -> None:
        """Letters and push messages leave, and are compared with the book; and nothing leaves again."""
        self.ledger.check_rows()
        for way, job in ((PUSH, notices.send_push), (MAIL, notices.send_mail)):
            for _ in range(2 + len(self.people) // 40):  # as often as workers come by in a minute
                job(self.calendar.now)
            Round(self.ledger, way, self.calendar.now).compare(self._left(way))

    def row(self, member: Member) -> User:
        """His account as it is now."""
        return User.objects.get(pk=member.key)

    def _left(self, way: str) -> dict[int, Parcel]:
        return self._letters_left() if way == MAIL else self._pushes_left()

    def _letters_left(self) -> dict[int, Parcel]:
        by_address = {member.user.email: member for member in self.people.values()}
        found: dict[int, Parcel] = {}
        for letter in mail.outbox[self._letters :]:
            member = by_address.get(letter.to[0])
            if member is None or not is_notice(letter):
                continue
            self.count["letters"] += 1
            if member.key in found:
                self.ledger.fault(member.key, f"two letters at once: {letter.subject}")
            found[member.key] = read_letter(letter)
            self.stops.append((member.key, found[member.key].stop))
        self._letters = len(mail.outbox)
        return found

    def _pushes_left(self) -> dict[int, Parcel]:
        taken = self.pushes.empty()
        self.count["pushes"] += len(taken)
        found: dict[int, Parcel] = {}
        for member in self.people.values():
            his = [taken.pop(endpoint_of(member.user, number), None) for number in range(member.devices)]
            if any(parcel != his[0] for parcel in his):
                self.ledger.fault(member.key, f"his browsers were told different things: {his}")
            if his and his[0] is not None:
                found[member.key] = his[0]
        assert not taken, f"push messages for nobody: {taken}"
        return found

    def raise_faults(self) -> None:
        """Stop where something was not as it should be."""
        faults = self.ledger.faults
        if faults:
            shown = "\n".join(faults[:12])
            raise AssertionError(f"day {self.calendar.day}, {len(faults)} faults:\n{shown}")


def token_of_member(member: Member) -> str:
    """By which the API knows him."""
    return token_of(member.user)


def found(count: int, dice: Random) -> Club:
    """A club on its first morning."""
    calendar = Calendar()
    people = enrol(count, dice, calendar.now)
    ledger = Ledger(people)
    return Club(calendar, dice, people, ledger, Witness(ledger))


def a_day_ends(club: Club) -> None:
    """What is looked at once a day."""
    club.ledger.check_states()
    club.ledger.forget_before(club.calendar.now - 2 * DAY)
    club.raise_faults()


def games_begun() -> int:
    """How many games there are."""
    return Game.objects.exclude(started_at=None).count()
