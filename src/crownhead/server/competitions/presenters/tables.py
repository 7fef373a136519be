"""Tables of tournaments as pages show them: standings with named tie-breaks, cross tables, rounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from django.db.models import Model
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from crownhead.contest import Bye, Game, Pairing, Row, Table
from crownhead.contest.formats import Cells, format_of
from crownhead.contest.model import DRAW, WIN, ResultKind
from crownhead.contest.tie_breaks import TIE_BREAKS
from crownhead.server.accounts.validators import display_name
from crownhead.server.competitions.selectors.standings import Some, Standing
from crownhead.server.play.matches.presenters import points
from crownhead.server.play.presenters.entry_markup import game_link
from crownhead.server.web.slices import NUMBER, Slice

PER_PAGE = 100  # lines of all tables together
MAX_CROSSED = 14  # players of a cross table; with more there is no reading it
MAX_ROUNDS = 11  # rounds that a table has a column for
_WON = "wins"  # the tie-break that a table without cells shows among its results
_WORTH = ("0", "½", "1")  # by half points


@dataclass(frozen=True, slots=True)
class Column:
    """What stands over a column, and what it means: a tie-break in a sentence, a name in full."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Sign:
    """A result in a cell: ``1``, ``½``, ``0``; ``label`` is the same in words, ``link`` leads to the game.

    ``score`` is what both sides read: ``1 : 0``.
    """

    text: str
    label: str
    link: str
    score: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a player made against another or in a round: win, draw, loss, running, self or none."""

    result: str
    signs: list[Sign]


@dataclass(frozen=True, slots=True)
class Line:
    """A player in a table."""

    place: int
    name: str
    rating: int
    points: str
    played: int
    won: int
    drawn: int
    lost: int
    values: list[str]
    cells: list[Cell]
    mine: bool
    out: bool
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class TablePresenter:
    """A table: ``heads`` stand over the cells, ``columns`` over the tie-breaks.

    ``order`` says what ranks it where points do not. ``tie_breaks``: all that rank it, for the list below.
    """

    key: str
    title: str
    order: str
    heads: list[Column]
    columns: list[Column]
    tie_breaks: list[Column]
    lines: list[Line]
    named: bool = False  # the heads are names, which stand upright

    @property
    def crossed(self) -> bool:
        """Whether it has cells."""
        return bool(self.heads)


@dataclass(frozen=True, slots=True)
class TablesPage:
    """Some lines of the tables of a tournament.

    ``games``: the neighbouring pages, for `pagination.html`. ``own_page``: the page with the viewer's first
    line, 0 if that is here or there is none; ``own_place``: their place there.
    """

    tables: list[TablePresenter]
    games: Slice[Model]
    own_page: int = 0
    own_place: int = 0


def present_tables(standing: Standing, viewer_id: int | None, *, over: bool, page: str = "") -> TablesPage:
    """A page of the tables, by its number. While it goes on sections stand first, the newest on top.

    A table that is small enough to be crossed is never parted: it is on the page where it begins.
    """
    mine = standing.key_of(viewer_id)
    tables = sorted(standing.tables, key=lambda table: bool(table.section) == over)
    parts = [part for table, first in _counted(tables) for part in _parts(table, first)]
    last = max((number for number, *_ in parts), default=1)
    wanted = min(max(int(page[:6]), 1), last) if page.isascii() and page.isdigit() else 1
    own = ((number, row.place) for number, _, rows in parts for row in rows if row.player == mine)
    own_page, own_place = next(own, (wanted, 0))
    here = [(table, rows) for number, table, rows in parts if number == wanted]
    standing = standing.showing(_met(standing, here))
    return TablesPage(
        tables=[_presented(standing, table, rows, mine) for table, rows in here],
        games=Slice(
            [],
            newer=f"?{NUMBER}={wanted - 1}" if wanted > 1 else "",
            older=f"?{NUMBER}={wanted + 1}" if wanted < last else "",
        ),
        own_page=0 if own_page == wanted else own_page,
        own_place=own_place,
    )


def _counted(tables: list[Table]) -> Iterator[tuple[Table, int]]:
    """The tables, each with how many rows there are before it."""
    first = 0
    for table in tables:
        yield table, first
        first += len(table.rows)


def _parts(table: Table, first: int) -> Iterator[tuple[int, Table, tuple[Row, ...]]]:
    """The rows of a table by the number of the page that they are on."""
    if len(table.rows) <= MAX_CROSSED:
        yield first // PER_PAGE + 1, table, table.rows
        return
    begin = 0
    while begin < len(table.rows):
        number = (first + begin) // PER_PAGE + 1
        end = number * PER_PAGE - first
        yield number, table, table.rows[begin:end]
        begin = end


def _met(standing: Standing, here: Iterable[tuple[Table, tuple[Row, ...]]]) -> Some:
    """The pairings that cells of these rows show."""
    players: set[str] = set()
    sections: set[tuple[int, int]] = set()
    for table, rows in here:
        crossed, by_round = _cells(standing, table)
        if crossed and table.section:
            sections.add((table.round, table.section))
        elif crossed or by_round:
            players.update(row.player for row in rows)
    return Some(frozenset(players), frozenset(sections))


def _cells(standing: Standing, table: Table) -> tuple[bool, bool]:
    """Whether a table has cells for opponents, and for rounds."""
    wanted = _wanted(standing, table)
    crossed = wanted is Cells.OPPONENTS and len(table.rows) <= MAX_CROSSED
    return crossed, not crossed and wanted is not Cells.NONE and _has_room_for_rounds(standing, table)


def _presented(standing: Standing, table: Table, rows: tuple[Row, ...], mine: str | None) -> TablePresenter:
    crossed, by_round = _cells(standing, table)
    rounds = [made.number for made in standing.contest.rounds] if by_round else []
    heads = [_name_head(standing.names[row.player]) for row in table.rows] if crossed else []
    heads = [_round_head(number) for number in rounds] if by_round else heads
    own = [key for key in table.columns if heads or key != _WON]
    lines = []
    for row in rows:
        cells = _crossed(standing, table, row) if crossed else _by_round(standing, row) if by_round else []
        lines.append(_line(standing, table, row, cells, own, mine))
    return TablePresenter(
        key=f"t{table.round}-{table.section}",
        title=_title(table),
        order="" if table.section else _order(standing),
        heads=heads,
        columns=_columns(own),
        tie_breaks=_columns(table.columns),
        lines=lines,
        named=crossed,
    )


def _columns(keys: Iterable[str]) -> list[Column]:
    return [Column(capfirst(_(TIE_BREAKS[key].name)), _(TIE_BREAKS[key].text)) for key in keys]


def _name_head(name: str) -> Column:
    """A name over a narrow column: the whole of it."""
    return Column(display_name(name), display_name(name))


def _round_head(number: int) -> Column:
    return Column(str(number), _("Round %(number)s") % {"number": number})


def _title(table: Table) -> str:
    if not table.section:
        return _("Standings")
    return _("Round %(round)s, section %(section)s") % {"round": table.round, "section": table.section}


def _order(standing: Standing) -> str:
    """What ranks the table of the whole contest, where a reader would look for points; else empty."""
    order = format_of(standing.contest.format).order
    return _(order) if order else ""


def _wanted(standing: Standing, table: Table) -> Cells:
    """What the format would have in the cells."""
    made = format_of(standing.contest.format)
    return made.section_cells if table.section else made.cells


def _has_room_for_rounds(standing: Standing, table: Table) -> bool:
    """Whether each round can have a column; a section is played in a single one."""
    return not table.section and len(standing.contest.rounds) <= MAX_ROUNDS


def _line(
    standing: Standing, table: Table, row: Row, cells: list[Cell], own: list[str], mine: str | None
) -> Line:
    values = dict(zip(table.columns, row.values, strict=False))
    written = [TIE_BREAKS[key].format(values[key]) for key in own if key in values]
    return Line(
        place=row.place,
        name=standing.names[row.player],
        rating=standing.ratings[row.player],
        points=str(row.points) if table.unit == 1 else points(row.points / table.unit),
        played=row.played,
        won=row.wins,
        drawn=row.draws,
        lost=row.losses,
        values=written,
        cells=cells,
        mine=row.player == mine,
        out=row.out,
        withdrawn=row.withdrawn,
    )


def _crossed(standing: Standing, table: Table, row: Row) -> list[Cell]:
    """What a player made against each other one of the table."""
    met = {other.player: Cell("none", []) for other in table.rows}
    met[row.player] = Cell("self", [])
    for number, pairing in standing.meetings.get(row.player, ()):
        if table.section and (number, pairing.section) != (table.round, table.section):
            continue
        if pairing.second is None:
            continue
        other = pairing.second if pairing.first == row.player else pairing.first
        if other in met:
            before = met[other].signs
            met[other] = _cell(standing, number, pairing, row.player, other, before)
    return list(met.values())


def _by_round(standing: Standing, row: Row) -> list[Cell]:
    """What a player made in each round."""
    cells = []
    met = dict(reversed(standing.meetings.get(row.player, ())))  # the first of a round
    for made in standing.contest.rounds:
        pairing = met.get(made.number)
        if pairing is None:
            cells.append(Cell("none", []))
        elif pairing.second is None:
            cells.append(Cell("none", [_bye_sign(pairing)]))
        else:
            other = pairing.second if pairing.first == row.player else pairing.first
            cells.append(_cell(standing, made.number, pairing, row.player, other, []))
    return cells


def _cell(
    standing: Standing, number: int, pairing: Pairing, key: str, other: str, before: list[Sign]
) -> Cell:
    name = display_name(standing.names[other])
    signs = list(before)
    for at, game in enumerate(pairing.games, start=1):
        game_id = standing.games.get((number, pairing.table, at), "")
        signs.append(sign_of(game, key, name, game_id))
    if not pairing.games:
        signs.append(Sign("·", _("to play %(name)s") % {"name": name}, ""))
    mine, theirs = pairing.points_of(key), pairing.points_of(other)
    if not any(game.over for game in pairing.games):
        return Cell("running", signs)
    return Cell("win" if mine > theirs else "loss" if mine < theirs else "draw", signs)


def sign_of(game: Game, key: str, name: str, game_id: str) -> Sign:
    """A game as one of its players sees it."""
    link = game_link(game_id) if game_id else ""
    facts = {"name": name}
    if game.points is None:
        return Sign("·", _("playing %(name)s") % facts, link, _("in progress"))
    if game.how is ResultKind.ANNULLED:
        return Sign("×", _("annulled against %(name)s") % facts, link, _("annulled"))
    mine, theirs = game.points_of(key), sum(game.points) - game.points_of(key)
    if game.how is ResultKind.FORFEIT:
        score = f"{'+' if mine else '−'} : {'+' if theirs else '−'}"
        return replace(_forfeited(mine, facts, link), score=score)
    if mine == WIN:
        label = _("won against %(name)s")
    else:
        label = _("drew with %(name)s") if mine == DRAW else _("lost to %(name)s")
    return Sign(_WORTH[mine], label % facts, link, f"{_WORTH[mine]} : {_WORTH[theirs]}")


def _forfeited(worth: int, facts: dict[str, str], link: str) -> Sign:
    if worth:
        return Sign("+", _("won by forfeit against %(name)s") % facts, link)
    return Sign("−", _("lost by forfeit to %(name)s") % facts, link)


def _bye_sign(pairing: Pairing) -> Sign:
    label = {
        Bye.ODD: Sign("1", _("a bye"), ""),
        Bye.ASKED: Sign("½", _("a bye on request"), ""),
        Bye.ABSENT: Sign("–", _("no opponent"), ""),
    }
    return label[pairing.bye or Bye.ABSENT]
