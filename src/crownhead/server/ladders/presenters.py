"""Ladders for lists and pages: lines, sentences, and who can be challenged with a button."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from crownhead import VARIANTS
from crownhead.server.accounts.validators import display_name
from crownhead.server.ladders import selectors
from crownhead.server.ladders.choices import Happening, Outcome, Style
from crownhead.server.ladders.models import Challenge, Ladder, Line, Member
from crownhead.server.ladders.selectors import eligibility
from crownhead.server.ladders.selectors.eligibility import Ineligibility
from crownhead.server.ladders.selectors.styles import Refusal
from crownhead.server.ladders.selectors.terms import link_of, name_of, pace_of
from crownhead.server.play.presenters.families import families
from crownhead.server.play.presenters.variant_texts import variant_name
from crownhead.server.ratings import selectors as ratings
from crownhead.server.ratings.selectors import Rating

_SILENT = {Refusal.SELF, Refusal.TOO_HIGH, Refusal.TOO_LOW}  # obvious from the ranks
_FOR_ALL = {
    Refusal.OWN_CHALLENGES,
    Refusal.CLOSED,
}  # the same for every opponent: shown once, above the table


@dataclass(frozen=True, slots=True)
class LadderLine:
    """A ladder in a list; ``mine``: the viewer's place or step there, ``rank`` the same in words."""

    id: str
    name: str
    style: str
    pace: str
    size: int
    leader: str
    mine: int | None
    rank: str


@dataclass(frozen=True, slots=True)
class Group:
    """A family of variants: of each its name, its ladders of places and its stairs."""

    key: str
    name: str
    variants: list[tuple[str, list[LadderLine], list[LadderLine]]]


@dataclass(frozen=True, slots=True)
class Standing:
    """A player in the standings. ``may``: they can be challenged with a button; ``why_not``: why not.

    ``for_all``: the reason holds for every opponent. ``game_id``: their game with the viewer here.
    """

    rank: int
    name: str
    rating: Rating | None
    won: int
    drawn: int
    lost: int
    mine: bool
    may: bool
    why_not: str
    for_all: bool
    game_id: str


@dataclass(frozen=True, slots=True)
class ChallengeLine:
    """A challenge in a list; ``result`` is a sentence, empty while it is open."""

    ladder: str
    link: str
    challenger: str
    challenged: str
    made_at: datetime
    ended_at: datetime | None
    result: str
    games: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """A line of the history."""

    at: datetime
    sentence: str
    reason: str


def busiest(groups: Iterable[Group]) -> list[LadderLine]:
    """The ladders that have members, the largest first."""
    found = [
        ladder
        for group in groups
        for _name, places, stairs in group.variants
        for ladder in (*places, *stairs)
        if ladder.size
    ]
    return sorted(found, key=lambda ladder: -ladder.size)


def groups(memberships: Iterable[Member]) -> list[Group]:
    """All open ladders by family and variant, with the viewer's ranks there."""
    mine = {row.ladder_id: row.rank for row in memberships}
    leaders = selectors.leaders()
    ladders: dict[str, dict[str, list[LadderLine]]] = {}
    for ladder in selectors.all_open_ladders():
        by_style = ladders.setdefault(ladder.variant, {style.value: [] for style in Style})
        by_style[ladder.style].append(
            line(ladder, leader=leaders.get(ladder.pk, ""), mine=mine.get(ladder.pk))
        )
    return [
        Group(
            key=family.key,
            name=family.name,
            variants=[
                (
                    variant_name(variant),
                    ladders[variant.key][Style.PLACES],
                    ladders[variant.key][Style.STAIRS],
                )
                for variant in family.variants
            ],
        )
        for family in families(VARIANTS[key] for key in VARIANTS if key in ladders)
    ]


def line(ladder: Ladder, *, leader: str = "", mine: int | None = None) -> LadderLine:
    """A ladder in a list."""
    return LadderLine(
        id=ladder.public_id,
        name=name_of(ladder),
        style=style_words(ladder),
        pace=pace_of(ladder),
        size=ladder.size,
        leader=leader,
        mine=mine,
        rank="" if mine is None else rank_words(ladder, mine),
    )


