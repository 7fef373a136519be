"""Looking for a game in the waiting room: what to keep to, and in which order."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Case, IntegerField, Value, When
from django.http import QueryDict
from django.utils.translation import gettext as _

from crownhead import VARIANTS
from crownhead.server.play.clocks import Pace
from crownhead.server.play.selectors import Games

_QUICK_FIRST = Case(
    *(When(pace=pace.value, then=Value(at)) for at, pace in enumerate((Pace.LIVE, Pace.BANK, Pace.DAYS))),
    output_field=IntegerField(),
)
_ORDERS: dict[str, tuple[object, ...]] = {
    "new": ("-created_at", "-pk"),
    "old": ("created_at", "pk"),
    "quick": (_QUICK_FIRST, "days_per_move", "clock_initial", "clock_bonus", "-created_at", "-pk"),
    "variant": ("variant", "-created_at", "-pk"),
}


@dataclass(frozen=True, slots=True)
class Search:
    """What an address asks of the waiting room; empty is anything."""

    variant: str = ""
    pace: str = ""
    rated: str = ""
    order: str = "new"

    @classmethod
    def of(cls, query: QueryDict) -> Search:
        """Read a query; what makes no sense counts as not asked."""
        variant, pace, rated = (query.get(name, "") for name in ("variant", "pace", "rated"))
        order = query.get("order", "")
        return cls(
            variant=variant if variant in VARIANTS else "",
            pace=pace if pace in {row.value for row in Pace} else "",
            rated=rated if rated in {"yes", "no"} else "",
            order=order if order in _ORDERS else "new",
        )

    def applied(self, rows: Games) -> Games:
        """The rows that are looked for, in order."""
        if self.pace:
            rows = rows.filter(pace=self.pace)
        if self.rated:
            rows = rows.filter(rated=self.rated == "yes")
        return rows.order_by(*_ORDERS[self.order])  # type: ignore[arg-type]

    @property
    def narrowed(self) -> bool:
        """It keeps to some games."""
        return bool(self.variant or self.pace or self.rated)

    @property
    def paces(self) -> list[tuple[str, str, bool]]:
        """The kinds of clock as options: value, name, chosen."""
        names = {
            "": _("Any pace"),
            Pace.LIVE.value: _("Live"),
            Pace.DAYS.value: _("Days per move"),
            Pace.BANK.value: _("Hours on a clock"),
        }
        return [(value, name, value == self.pace) for value, name in names.items()]

    @property
    def ratings(self) -> list[tuple[str, str, bool]]:
        """Rated or not, as options."""
        names = {"": _("Rated or not"), "yes": _("Rated"), "no": _("Not rated")}
        return [(value, name, value == self.rated) for value, name in names.items()]

    @property
    def orders(self) -> list[tuple[str, str, bool]]:
        """The orders, as options."""
        names = {
            "new": _("Newest first"),
            "old": _("Longest waiting first"),
            "quick": _("Quickest first"),
            "variant": _("By game"),
        }
        return [(value, name, value == self.order) for value, name in names.items()]
