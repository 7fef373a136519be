"""The expected notifications: what each member should be notified of, by which channel and when."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import partial

from django.db.models import F

from crownhead.server.notices.models import Notice
from tests.server.simulation.calendar import MINUTE, next_time
from tests.server.simulation.people import Member
from tests.server.simulation.rollback_log import RollbackLog
from tests.server.simulation.timings import AWAY, DAILY, MAIL, NEVER, NOW, PERSONAL, PUSH, SITE

# E-mails are collected for a minute; a member who was here a moment ago gets time to come back.
_DELAYS = {
    (MAIL, NOW): MINUTE,
    (MAIL, AWAY): 5 * MINUTE,
    (PUSH, NOW): timedelta(0),
    (PUSH, AWAY): MINUTE,
}
_Channels = dict[str, tuple[str, datetime]]  # timing and due time by channel
_COLUMNS = "kind", "link", "created_at", "on_site"


@dataclass(slots=True, eq=False, kw_only=True)
class ExpectedNotice:
    """An expected notification; ``channels``: the timing of each channel, and when it is due."""

    user: int
    kinds: tuple[str, ...]
    about: str
    link: str
    at: datetime
    actor: int | None
    on_site: bool
    channels: _Channels
    read: bool = False
    withdrawn: bool = False
    sent: set[str] = field(default_factory=set)
    row: int = 0  # of the matching row
    subject: str = ""

    @property
    def stands(self) -> bool:
        """It is unread and still valid."""
        return not self.read and not self.withdrawn

    def __str__(self) -> str:
        """A description for error messages."""
        seen = "read" if self.read else "withdrawn" if self.withdrawn else "open"
        return f"{'+'.join(self.kinds)} of {self.link} at {self.at:%d %H:%M:%S} ({seen}, {self.channels})"


_Notices = dict[tuple[int, str], list[ExpectedNotice]]


def _set_marks(notice: ExpectedNotice, read: bool, withdrawn: bool) -> None:
    notice.read, notice.withdrawn = read, withdrawn


@dataclass(slots=True)
class ExpectedNotices:
    """The expected notifications; faults are collected as sentences."""

    people: Mapping[int, Member]
    faults: list[str] = field(default_factory=list)
    count: Counter[str] = field(default_factory=Counter)  # by the first kind
    rollback_log: RollbackLog = field(default_factory=RollbackLog)
    _waiting: _Notices = field(default_factory=lambda: defaultdict(list))
    _by_subject: _Notices = field(default_factory=lambda: defaultdict(list))
    _by_link: _Notices = field(default_factory=lambda: defaultdict(list))
    _once: set[tuple[object, ...]] = field(default_factory=set)
    _new: list[ExpectedNotice] = field(default_factory=list)
    _recent: list[ExpectedNotice] = field(default_factory=list)
    _last_row: int = 0

    def notify(
        self,
        user: int | None,
        *kinds: str,
        about: str,
        link: str,
        at: datetime,
        actor: int | None = None,
        once: tuple[object, ...] = (),
        gathered: bool = False,
    ) -> bool:
        """Expect a notification, if the settings of the member ask for it; whether they do."""
        member = self.people.get(user or 0)
        if member is None or member.gone:
            return False
        if kinds[0] in PERSONAL and actor in member.ignored:
            return False
        if gathered and self._has_open(member.key, kinds[0], about):
            return False
        channels = self._channels(member, kinds, at)
        on_site = any(member.timings[kind, SITE] != NEVER for kind in kinds)
        key = (member.key, *once)
        if not (on_site or channels) or (once and key in self._once):
            return False
        if once:
            self._once.add(key)
            self.rollback_log.undo_by(lambda: self._once.remove(key))
        made = ExpectedNotice(
            user=member.key,
            kinds=kinds,
            about=about,
            link=link,
            at=at,
            actor=actor,
            on_site=on_site,
            channels=channels,
        )
        self._add(made)
        return True

    def mark_seen(self, user: int | None, about: str, kinds: Collection[str] = ()) -> None:
        """Mark the notifications of a subject as read, or those of some kinds: the member has acted on it."""
        for notice in self._by_subject.get((user or 0, about), ()):
            if not kinds or notice.kinds[0] in kinds:
                self._mark(notice, read=True)

    def page_opened(self, user: int, link: str) -> None:
        """Mark the notifications that link to a page as read."""
        self.rollback_log.apply_rollbacks()
        for notice in self._by_link.get((user, link), ()):
            notice.read = notice.read or notice.stands

    def withdraw(self, about: str, kinds: Collection[str], users: Iterable[int | None] = ()) -> None:
        """Withdraw notifications of a subject, for some members or for all."""
        wanted = set(users) or set(self.people)
        for user in wanted:
            for notice in self._by_subject.get((user or 0, about), ()):
                if notice.kinds[0] in kinds and not notice.withdrawn:
                    self._mark(notice, read=True, withdrawn=True)

    def take_back(self, about: str, link: str, actor: int) -> None:
        """Withdraw what a member said of a subject, for all who heard it."""
        for notice in self._said(about, link, actor):
            if not notice.withdrawn:
                self._mark(notice, read=True, withdrawn=True)

    def say_again(self, about: str, link: str, actor: int, user: int, day: date) -> None:
        """Restore what was taken back on this day and is said again; what was sent is not sent again."""
        for notice in self._said(about, link, actor):
            stands_again = notice.user == user and notice.withdrawn and notice.at.date() == day
            if not stands_again or actor in self.people[user].ignored:
                continue
            before = notice.read, notice.withdrawn
            _set_marks(notice, read=False, withdrawn=False)
            self.rollback_log.undo_by(partial(_set_marks, notice, *before))
            for channel in notice.channels.keys() - notice.sent:
                waiting = self._waiting[user, channel]
                if notice not in waiting:
                    waiting.append(notice)

    def _said(self, about: str, link: str, actor: int) -> list[ExpectedNotice]:
        """What a member said of a subject, to all who heard it, with this link."""
        rows = [row for user in self.people for row in self._by_subject.get((user, about), ())]
        return [row for row in rows if (row.link, row.actor) == (link, actor)]

    def forget(self, user: int) -> None:
        """Forget a member who has left."""
        self.people[user].gone = True
        self.rollback_log.undo_by(partial(setattr, self.people[user], "gone", False))
        for notices in (self._waiting, self._by_subject, self._by_link):
            for key in [key for key in notices if key[0] == user]:
                self.rollback_log.undo_by(partial(notices.__setitem__, key, notices.pop(key)))

    def waiting(self, user: int, channel: str) -> list[ExpectedNotice]:
        """The open notifications not yet sent by a channel."""
        rows = [notice for notice in self._waiting.get((user, channel), ()) if notice.stands]
        self._waiting[user, channel] = rows
        return rows

    def mark_sent(self, notices: Iterable[ExpectedNotice], channel: str) -> None:
        """Mark notifications as sent."""
        for notice in notices:
            notice.sent.add(channel)
            self._waiting[notice.user, channel].remove(notice)

    def drop(self, notices: Iterable[ExpectedNotice], channel: str) -> None:
        """Drop notifications that the member no longer wants."""
        for notice in notices:
            self._waiting[notice.user, channel].remove(notice)

    def fault(self, user: int, what: str) -> None:
        """Record a fault."""
        self.faults.append(f"{self.people[user].name}: {what}")

    def check_rows(self) -> None:
        """The new rows of notices are exactly the expected ones."""
        self.rollback_log.apply_rollbacks()
        open_: dict[tuple[object, ...], list[ExpectedNotice]] = defaultdict(list)
        for notice in self._new:
            if not self.people[notice.user].gone:
                open_[notice.user, notice.kinds[0], notice.link, notice.at, notice.on_site].append(notice)
        rows = Notice.objects.filter(pk__gt=self._last_row).order_by("pk")
        rows = rows.exclude(user__closed_at__gte=F("created_at"))  # a job deletes them
        for key, user, subject, gone, *mine in rows.values_list(
            "pk", "user_id", "subject", "withdrawn_at", *_COLUMNS
        ):
            self._last_row = key
            expected = open_.get((user, *mine))
            if expected:
                notice = expected.pop(0)
                notice.row, notice.subject = key, subject
            elif gone != mine[2]:  # withdrawn in the moment it was created: reaches nobody
                self.fault(user, f"unexpected or duplicate notice: {subject!r} ({mine})")
        for left in open_.values():
            for notice in left:
                self.fault(notice.user, f"missing notice: {notice}")
        self._new.clear()

    def check_states(self) -> None:
        """The recent rows of notices are read and withdrawn as expected."""
        self.rollback_log.apply_rollbacks()
        rows = Notice.objects.filter(pk__in=[notice.row for notice in self._recent])
        states = {row[0]: row[1:] for row in rows.values_list("pk", "read_at", "withdrawn_at")}
        for notice in self._recent:
            found = states.get(notice.row)
            if found is None or self.people[notice.user].gone:
                continue
            if (found[0] is not None, found[1] is not None) != (notice.read, notice.withdrawn):
                self.fault(notice.user, f"expected {notice}, but it was read and withdrawn at {found}")

    def prune(self, moment: datetime) -> None:
        """Forget notifications before a moment, except those not sent yet."""
        self._recent = [notice for notice in self._recent if notice.at >= moment]
        for notices in (self._by_subject, self._by_link):
            for key in list(notices):
                notices[key] = [one for one in notices[key] if one.at >= moment or one.stands]
                if not notices[key]:
                    del notices[key]

    def _add(self, made: ExpectedNotice) -> None:
        self.count[made.kinds[0]] += 1
        self._new.append(made)
        self._recent.append(made)
        self._by_subject[made.user, made.about].append(made)
        self._by_link[made.user, made.link].append(made)
        for channel in made.channels:
            self._waiting[made.user, channel].append(made)
        self.rollback_log.undo_by(lambda: self._remove(made))

    def _remove(self, made: ExpectedNotice) -> None:
        """Undo an expected notification."""
        self.count[made.kinds[0]] -= 1
        self._new.remove(made)
        self._recent.remove(made)
        self._by_subject[made.user, made.about].remove(made)
        self._by_link[made.user, made.link].remove(made)
        for channel in made.channels:
            self._waiting[made.user, channel].remove(made)

    def _mark(self, notice: ExpectedNotice, *, read: bool, withdrawn: bool = False) -> None:
        before = notice.read, notice.withdrawn
        notice.read, notice.withdrawn = notice.read or read, notice.withdrawn or withdrawn
        self.rollback_log.undo_by(partial(_set_marks, notice, *before))

    def _has_open(self, user: int, kind: str, about: str) -> bool:
        return any(
            notice.stands and notice.kinds[0] == kind and not notice.sent
            for notice in self._by_subject.get((user, about), ())
        )

    def _channels(self, member: Member, kinds: tuple[str, ...], at: datetime) -> _Channels:
        due: _Channels = {}
        for channel in (MAIL, PUSH):
            when = member.timing_of(kinds, channel)
            if when == NEVER or (channel == PUSH and not member.devices):
                continue
            if when == DAILY:
                due[channel] = when, next_time(member.hour, member.zone, after=at)
            else:
                due[channel] = when, at + _DELAYS[channel, when]
        return due
