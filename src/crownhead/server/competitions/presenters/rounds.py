"""Presenters of rounds: pairings with their games, and brackets."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext as _

from crownhead.contest import Bye, Game, Pairing
from crownhead.contest.formats import Bracket as Kind
from crownhead.contest.formats import format_of
from crownhead.contest.model import ResultKind
from crownhead.server.accounts.validators import display_name
from crownhead.server.competitions import selectors
from crownhead.server.competitions.models import Meeting, Round, Tournament
from crownhead.server.competitions.models import Pairing as PairingRow
from crownhead.server.competitions.presenters.tables import Sign, sign_of
from crownhead.server.competitions.selectors import begins_at
from crownhead.server.competitions.selectors.standings import Sheet, Some, Standing, sheet_of
from crownhead.server.play.matches.presenters import points

Sizes = Mapping[tuple[int, int], int]  # how many pairings there are, by round and section

MAX_DRAWN = 32  # pairings of a round in a bracket
LATEST_GAMES = 6  # of a pairing that are shown beside others
LATEST_DRAWN = 2  # the same in a bracket


@dataclass(frozen=True, slots=True)
class SidePresenter:
    """A player of a pairing; ``won``: the pairing is over and they are ahead."""

    name: str
    points: str
    won: bool


@dataclass(frozen=True, slots=True)
class PairingPresenter:
    """A pairing of a round. ``signs``: its games from the first player's side; ``bye``: the kind of bye.

    ``results``: the same games in words. ``earlier``: how many are left out before them.
    """

    number: int
    table: int
    sides: list[SidePresenter]
    bye: str
    stage: str
    signs: list[Sign]
    results: list[str]
    over: bool
    adjourned: bool
    mine: bool
    earlier: int = 0

    @property
    def played(self) -> int:
        """How many games there are, also those left out."""
        return self.earlier + len(self.signs)

    @property
    def numbered(self) -> list[tuple[int, Sign]]:
        """Its games that are shown, each with its number."""
        return list(enumerate(self.signs, start=self.earlier + 1))

    @property
    def games(self) -> list[tuple[Sign, str]]:
        """Its games, each with its result in words."""
        return list(zip(self.signs, self.results, strict=True))


@dataclass(frozen=True, slots=True)
class RoundPresenter:
    """A round, or the part of it that belongs to a bracket."""

    number: int
    title: str
    pairings: list[PairingPresenter]
    joins: bool = False  # in a bracket: the winners of two neighbours meet next


@dataclass(frozen=True, slots=True)
class Bracket:
    """A bracket: rounds side by side; ``left_out``: without the first ones, which have too many pairings."""

    key: str
    title: str
    rounds: list[RoundPresenter]
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class Planning:
    """The appointment of the viewer's pairing.

    ``theirs``: the opponent's proposal; ``mine``: the viewer's; ``agreed``: the agreed time.
    """

    number: int
    table: int
    opponent: str
    earliest: datetime
    deadline: datetime
    agreed: datetime | None
    mine: datetime | None
    theirs: datetime | None


def present_round(
    number: int, rows: Iterable[PairingRow], viewer_id: int | None, *, whole: bool = False
) -> RoundPresenter:
    """A round with some of its pairings, each with its latest games or with the ``whole`` of them."""
    sheet, made = sheet_of(number, rows)
    latest = None if whole else LATEST_GAMES
    pairings = [_pairing(sheet, number, pairing, viewer_id, latest=latest) for pairing in made]
    return RoundPresenter(number, _("Round %(number)s") % {"number": number}, pairings)


def brackets(standing: Standing, viewer_id: int | None) -> list[Bracket]:
    """The brackets of a tournament, as far as its format has any.

    They are drawn from the first round on that has few enough pairings; earlier ones are pages of their own.
    """
    made = format_of(standing.contest.format)
    if not made.brackets:
        return []
    sizes = standing.sizes  # of all rounds: what isn't drawn is said
    begun = {section for _number, section in sizes}
    standing = standing.showing(Some(sections=frozenset(_drawn(sizes, made.brackets))))
    planned = made.planned_rounds(standing.contest) or 0
    drawn = (
        _bracket(standing, sizes, section, kind, planned if kind.halving else 0, viewer_id)
        for section, kind in made.brackets.items()
        if section in begun
    )
    return [bracket for bracket in drawn if bracket is not None]


def _drawn(sizes: Sizes, sections: Container[int]) -> Iterator[tuple[int, int]]:
    """The rounds that are drawn, each with the section of its bracket."""
    for (number, section), size in sizes.items():
        if section in sections and size <= MAX_DRAWN:
            yield number, section


def planning_of(tournament: Tournament, viewer_id: int | None, now: datetime) -> Planning | None:
    """The viewer's appointment in the latest round in which they have one; None without any."""
    if viewer_id is None or tournament.appointment_days is None:
        return None
    for pairing in selectors.appointed(tournament, viewer_id):
        row = pairing.round
        latest, begins = selectors.begins_by(row, pairing), begins_at(row, pairing)
        is_to_come = begins is not None and begins > now and selectors.awaited(pairing, pairing.games.all())
        if is_to_come and latest is not None:
            return _planning(row, pairing, viewer_id, (now, latest))
    return None


