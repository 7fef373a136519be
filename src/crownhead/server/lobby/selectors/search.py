"""Looking for a game in the waiting room: filters and order."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.db.models import Case, IntegerField, Q, Value, When
from django.http import QueryDict
from django.utils.translation import gettext as _

from crownhead import VARIANTS
from crownhead.server.accounts.selectors import User
from crownhead.server.play.clocks.time_control import Pace
from crownhead.server.play.games.providers import UNRATED
from crownhead.server.play.selectors import NEWEST_FIRST, Game, Games, Viewer
from crownhead.server.ratings.selectors import points_beside, ratings_of
from crownhead.server.web.slices import Slice, keyed, numbered

_QUICK_FIRST = Case(
    *(When(pace=pace.value, then=Value(at)) for at, pace in enumerate((Pace.LIVE, Pace.BANK, Pace.DAYS))),
    output_field=IntegerField(),
)
# In the order of an index, and in one for which the rows have to be sorted.
_INDEXED: dict[str, tuple[str, ...]] = {
    "new": NEWEST_FIRST,
    "old": ("created_at", "id"),
    "variant": ("variant", *NEWEST_FIRST),
}
_SORTED: dict[str, tuple[object, ...]] = {
    "quick": (_QUICK_FIRST, "days_per_move", "clock_initial", "clock_bonus", *NEWEST_FIRST),
    "strong": (points_beside(user="creator", variant="variant").desc(), *NEWEST_FIRST),
}
MAX_SEARCHED = 1000  # games, the newest, that are looked through or sorted


def _joinable(rows: Games, user: User) -> Games:
    """Games of others whose rating range includes the user."""
    points = {rating.variant: rating.points for rating in ratings_of(user.pk)}
    matching = ~Q(variant__in=points) & _offered_to(UNRATED)
    for variant, points_in_variant in points.items():
        matching |= Q(variant=variant) & _offered_to(points_in_variant)
    return rows.filter(matching).exclude(creator=user)


def _offered_to(points: int) -> Q:
    least = Q(min_rating__isnull=True) | Q(min_rating__lte=points)
    return least & (Q(max_rating__isnull=True) | Q(max_rating__gte=points))


@dataclass(frozen=True, slots=True)
class Search:
    """The filters and order of the waiting room; empty means any."""

    variant: str = ""
    pace: str = ""
    rated: str = ""
    suits: bool = False
    order: str = "new"

    @classmethod
    def of(cls, query: QueryDict) -> Search:
        """Read a query; invalid values are ignored."""
        variant, pace, rated = (query.get(name, "") for name in ("variant", "pace", "rated"))
        order = query.get("order", "")
        return cls(
            variant=variant if variant in VARIANTS else "",
            pace=pace if pace in {row.value for row in Pace} else "",
            rated=rated if rated in {"yes", "no"} else "",
            suits=query.get("suits", "") in {"1", "on"},
            order=order if order in {*_INDEXED, *_SORTED} else "new",
        )

    def applied(self, rows: Games, viewer: Viewer) -> Games:
        """The matching rows in order; with ``suits`` only games that the viewer can join.

        Where no index helps, those among the newest: a waiting room may be long, and few of it match.
        """
        if self.is_limited:
            rows = rows.filter(pk__in=rows.order_by(*NEWEST_FIRST).values("pk")[:MAX_SEARCHED])
        if self.suits and isinstance(viewer, User):
            rows = _joinable(rows, viewer)
        if self.pace:
            rows = rows.filter(pace=self.pace)
        if self.rated:
            rows = rows.filter(rated=self.rated == "yes")
        return rows.order_by(*_INDEXED.get(self.order) or _SORTED[self.order])  # type: ignore[arg-type]

    def page(self, rows: Games, viewer: Viewer, *, query: QueryDict, limit: int) -> Slice[Game]:
        """The slice of the matching rows that the query of a page asks for.

        Where they have to be sorted, only keys are: the rows themselves are read for those on the page.
        """
        matching, order = self.applied(rows, viewer), _INDEXED.get(self.order)
        if self.is_limited:
            matching = matching.select_related(None).only("variant", "created_at")
        if order is None:
            found = numbered(matching, query=query, limit=limit)
        else:
            found = keyed(matching, order=order, query=query, limit=limit)
        if not self.is_limited:
            return found
        loaded = Game.objects.with_players().in_bulk([game.pk for game in found])
        return replace(found, items=[loaded[game.pk] for game in found if game.pk in loaded])

    @property
    def is_limited(self) -> bool:
        """Whether only the newest games are looked through."""
        return bool(self.pace or self.rated or self.suits) or self.order in _SORTED

    @property
    def narrowed(self) -> bool:
        """Whether any filter is set."""
        return bool(self.variant or self.pace or self.rated or self.suits)

    @property
    def paces(self) -> list[tuple[str, str, bool]]:
        """The kinds of clock as options: value, name, chosen."""
        names = {
            "": _("Any pace"),
            Pace.LIVE.value: _("Live"),
            Pace.DAYS.value: _("Days per move"),
            Pace.BANK.value: _("Time bank"),
        }
        return [(value, name, value == self.pace) for value, name in names.items()]

    @property
    def ratings(self) -> list[tuple[str, str, bool]]:
        """Rated or not, as options."""
        names = {"": _("Rated or not"), "yes": _("Rated"), "no": _("Unrated")}
        return [(value, name, value == self.rated) for value, name in names.items()]

    @property
    def orders(self) -> list[tuple[str, str, bool]]:
        """The orders, as options."""
        names = {
            "new": _("Newest first"),
            "old": _("Longest waiting first"),
            "quick": _("Fastest first"),
            "variant": _("By game"),
            "strong": _("Strongest opponent first"),
        }
        return [(value, name, value == self.order) for value, name in names.items()]