def standings(
    ladder: Ladder, people: Iterable[Member], *, me: Member | None, now: datetime
) -> list[Standing]:
    """Members as the viewer ``me`` sees them."""
    rows = list(people)
    ineligible: Mapping[int, Ineligibility | None] = (
        {} if me is None else eligibility.check(ladder, me, rows, now=now)
    )
    rated = ratings.ratings_in(ladder.variant, [row.user_id for row in rows], now=now)
    running = {} if me is None else selectors.games_with(ladder, me.user)
    return [
        _standing(row, me, ineligible.get(row.user_id), rated.get(row.user_id), running.get(row.user_id, ""))
        for row in rows
    ]


def challenge_lines(challenges: Iterable[Challenge]) -> list[ChallengeLine]:
    """Challenges in a list."""
    return [
        ChallengeLine(
            ladder=name_of(row.ladder),
            link=link_of(row.ladder),
            challenger=row.challenger.username,
            challenged=row.challenged.username,
            made_at=row.made_at,
            ended_at=row.ended_at,
            result=_result(row),
            games=tuple(game.game_id for game in row.games.all()),
        )
        for row in challenges
    ]


def events(ladder: Ladder, lines: Iterable[Line]) -> list[Event]:
    """A history in sentences."""
    return [Event(row.at, _sentence(ladder, row), row.reason) for row in lines]


def style_words(ladder: Ladder) -> str:
    """``places`` or ``stairs``."""
    return _("stairs") if ladder.style == Style.STAIRS else _("places")


def rank_words(ladder: Ladder, rank: int) -> str:
    """``place 3``, ``step 3``."""
    text = _("step %(rank)s") if ladder.style == Style.STAIRS else _("place %(rank)s")
    return text % {"rank": rank}


def _standing(
    row: Member, me: Member | None, ineligible: Ineligibility | None, rating: Rating | None, game_id: str
) -> Standing:
    silent = ineligible is None or ineligible.reason in _SILENT
    return Standing(
        rank=row.rank,
        name=row.user.username,
        rating=rating,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
        mine=me is not None and row.pk == me.pk,
        may=me is not None and ineligible is None,
        why_not="" if silent or ineligible is None else ineligible.sentence,
        for_all=ineligible is not None and ineligible.reason in _FOR_ALL,
        game_id=game_id,
    )


def _result(row: Challenge) -> str:
    names = {
        "challenger": display_name(row.challenger.username),
        "challenged": display_name(row.challenged.username),
    }
    texts = {
        Outcome.WON: _("%(challenger)s won"),
        Outcome.LOST: _("%(challenged)s won"),
        Outcome.DRAWN: _("drawn"),
        Outcome.VOID: _("void"),
    }
    return texts[Outcome(row.outcome)] % names if row.outcome else ""


def _sentence(ladder: Ladder, row: Line) -> str:
    facts = {
        "name": display_name(row.user.username) if row.user else "",
        "other": display_name(row.other.username) if row.other else "",
        "before": rank_words(ladder, row.before or 0),
        "after": rank_words(ladder, row.after or 0),
    }
    return _sentences(row)[Happening(row.kind)] % facts


def _sentences(row: Line) -> dict[Happening, str]:
    took = row.other is not None
    return {
        Happening.OPENED: _("The ladder was opened."),
        Happening.JOINED: _("%(name)s joined the ladder: %(after)s."),
        Happening.LEFT: _("%(name)s left the ladder from %(before)s."),
        Happening.REMOVED: _("The staff removed %(name)s from the ladder (%(before)s)."),
        Happening.CHALLENGED: _("%(name)s (%(before)s) challenged %(other)s (%(after)s)."),
        Happening.WON: _("%(name)s beat %(other)s."),
        Happening.FLED: _("%(name)s beat %(other)s, who did not finish the game."),
        Happening.DRAWN: _("%(name)s and %(other)s drew."),
        Happening.VOID: _("The challenge of %(name)s to %(other)s is void."),
        Happening.MOVED: _("%(name)s took %(after)s from %(other)s.")
        if took
        else _("%(name)s moved from %(before)s to %(after)s."),
        Happening.PLACED: _("The staff moved %(name)s from %(before)s to %(after)s."),
        Happening.SANK: _("%(name)s was idle and dropped from %(before)s to %(after)s."),
        Happening.CLOSED_UP: _("The staff removed the empty steps."),
        Happening.CLOSED: _("The ladder was closed."),
    }
