"""The book of the month: what each member has to be told, by which way and when, whatever the club does."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from crownhead.server.notices.models import Notice
from tests.server.month.calendar import MINUTE, next_time
from tests.server.month.memory import Memory
from tests.server.month.people import Member
from tests.server.month.wishes import AWAY, DAILY, MAIL, NEVER, NOW, PERSONAL, PUSH, SITE

# A letter gathers for a minute; who was here a moment ago is given some time to come back.
_AFTER = {
    (MAIL, NOW): MINUTE,
    (MAIL, AWAY): 5 * MINUTE,
    (PUSH, NOW): timedelta(0),
    (PUSH, AWAY): MINUTE,
}
_MINE = "kind", "link", "created_at", "on_site"


@dataclass(slots=True, eq=False, kw_only=True)
class Telling:
    """One thing that somebody is to be told; ``ways``: when by each way out, and the moment from which."""

    user: int
    kinds: tuple[str, ...]
    about: str
    link: str
    at: datetime
    actor: int | None
    on_site: bool
    ways: dict[str, tuple[str, datetime]]
    read: bool = False
    withdrawn: bool = False
    sent: set[str] = field(default_factory=set)
    row: int = 0  # of the notice by which the club tells it
    subject: str = ""

    @property
    def stands(self) -> bool:
        """He has not seen it, and it is still so."""
        return not self.read and not self.withdrawn

    def __str__(self) -> str:
        """For whoever reads what went wrong."""
        seen = "read" if self.read else "withdrawn" if self.withdrawn else "open"
        return f"{'+'.join(self.kinds)} of {self.link} at {self.at:%d %H:%M:%S} ({seen}, {self.ways})"


def _set_marks(telling: Telling, read: bool, withdrawn: bool) -> None:
    telling.read, telling.withdrawn = read, withdrawn


@dataclass(slots=True)
class Ledger:
    """What is to be told, and whether it was; faults are gathered as sentences."""

    people: Mapping[int, Member]
    faults: list[str] = field(default_factory=list)
    told: Counter[str] = field(default_factory=Counter)  # by the first kind
    memory: Memory = field(default_factory=Memory)
    _waiting: dict[tuple[int, str], list[Telling]] = field(default_factory=lambda: defaultdict(list))
    _by_thing: dict[tuple[int, str], list[Telling]] = field(default_factory=lambda: defaultdict(list))
    _by_link: dict[tuple[int, str], list[Telling]] = field(default_factory=lambda: defaultdict(list))
    _once: set[tuple[object, ...]] = field(default_factory=set)
    _new: list[Telling] = field(default_factory=list)
    _kept: list[Telling] = field(default_factory=list)
    _last_row: int = 0

    def tell(
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
        """Somebody is to be told of something; whether he is, as he wants it."""
        member = self.people.get(user or 0)
        if member is None or member.gone:
            return False
        if kinds[0] in PERSONAL and actor in member.ignored:
            return False
        if gathered and self._one_stands(member.key, kinds[0], about):
            return False
        ways = self._ways(member, kinds, at)
        on_site = any(member.wishes[kind, SITE] != NEVER for kind in kinds)
        key = (member.key, *once)
        if not (on_site or ways) or (once and key in self._once):
            return False
        if once:
            self._once.add(key)
            self.memory.undo_by(lambda: self._once.remove(key))
        made = Telling(
            user=member.key,
            kinds=kinds,
            about=about,
            link=link,
            at=at,
            actor=actor,
            on_site=on_site,
            ways=ways,
        )
        self._note(made)
        return True

    def seen(self, user: int | None, about: str) -> None:
        """Somebody acted in a thing: what he was told of it he knows."""
        for telling in self._by_thing.get((user or 0, about), ()):
            self._mark(telling, read=True)

    def opened(self, user: int, link: str) -> None:
        """Somebody looks at a page: what leads there he knows."""
        self.memory.take_back()
        for telling in self._by_link.get((user, link), ()):
            telling.read = telling.read or telling.stands

    def over(self, about: str, kinds: Collection[str], users: Iterable[int | None] = ()) -> None:
        """It is no longer so, for some or for all."""
        wanted = set(users) or set(self.people)
        for user in wanted:
            for telling in self._by_thing.get((user or 0, about), ()):
                if telling.kinds[0] in kinds and not telling.withdrawn:
                    self._mark(telling, read=True, withdrawn=True)

    def forget(self, user: int) -> None:
        """He has left: nobody is told anything."""
        self.people[user].gone = True
        self.memory.undo_by(partial(setattr, self.people[user], "gone", False))
        for book in (self._waiting, self._by_thing, self._by_link):
            for key in [key for key in book if key[0] == user]:
                self.memory.undo_by(partial(book.__setitem__, key, book.pop(key)))

    def waiting(self, user: int, way: str) -> list[Telling]:
        """What has not left by a way and may still; what fell away is struck out."""
        rows = [telling for telling in self._waiting.get((user, way), ()) if telling.stands]
        self._waiting[user, way] = rows
        return rows

    def leave(self, tellings: Iterable[Telling], way: str) -> None:
        """They have left."""
        for telling in tellings:
            telling.sent.add(way)
            self._waiting[telling.user, way].remove(telling)

    def drop(self, tellings: Iterable[Telling], way: str) -> None:
        """They leave no more: he does not want to be told any longer."""
        for telling in tellings:
            self._waiting[telling.user, way].remove(telling)

    def fault(self, user: int, what: str) -> None:
        """Something is not as it should be."""
        self.faults.append(f"{self.people[user].name}: {what}")

    def check_rows(self) -> None:
        """The club's own notices since the last look are just those: each once, and no other."""
        self.memory.take_back()
        open_: dict[tuple[object, ...], list[Telling]] = defaultdict(list)
        for telling in self._new:
            if not self.people[telling.user].gone:
                open_[telling.user, telling.kinds[0], telling.link, telling.at, telling.on_site].append(
                    telling
                )
        rows = Notice.objects.filter(pk__gt=self._last_row).order_by("pk")
        for key, user, subject, gone, *mine in rows.values_list(
            "pk", "user_id", "subject", "withdrawn_at", *_MINE
        ):
            self._last_row = key
            expected = open_.get((user, *mine))
            if expected:
                telling = expected.pop(0)
                telling.row, telling.subject = key, subject
            elif gone != mine[2]:  # what is withdrawn in the moment in which it was told reaches nobody
                self.fault(user, f"told what nobody expected, or twice: {subject!r} ({mine})")
        for left in open_.values():
            for telling in left:
                self.fault(telling.user, f"not told: {telling}")
        self._new.clear()

    def check_states(self) -> None:
        """What is read and what was taken back, of the latest days, is so in the club."""
        self.memory.take_back()
        rows = Notice.objects.filter(pk__in=[telling.row for telling in self._kept])
        states = {row[0]: row[1:] for row in rows.values_list("pk", "read_at", "withdrawn_at")}
        for telling in self._kept:
            found = states.get(telling.row)
            if found is None or self.people[telling.user].gone:
                continue
            if (found[0] is not None, found[1] is not None) != (telling.read, telling.withdrawn):
                self.fault(telling.user, f"expected {telling}, the club has it read and withdrawn at {found}")

    def forget_before(self, moment: datetime) -> None:
        """What is older than that is not looked at again, but for what still has to leave."""
        self._kept = [telling for telling in self._kept if telling.at >= moment]
        for book in (self._by_thing, self._by_link):
            for key in list(book):
                book[key] = [one for one in book[key] if one.at >= moment or one.stands]
                if not book[key]:
                    del book[key]

    def _note(self, made: Telling) -> None:
        self.told[made.kinds[0]] += 1
        self._new.append(made)
        self._kept.append(made)
        self._by_thing[made.user, made.about].append(made)
        self._by_link[made.user, made.link].append(made)
        for way in made.ways:
            self._waiting[made.user, way].append(made)
        self.memory.undo_by(lambda: self._strike(made))

    def _strike(self, made: Telling) -> None:
        """It was not told after all."""
        self.told[made.kinds[0]] -= 1
        self._new.remove(made)
        self._kept.remove(made)
        self._by_thing[made.user, made.about].remove(made)
        self._by_link[made.user, made.link].remove(made)
        for way in made.ways:
            self._waiting[made.user, way].remove(made)

    def _mark(self, telling: Telling, *, read: bool, withdrawn: bool = False) -> None:
        before = telling.read, telling.withdrawn
        telling.read, telling.withdrawn = telling.read or read, telling.withdrawn or withdrawn
        self.memory.undo_by(partial(_set_marks, telling, *before))

    def _one_stands(self, user: int, kind: str, about: str) -> bool:
        return any(
            telling.stands and telling.kinds[0] == kind and not telling.sent
            for telling in self._by_thing.get((user, about), ())
        )

    def _ways(self, member: Member, kinds: tuple[str, ...], at: datetime) -> dict[str, tuple[str, datetime]]:
        found = {}
        for way in (MAIL, PUSH):
            when = member.wants(kinds, way)
            if when == NEVER or (way == PUSH and not member.devices):
                continue
            due = next_time(member.hour, member.zone, after=at) if when == DAILY else at + _AFTER[way, when]
            found[way] = when, due
        return found
