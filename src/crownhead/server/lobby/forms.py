"""The fields of a new game: their values, their errors, and the terms they describe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.http import QueryDict
from django.utils.translation import gettext as _

from crownhead import VARIANTS
from crownhead.rules.draws import OFFICIAL
from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import Problem
from crownhead.server.play.clocks.time_control import MAX_DAYS, MIN_DAYS, Pace
from crownhead.server.play.games import options as limits
from crownhead.server.play.games.options import (
    BankClock,
    ColourChoice,
    Flexibility,
    GameOptions,
    LiveClock,
    TimeRange,
)
from crownhead.server.play.invitations.validators import LONGEST_MESSAGE
from crownhead.server.web.forms import whole_number

# Well-known Fischer clocks: minutes, and seconds per move.
PRESETS = ((1, 0), (2, 1), (3, 2), (5, 3), (10, 5), (15, 10), (30, 20))
OWN_CLOCK = "own"
SWITCHES = ("weekends_off", "vacation", "rated", "hidden", "any_rated", "any_stops")
USUAL: Mapping[str, str] = {
    "variant": next(iter(VARIANTS)),
    "colour": ColourChoice.RANDOM,
    "opponent": "",
    "message": "",
    "pace": Pace.DAYS,
    "days_per_move": "3",
    "live": "5+3",
    "minutes": "20",
    "seconds": "10",
    "time": "72",
    "bonus": "12",
    "limit": "168",
    "vacation": "on",
    "match": "one",
    "games": "4",
    "wins": "3",
    "min_rating": "",
    "max_rating": "",
    "draw_rules": OFFICIAL,
    "opening": "",
    "first_move": "",
    "fen": "",
    "time_range": TimeRange.SIMILAR,
    "any_rated": "on",
    "any_stops": "on",
}
# What one press of a button looks for, all other terms being the usual ones.
QUICK: Mapping[str, Mapping[str, str]] = {
    **{clock: {"pace": Pace.LIVE, "live": clock} for clock in ("3+2", "5+3", "10+5")},
    **{f"{days}d": {"pace": Pace.DAYS, "days_per_move": str(days)} for days in (1, 3, 7)},
}
_SENT = "terms"  # always sent: tells a switch that is off from a form that was not sent
_LONGEST = 2 * LONGEST_MESSAGE
_MINUTE = 60


def filled_in(query: QueryDict, *, sent: bool = False) -> dict[str, str]:
    """The text of each field: from the query, else the default; missing switches of a sent form are off.

    ``quick`` stands for a whole form, the variant apart.
    """
    quick = QUICK.get(query.get("quick", ""))
    if quick is not None:
        plain = {name: USUAL.get(name, "") for name in SWITCHES}
        return {**USUAL, **plain, "variant": query.get("variant", USUAL["variant"])[:_LONGEST], **quick}
    sent = sent or _SENT in query
    switches = {name: query.get(name, "" if sent else USUAL.get(name, "")) for name in SWITCHES}
    return {name: query.get(name, usual)[:_LONGEST] for name, usual in USUAL.items()} | switches


@dataclass(slots=True)
class TermsForm:
    """The fields of a new game; reading them fills ``errors``, by field."""

    filled: Mapping[str, str]
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def start(self) -> str:
        """The FEN of the position from which the game is to begin; empty for the usual one."""
        return self.filled["fen"].strip()

    @property
    def opponent(self) -> str:
        """The name or e-mail address of the invited player; empty for anyone."""
        return self.filled["opponent"].strip()

    def options(self) -> GameOptions:
        """The terms; only valid if ``errors`` is empty afterwards."""
        value = self.filled
        live = value["pace"] == Pace.LIVE
        return GameOptions(
            variant=value["variant"],
            colour=value["colour"],
            days_per_move=self._days(),
            clock=self._clock(),
            weekends_off=bool(value["weekends_off"]) and not live,
            vacation=bool(value["vacation"]) and not live,
            draw_rules=value["draw_rules"],
            rated=bool(value["rated"]) and not (value["hidden"] or self.start),
            hidden=bool(value["hidden"]),
            min_rating=self._rating("min_rating"),
            max_rating=self._rating("max_rating"),
            opening=self._opening(),
            games=self._games(),
            wins=self._number("wins", 2, limits.MAX_WINS) if value["match"] == "wins" else None,
            first_move=value["first_move"].strip() or None,
            start=self.start or None,
        )

    def flexibility(self) -> Flexibility:
        """What “Find a game” takes besides the terms."""
        known = {choice.value for choice in TimeRange}
        time = self.filled["time_range"] if self.filled["time_range"] in known else TimeRange.SIMILAR
        return Flexibility(
            time=TimeRange(time), rated=bool(self.filled["any_rated"]), stops=bool(self.filled["any_stops"])
        )

    def check_opponent(self, user: User) -> None:
        """Check the opponent and the message to them."""
        if len(self.filled["message"].strip()) > LONGEST_MESSAGE:
            self.errors["message"] = _("Use at most %(count)s characters.") % {"count": LONGEST_MESSAGE}
        if not self.opponent or "@" in self.opponent:
            return
        player = accounts.player(self.opponent)
        if player is None:
            self.errors["opponent"] = _("There is no player with that name.")
        elif player.pk == user.pk:
            self.errors["opponent"] = _("You can't play against yourself.")

    def check_start(self) -> None:
        """Check that a game from a position is offered to somebody: none goes to the waiting room."""
        if self.start and not self.opponent:
            self.errors["opponent"] = _("Name the player you challenge, or make a link for a friend.")

    def check_quick(self) -> None:
        """Check that no field excludes an immediate game with anyone."""
        if self.opponent:
            self.errors["opponent"] = _("Leave this empty to find a game with anyone.")
        if self.filled["match"] != "one":
            self.errors["match"] = _("“Find a game” is for single games.")
        if self.filled["first_move"].strip():
            self.errors["first_move"] = _("“Find a game” doesn't allow a first move.")

    def check_link(self) -> None:
        """Check that no field names somebody: anybody who is given the link may play."""
        if self.opponent:
            self.errors["opponent"] = _("Leave this empty to get a link.")

    def refuse(self, problem: Problem) -> bool:
        """Show a problem beside its field; false if it belongs to none."""
        name = problem.field
        if problem.slug == "illegal-move" and name == "first_move":
            self.errors[name] = problem.message
            return True
        if problem.slug == "not-welcome":
            self.errors["opponent"] = _("This player isn't accepting invitations from you.")
            return True
        if name == "start":
            self.errors["fen"] = problem.text
            return True
        texts = {
            "opponent": _("Enter a player's name or an e-mail address."),
            "first_move": _("You can't make the first move in advance in this game."),
            "max_rating": _("The highest rating can't be below the lowest."),
            "opening": _("Choose one of the ballots."),
        }
        if name not in texts:
            return False
        self.errors[name] = texts[name]
        return True

    def _days(self) -> int | None:
        if self.filled["pace"] in {Pace.LIVE, Pace.BANK}:
            return None
        return self._number("days_per_move", MIN_DAYS, MAX_DAYS)

    def _clock(self) -> LiveClock | BankClock | None:
        if self.filled["pace"] == Pace.LIVE:
            return self._live_clock()
        if self.filled["pace"] != Pace.BANK:
            return None
        time = self._number("time", 1, limits.LONGEST_BANK)
        return BankClock(
            time=time,
            bonus=self._number("bonus", 0, limits.LONGEST_BANK),
            limit=self._number("limit", time, limits.LONGEST_BANK),
        )

    def _live_clock(self) -> LiveClock:
        known = {f"{minutes}+{seconds}": (minutes, seconds) for minutes, seconds in PRESETS}
        if self.filled["live"] in known:
            minutes, seconds = known[self.filled["live"]]
        else:
            minutes = self._number("minutes", 0, limits.LONGEST_LIVE // _MINUTE)
            seconds = self._number("seconds", 0 if minutes else 1, limits.LONGEST_INCREMENT)
        return LiveClock(initial=minutes * _MINUTE, increment=seconds)

    def _games(self) -> int:
        kind = self.filled["match"]
        if kind == "games":
            return self._number("games", 3, limits.MAX_GAMES)
        return 2 if kind == "two" else 1

    def _rating(self, name: str) -> int | None:
        return self._number(name, 0, limits.HIGHEST_RATING) if self.filled[name].strip() else None

    def _opening(self) -> int | None:
        variant = VARIANTS.get(self.filled["variant"])
        if not self.filled["opening"] or variant is None or not variant.opening_plies:
            return None
        if not self.opponent:
            self.errors["opening"] = _("Name an opponent to choose the opening, or leave it random.")
        return self._number("opening", 1, 999)

    def _number(self, name: str, least: int, most: int) -> int:
        """A whole number within bounds; else ``least``, with an error."""
        return whole_number(self.filled, self.errors, name, least=least, most=most)
