"""The profile of a player: ratings, results, trophies, and what the viewer can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from crownhead import VARIANTS, Variant
from crownhead.server.accounts.selectors import Buddy, Ignored, User, contact_of, is_secret, profile_of
from crownhead.server.competitions.selectors import TrophyInfo, trophies_of
from crownhead.server.core.markup.stored import stored_html
from crownhead.server.people.presenters.activity import Activity, activity
from crownhead.server.people.presenters.people import PersonSummary, summary
from crownhead.server.people.selectors.activity import games_by_week
from crownhead.server.people.selectors.head_to_head import HeadToHead, Score, head_to_head
from crownhead.server.people.selectors.results import Tally, tallies
from crownhead.server.play.matches.presenters import points
from crownhead.server.play.presenters.variant_texts import variant_name
from crownhead.server.play.selectors import Viewer
from crownhead.server.ratings import selectors
from crownhead.server.ratings.presenters import charts, history
from crownhead.server.ratings.selectors import Rating, Win

_FAVOURITES = 3


@dataclass(frozen=True, slots=True)
class Line:
    """One variant that the person plays: rating, if any, and results."""

    variant: Variant
    rating: Rating | None
    tally: Tally


@dataclass(frozen=True, slots=True)
class Graph:
    """The rating graph of one variant, and the best wins in it."""

    variant: Variant
    rating: Rating
    curve: charts.RatingCurve | None
    wins: Sequence[Win]


@dataclass(frozen=True, slots=True)
class OnTime:
    """How many of somebody's games were lost on time."""

    games: int
    lost: int

    @property
    def share(self) -> int:
        """In a hundred games."""
        return round(100 * self.lost / self.games) if self.games else 0


@dataclass(frozen=True, slots=True)
class Profile:
    """Everything above the lists of games; ``secret``: only members may read on."""

    summary: PersonSummary
    secret: bool
    mine: bool
    text: SafeString
    lines: Sequence[Line]
    on_time: OnTime
    against: HeadToHead | None
    graph: Graph | None
    activity: Activity | None
    trophies: Sequence[TrophyInfo]
    buddy: Buddy | None
    blocked: bool
    invite: str

    @property
    def favourites(self) -> str:
        """The variants that the person has played most; of a single one the results say it."""
        played = [variant_name(line.variant) for line in self.lines if line.tally.games]
        return ", ".join(played[:_FAVOURITES]) if len(played) > 1 else ""

    @property
    def against_rows(self) -> list[tuple[str, str, Score]]:
        """The score of the viewer against the person, by pace where there is more than one, and in all."""
        if self.against is None:
            return []
        paces = ((_("Live"), self.against.live), (_("Correspondence"), self.against.correspondence))
        played = [(name, score) for name, score in paces if score.games]
        if len(played) > 1:
            played.append((_("All games"), self.against.total))
        return [(name, f"{points(score.points)} : {points(score.against)}", score) for name, score in played]


def profile(person: User, *, viewer: Viewer, variant: str, now: datetime) -> Profile:
    """Present a profile; ``variant``: of the graph, else the one that is played most."""
    mine = viewer is not None and viewer.pk == person.pk
    secret = is_secret(person, viewer)
    ratings = (
        {} if secret else {rating.variant: rating for rating in selectors.ratings_of(person.pk, now=now)}
    )
    lines = [] if secret else _lines(ratings, tallies(person, viewer=viewer))
    against = head_to_head(viewer, person, viewer=viewer) if isinstance(viewer, User) and not mine else None
    contact = contact_of(viewer, person) if isinstance(viewer, User) and not mine else None
    return Profile(
        summary=summary(person, now=now, viewer=viewer),
        secret=secret,
        mine=mine,
        text=SafeString("") if secret else stored_html(profile_of(person)),
        lines=lines,
        on_time=OnTime(
            sum(line.tally.games for line in lines), sum(line.tally.lost_on_time for line in lines)
        ),
        against=against,
        graph=_graph(person, ratings, variant),
        activity=None if secret else activity(games_by_week(person, viewer=viewer, now=now), now=now),
        trophies=() if secret else trophies_of(person.pk),
        buddy=contact if isinstance(contact, Buddy) else None,
        blocked=isinstance(contact, Ignored),
        invite=f"{reverse('lobby:new_game')}?opponent={person.username}",
    )


def _lines(ratings: dict[str, Rating], results: Sequence[Tally]) -> list[Line]:
    """Return all variants of the person: most games first, then those with a rating only."""
    played = [Line(tally.variant, ratings.get(tally.variant.key), tally) for tally in results]
    there = {line.variant.key for line in played}
    others = [VARIANTS[key] for key in ratings if key in VARIANTS and key not in there]
    return [*played, *(Line(variant, ratings[variant.key], Tally(variant)) for variant in others)]


def _graph(person: User, ratings: dict[str, Rating], wanted: str) -> Graph | None:
    if not ratings:
        return None
    key = wanted if wanted in ratings else next(iter(ratings))
    if key not in VARIANTS:
        return None
    curve = charts.rating_curve(history.moments(person.pk, key))
    return Graph(VARIANTS[key], ratings[key], curve, selectors.best_wins(person.pk, key))