def _planning(
    row: Round, pairing: PairingRow, viewer_id: int, between: tuple[datetime, datetime]
) -> Planning | None:
    if pairing.second is None:
        return None
    other = pairing.second if pairing.first.user_id == viewer_id else pairing.first
    open_ = {row.by_id: row.at for row in pairing.appointments.all() if row.status == Meeting.PROPOSED}
    return Planning(
        number=row.number,
        table=pairing.table,
        opponent=other.user.username,
        earliest=between[0],
        deadline=between[1],
        agreed=pairing.starts_at,
        mine=open_.get(viewer_id),
        theirs=open_.get(other.user_id),
    )


def _bracket(
    standing: Standing, sizes: Sizes, section: int, kind: Kind, planned: int, viewer_id: int | None
) -> Bracket | None:
    """A bracket; None as long as each of its rounds has too many pairings to be drawn."""
    rounds, left_out = [], False
    drawn = {number for number, _section in _drawn(sizes, {section})}
    for made in standing.contest.rounds:
        left_out |= made.number not in drawn and (made.number, section) in sizes
        if made.number in drawn:
            title = _round_title(made.number, planned)
            pairings = [
                _pairing(standing, made.number, pairing, viewer_id, latest=LATEST_DRAWN)
                for pairing in made.pairings
                if pairing.section == section
            ]
            rounds.append(RoundPresenter(made.number, title, pairings))
    if not rounds:
        return None
    return Bracket(f"b{section}", _(kind.title), _joined(rounds + _to_come(rounds, planned)), left_out)


def _joined(rounds: list[RoundPresenter]) -> list[RoundPresenter]:
    """The rounds with the mark of those from which two pairings lead to one."""
    following = [len(made.pairings) for made in rounds[1:]]
    return [
        replace(made, joins=len(made.pairings) == 2 * after)
        for made, after in zip(rounds, [*following, 0], strict=True)
    ]


def _round_title(number: int, planned: int) -> str:
    """What a round of a bracket is called; ``planned``: how many it has; 0 where they don't halve."""
    late = {0: _("Final"), 1: _("Semi-finals"), 2: _("Quarter-finals")}
    name = late.get(planned - number) if planned else None
    return name or _("Round %(number)s") % {"number": number}


def _to_come(rounds: list[RoundPresenter], planned: int) -> list[RoundPresenter]:
    """The coming rounds of a bracket: half as many pairings each time."""
    made, tables, coming = rounds[-1].number, len(rounds[-1].pairings), []
    for number in range(made + 1, planned + 1):
        tables = (tables + 1) // 2
        title = _round_title(number, planned)
        unknown = [SidePresenter(_("to be decided"), "", won=False) for _side in range(2)]
        free = [
            PairingPresenter(number, table, unknown, "", "", [], [], over=False, adjourned=False, mine=False)
            for table in range(1, tables + 1)
        ]
        coming.append(RoundPresenter(number, title, free))
    return coming


def _pairing(
    sheet: Sheet, number: int, pairing: Pairing, viewer_id: int | None, *, latest: int | None
) -> PairingPresenter:
    earlier = 0 if latest is None else max(len(pairing.games) - latest, 0)
    shown = pairing.games[earlier:]
    played = any(game.over for game in pairing.games)
    leader = pairing.leader if pairing.over else None
    sides = [
        SidePresenter(
            name=sheet.names[key],
            points=points(pairing.points_of(key) / 2) if played else "",
            won=key == leader,
        )
        for key in pairing.players
    ]
    other = "" if pairing.second is None else display_name(sheet.names[pairing.second])
    signs = [
        sign_of(game, pairing.first, other, sheet.games.get((number, pairing.table, at), ""))
        for at, game in enumerate(shown, start=earlier + 1)
    ]
    return PairingPresenter(
        number=number,
        table=pairing.table,
        sides=sides,
        bye=_bye(pairing.bye),
        stage=_(pairing.stage) if pairing.stage else "",
        signs=signs,
        results=[_result(sheet, pairing, game) for game in shown],
        over=pairing.over,
        adjourned=pairing.adjourned,
        mine=any(sheet.users[key] == viewer_id for key in pairing.players),
        earlier=earlier,
    )


def _result(sheet: Sheet, pairing: Pairing, game: Game) -> str:
    """Who won a game, in words."""
    if game.points is None:
        return _("in progress")
    if game.how is ResultKind.ANNULLED:
        return _("annulled")
    won = [key for key in pairing.players if 2 * game.points_of(key) > sum(game.points)]
    if not won:
        return _("drawn") if sum(game.points) else _("forfeited by both")
    return _("%(name)s won") % {"name": display_name(sheet.names[won[0]])}


def _bye(bye: Bye | None) -> str:
    if bye is None:
        return ""
    return {
        Bye.ODD: _("has a bye"),
        Bye.ASKED: _("asked for a bye"),
        Bye.ABSENT: _("has no opponent"),
    }[bye]
