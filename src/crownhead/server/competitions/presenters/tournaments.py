"""Tournaments for lists and pages: their terms in words, and what the viewer may do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crownhead import VARIANTS
from crownhead.contest.options import Choices, Option
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.validators import display_name
from crownhead.server.competitions import selectors
from crownhead.server.competitions.access import (
    begins_at_once,
    format_of_tournament,
    is_full,
    waits_for_players,
)
from crownhead.server.competitions.choices import Entry, Start, Status, Withdrawal
from crownhead.server.competitions.models import Entrant, Round, Tournament
from crownhead.server.competitions.presenters.options import option_word
from crownhead.server.competitions.selectors.entries import most_byes, offer, refusal, takes_new_players
from crownhead.server.competitions.selectors.starts import cancel_reason
from crownhead.server.core.markup.stored import stored_html
from crownhead.server.core.moments import moment_text
from crownhead.server.play import selectors as play
from crownhead.server.play.clocks.presenters import duration
from crownhead.server.play.presenters.variant_texts import variant_name
from crownhead.server.play.selectors import Viewer
from crownhead.server.teams import selectors as teams
from crownhead.server.teams.selectors.terms import is_live, options_of, pace_of

MAX_TROPHIES = 50  # on a page: all who share a place have its trophy
_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class TournamentLine:
    """A tournament in a list."""

    id: str
    name: str
    variant: str
    format: str
    pace: str
    status: str
    players: str
    when: str
    winners: str


@dataclass(frozen=True, slots=True)
class Rights:
    """What the viewer may do; ``offer``: what they accept by entering, ``why_not``: why they cannot enter."""

    enter: bool = False
    offer: str = ""
    why_not: str = ""
    withdraw: bool = False
    pause: bool = False
    come_back: bool = False
    byes: tuple[int, ...] = ()
    decline: bool = False
    invited_by: str = ""
    replaces: str = ""
    asked_to_direct: bool = False
    direct: bool = False


@dataclass(frozen=True, slots=True)
class TrophyLine:
    """A trophy of this tournament and its winner."""

    place: int
    name: str
    winner: str


@dataclass(frozen=True, slots=True)
class TournamentPage:
    """What every page of a tournament needs: head, details and the viewer's rights."""

    tournament: Tournament
    about: SafeString
    variant: str
    format: str
    summary: str
    pace: str
    status: str
    sentence: str
    start_rule: str
    cancel_reason: str
    begins: datetime | None
    starts_in: SafeString
    ends_in: SafeString
    on_hold: bool
    trophies: list[TrophyLine]
    more_trophies: int
    terms: list[tuple[str, str]]
    details: list[tuple[str, str]]
    rights: Rights
    place: Entrant | None
    next_game: str
    waiting_games: int


def lines(rows: list[Tournament]) -> list[TournamentLine]:
    """Tournaments for a list."""
    winners = selectors.winners_of(rows)
    return [_line(row, winners.get(row.pk, selectors.Winners())) for row in rows]


def tournament_page(tournament: Tournament, viewer: Viewer, now: datetime) -> TournamentPage:
    """A tournament as this viewer sees it."""
    latest = selectors.rounds(tournament).first() if tournament.status == Status.RUNNING else None
    options = options_of(tournament.variant, tournament.terms)
    made = format_of_tournament(tournament)
    place = selectors.entrant(tournament, viewer)
    user = viewer if isinstance(viewer, User) else None
    mine = selectors.open_games(tournament, user) if user and place else []
    is_open = tournament.status == Status.RUNNING and not tournament.closed
    trophies = _trophies(tournament)
    return TournamentPage(
        tournament=tournament,
        about=stored_html(tournament),
        variant=variant_name(VARIANTS[tournament.variant]),
        format=_(made.name),
        summary=_(made.summary),
        pace=pace_of(options),
        status=str(Status(tournament.status).label),
        sentence=_sentence(tournament),
        start_rule=_start_rule(tournament),
        cancel_reason=cancel_reason(tournament),
        begins=latest.starts_at if latest and latest.starts_at and latest.starts_at > now else None,
        starts_in=_countdown(_next_start(tournament, latest), now),
        ends_in=_countdown(tournament.ends_at if is_open else None, now),
        on_hold=latest is not None and latest.starts_at is None,
        trophies=trophies,
        more_trophies=selectors.trophies_in(tournament).count() - MAX_TROPHIES
        if len(trophies) == MAX_TROPHIES
        else 0,
        terms=_terms(tournament, rated=options.rated),
        details=_details(tournament),
        rights=_rights(tournament, user, place, now),
        place=place,
        next_game=_next_game(tournament, user, mine) if user else "",
        waiting_games=len(mine),
    )


def _next_start(row: Tournament, latest: Round | None) -> datetime | None:
    """When the tournament starts, at the latest; once it runs, its latest round."""
    if row.status == Status.ENTRY:
        return row.starts_at if row.start != Start.HAND else None
    return latest.starts_at if latest else None


def _countdown(until: datetime | None, now: datetime) -> SafeString:
    """The time until a moment, which runs in the page (``clock.js``); nothing once it has passed."""
    if until is None or until <= now:
        return SafeString("")
    rest = until - now
    return format_html('<span data-left="{}">{}</span>', rest // _MILLISECOND, duration(rest))


def _line(row: Tournament, winners: selectors.Winners) -> TournamentLine:
    options = options_of(row.variant, row.terms)
    return TournamentLine(
        id=row.public_id,
        name=row.name,
        variant=variant_name(VARIANTS[row.variant]),
        format=_(format_of_tournament(row).name),
        pace=pace_of(options),
        status=str(Status(row.status).label),
        players=_players(row),
        when=_when(row),
        winners=_named(winners.names, winners.count),
    )


def _named(names: Iterable[str], count: int) -> str:
    """Some names, and how many others there are."""
    there = list(names)
    others = count - len(there)
    if others <= 0:
        return ", ".join(there)
    text = ngettext("%(names)s and %(count)s other", "%(names)s and %(count)s others", others)
    return text % {"names": ", ".join(there), "count": others}


def _players(row: Tournament) -> str:
    if row.status == Status.ENTRY:
        facts = {"size": row.size, "most": row.max_players}
        return _("%(size)s of %(most)s players") % facts
    return ngettext("%(count)s player", "%(count)s players", row.size) % {"count": row.size}


def _when(row: Tournament) -> str:
    """When it starts or ended, or which round is played."""
    if row.status == Status.ENTRY:
        return _("starts %(when)s") % {"when": _starts(row)}
    if row.status == Status.RUNNING:
        return _round(row)
    return date_format(row.ended_at, "SHORT_DATE_FORMAT") if row.ended_at else ""


def _starts(row: Tournament) -> str:
    moment = moment_text(row.starts_at) if row.starts_at else ""
    if moment and waits_for_players(row) and is_full(row):
        return _("once all players are here, or on %(moment)s") % {"moment": moment}
    if row.start == Start.DATE:
        return _("on %(moment)s") % {"moment": moment}
    if row.start == Start.FULL and moment:
        return _("when full, or on %(moment)s") % {"moment": moment}
    return _("when full") if row.start == Start.FULL else _("when a director decides")


def _round(row: Tournament) -> str:
    if row.ends_at is not None and row.closed:
        return _("the last games")
    if row.ends_at is not None:
        return _("until %(moment)s") % {"moment": moment_text(row.ends_at)}
    if not row.rounds_made:
        return _("before the first round")
    facts = {"number": row.rounds_made, "count": row.rounds_planned}
    if row.rounds_planned is None or row.rounds_planned < row.rounds_made:
        return _("round %(number)s") % facts
    return _("round %(number)s of %(count)s") % facts


def _sentence(row: Tournament) -> str:
    """The status as a sentence."""
    if row.status == Status.ENTRY:
        text = _("Full: %(players)s; starts %(when)s.")
        if not is_full(row):
            text = _("Open for entry: %(players)s; starts %(when)s.")
        return text % {"players": _players(row), "when": _starts(row)}
    if row.status == Status.CANCELLED:
        return _("This tournament was cancelled.")
    if row.status == Status.FINISHED:
        winners = selectors.winners_of([row]).get(row.pk)
        if winners is None:
            return _("Finished without a winner.")
        return ngettext("%(names)s won.", "%(names)s shared first place.", winners.count) % {
            "names": _named(map(display_name, winners.names), winners.count)
        }
    text = _("In progress, %(round)s.") % {"round": _round(row)}
    return f"{text} {_('A director has to decide what happens next.')}" if _stuck(row) else text


def _start_rule(row: Tournament) -> str:
    """What happens once a live tournament is full, and before; nothing where its sentence says it."""
    is_open = row.status == Status.ENTRY and not is_full(row)
    if not is_open or row.start != Start.FULL or not begins_at_once(row):
        return ""
    sooner = _("A director can start it sooner while all players are here.")
    if row.held_rounds:  # no clock runs before its rounds are released
        return sooner if row.starts_at is not None else ""
    if row.starts_at is not None:
        text = _("When it is full, it starts as soon as all players are here, or on that date.")
    else:
        text = _(
            "When it is full, it starts at once if all players are here. "
            "Otherwise it starts a day later, or sooner once all are here; everyone is told."
        )
    return f"{text} {sooner}"


def _stuck(row: Tournament) -> bool:
    return bool(row.waiting_for) and row.minutes is None


def _field(least: int, most: int) -> str:
    return str(most) if least == most else _("%(least)s to %(most)s") % {"least": least, "most": most}


def _terms(row: Tournament, *, rated: bool) -> list[tuple[str, str]]:
    """The terms as pairs of a label and a value."""
    made = format_of_tournament(row)
    pairs = [
        (_("Games"), _("rated") if rated else _("not rated")),
        (_("Open to"), _open_to(row)),
        *_dates(row),
        (_("Players"), _field(row.min_players, row.max_players)),
    ]
    if made.late:
        pairs.append((_("Late entry"), _late(row, timed=made.timed)))
    pairs.append((_("Players who withdraw"), str(Withdrawal(row.withdrawal).label).lower()))
    pairs.append((_("Vacation and weekends"), _stops(row)))
    pairs += _live_terms(row)
    if row.prizes:
        pairs.append((_("Trophies"), ", ".join(row.prizes)))
    return pairs


def _dates(row: Tournament) -> list[tuple[str, str]]:
    """When it starts; once it has, when that was, and when it ended."""
    if row.status == Status.ENTRY:
        return [(_("Starts"), _starts(row))]
    dates = ((_("Started"), row.started_at), (_("Ended"), row.ended_at))
    return [(name, date_format(at, "SHORT_DATE_FORMAT")) for name, at in dates if at is not None]


def _details(row: Tournament) -> list[tuple[str, str]]:
    """The options chosen for the format."""
    made = format_of_tournament(row)
    options = Choices(made.options, row.options)
    return [(_(option.text), _written(option, options)) for option in made.plain_options]


def _open_to(row: Tournament) -> str:
    players = str(Entry(row.entry).label)
    if row.entry == Entry.TEAM:
        players = _("Members of %(team)s") % {"team": teams.access_team(row.team).name}
    facts = {"least": row.min_rating, "most": row.max_rating}
    if row.min_rating is not None and row.max_rating is not None:
        return _("%(who)s with a rating from %(least)s to %(most)s") % {"who": players, **facts}
    if row.min_rating is not None:
        return _("%(who)s with a rating from %(least)s") % {"who": players, **facts}
    if row.max_rating is not None:
        return _("%(who)s with a rating up to %(most)s") % {"who": players, **facts}
    return players


def _late(row: Tournament, *, timed: bool) -> str:
    if timed:
        return _("at any time")
    if not row.late_rounds:
        return _("none")
    return _("until round %(number)s is paired") % {"number": row.late_rounds}


def _stops(row: Tournament) -> str:
    if is_live(row.terms):
        return _("a live clock never stops")
    stops = [
        _("vacation stops the clock") if row.terms["vacation"] else _("vacation does not stop the clock")
    ]
    stops += [_("weekends off")] if row.terms["weekends_off"] else []
    return ", ".join(stops)


def _live_terms(row: Tournament) -> list[tuple[str, str]]:
    pairs = []
    if row.minutes is not None:
        minutes = ngettext("%(count)s minute", "%(count)s minutes", row.minutes) % {"count": row.minutes}
        pairs.append((_("Duration"), minutes))
    if row.no_show_minutes is not None:
        text = ngettext(
            "lose after %(count)s minute without a first move",
            "lose after %(count)s minutes without a first move",
            row.no_show_minutes,
        )
        pairs.append((_("No-shows"), text % {"count": row.no_show_minutes}))
    if row.appointment_days is not None:
        text = ngettext(
            "opponents agree on a time within %(count)s day; otherwise the game starts then,"
            " and a player who proposed no time loses to one who did",
            "opponents agree on a time within %(count)s days; otherwise the game starts then,"
            " and a player who proposed no time loses to one who did",
            row.appointment_days,
        )
        pairs.append((_("Appointments"), text % {"count": row.appointment_days}))
    elif row.pause_minutes:
        text = ngettext("%(count)s minute", "%(count)s minutes", row.pause_minutes)
        pairs.append((_("Break between rounds"), text % {"count": row.pause_minutes}))
    if row.held_rounds:
        pairs.append((_("Rounds"), _("start when a director releases them")))
    return pairs


def _written(option: Option, options: Choices) -> str:
    if isinstance(option.default, bool):
        return _("yes") if options.yes(option.key) else _("no")
    if isinstance(option.default, int):
        return str(options.number(option.key))
    return option_word(options.text(option.key))


def _rights(row: Tournament, user: User | None, place: Entrant | None, now: datetime) -> Rights:
    open_ = row.status in {Status.ENTRY, Status.RUNNING}
    if user is None:
        return Rights(enter=takes_new_players(row), offer=offer(row, None))
    directs = selectors.directs(user, row)
    if place is not None and place.left is None:
        pairs_on = open_ and format_of_tournament(row).timed and _pairs_on(row, now)
        return Rights(
            withdraw=open_,
            pause=pairs_on and row.status == Status.RUNNING and place.here,
            come_back=pairs_on and not place.here,
            byes=_byes(row) if open_ else (),
            asked_to_direct=open_ and selectors.is_asked_to_direct(row, user),
            direct=directs,
        )
    problem = refusal(row, user)
    invitation = selectors.open_invitation(row, user) if open_ else None
    by = (invitation.by or row.host) if invitation else None
    return Rights(
        enter=problem is None,
        offer=offer(row, invitation),
        why_not="" if problem is None or not open_ else problem.message,
        decline=invitation is not None,
        invited_by=by.username if by else "",
        replaces=invitation.place.user.username if invitation and invitation.place else "",
        asked_to_direct=open_ and selectors.is_asked_to_direct(row, user),
        direct=directs,
    )


def _pairs_on(row: Tournament, now: datetime) -> bool:
    """Whether an arena still pairs players, or will once it begins."""
    return not row.closed and (row.ends_at is None or row.ends_at > now)


def _byes(row: Tournament) -> tuple[int, ...]:
    """The coming rounds for which the viewer may ask for a bye."""
    if not most_byes(row):
        return ()
    last = row.rounds_planned or row.rounds_made + 3
    return tuple(range(row.rounds_made + 1, max(last, row.rounds_made) + 1))


def _trophies(row: Tournament) -> list[TrophyLine]:
    if row.status != Status.FINISHED:
        return []
    won = selectors.trophies_in(row)[:MAX_TROPHIES]
    return [TrophyLine(trophy.place, trophy.name, trophy.user.username) for trophy in won]


def _next_game(row: Tournament, user: User, mine: list[str]) -> str:
    """The id of a game in which it is the viewer's turn, else of any open game of theirs here."""
    waiting = play.my_games(user=user, turn=True).filter(contest_event=row.public_id).first()
    if waiting is not None:
        return waiting.public_id
    return mine[0] if mine else ""


def moment(at: datetime | None) -> str:
    """A time as the value of a form field."""
    return f"{at:%Y-%m-%dT%H:%M}" if at else ""
