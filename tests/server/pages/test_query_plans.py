"""No list and no repeated job looks through all games or members: SQLite tells how it finds each row.

What a page asks is explained as it is asked. Rows of one player, contest or team may be sorted and counted,
for they are few; those of the whole club are read along an index, in its order, until the page is full.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.accounts.preferences.services import set_profile
from crownhead.server.analysis.studies.services import AnalysisRequest, create_study
from crownhead.server.core import clock, pagination
from crownhead.server.core.jobs import Job
from crownhead.server.ops.processes.sweeper import all_jobs
from crownhead.server.play.admin import GameAdmin, VacationAdmin
from crownhead.server.play.chat.services import send_message
from crownhead.server.play.draws.services import offer_draw, resign
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.games.selectors import rated_limits
from crownhead.server.play.games.services import auto_match
from crownhead.server.play.invitations.services import invite
from crownhead.server.play.models import Game, Seat
from crownhead.server.social.admin import ReportAdmin
from crownhead.server.social.services.moderation import decide
from crownhead.server.social.services.reports import letter
from tests.server.conftest import make_user
from tests.server.play.factories import make_game, make_offer, play_moves
from tests.server.ratings.factories import OPENING
from tests.server.ratings.test_leaderboards import rated

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL plans by the size of a table"),
]

# As many rows as there are members, games, or things that happen.
BIG = {
    *("accounts_user", "accounts_buddy", "accounts_ignored", "accounts_preferences", "lobby_visit"),
    *("play_game", "play_invitation", "play_chatline", "play_note", "play_plan", "play_match"),
    *("play_vacation", "play_appeal", "ratings_change", "ratings_playerrating"),
    *("notices_notice", "notices_delivery", "notices_device", "live_outbox"),
    *("django_session", "usersessions_usersession", "accounts_apitoken", "accounts_budget"),
    *("social_message", "social_conversation", "social_side", "social_report"),
    *("competitions_tournament", "competitions_entrant", "competitions_trophy", "teams_member", "teams_post"),
    *("ladders_member", "ladders_challenge", "analysis_study", "analysis_review"),
}
# What belongs to somebody or to something: an index that begins with it finds few rows.
OWNERS = {
    *(
        "rowid",
        "id",
        "public_id",
        "username",
        "folded",
        "likeness",
        "email",
        "session_key",
        "token",
        "digest",
    ),
    *("user_id", "creator_id", "invited_id", "first_player_id", "second_player_id", "ignored_id", "buddy_id"),
    *("game_id", "match_id", "contest_event", "about", "claim", "notice_id", "opponent_id", "host_id"),
    *("tournament_id", "team_id", "ladder_id", "conversation_id", "captain_id", "home_id", "away_id"),
    *("challenger_id", "challenged_id", "reporter_id", "again_of", "topic", "archive_id", "by_id", "caller"),
}
_SCAN = re.compile(r"SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?")
_SEARCH = re.compile(r"SEARCH (\w+) USING .*?\((\w+)")
_LATEST = re.compile(r'ORDER BY (1|"?\w+"?\."id") DESC LIMIT 1\b')  # from the end of the table
_ALIAS = re.compile(r'"(\w+)" ([TUV]\d+)\b')
_BY_BOTH = re.compile(r"first_player_id=\? AND second_player_id=\?")
_OF_TWO = re.compile(r'"first_player_id" (=|IN) [^"]* AND "play_game"."second_player_id" (=|IN) ')


@dataclass
class Plans:
    """What was asked of the database, and how it found the rows; a wrapper as Django wants it."""

    walked: frozenset[str | None]  # indexes that may be read from one end
    complaints: list[str] = field(default_factory=list)

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(("SELECT", "UPDATE", "DELETE")) and not many:
            lines = _explained(sql, params)
            self.complaints += [f"{what}: {sql}\n{lines}" for what in self._wrong(sql, lines)]
        return execute(sql, params, many, context)

    def _wrong(self, sql: str, lines: list[str]) -> Iterator[str]:
        names = {alias: table for table, alias in _ALIAS.findall(sql)}
        owned = True
        for line in lines:
            if (scan := _SCAN.match(line)) and names.get(scan[1], scan[1]) in BIG:
                owned = False
                if scan[2] is None and _LATEST.search(sql):
                    continue
                if scan[2] not in self.walked or "LIMIT" not in sql:
                    yield "looks through a table"
            elif (search := _SEARCH.match(line)) and names.get(search[1], search[1]) in BIG:
                owned = owned and search[2] in OWNERS
                if f'"{search[1]}"."{search[2]}" IS NULL' in sql and "LEFT-JOIN" not in line:
                    yield "looks for the many rows that belong to nothing"
                of_two = search[1] == "play_game" and "LIMIT" not in sql and _OF_TWO.search(sql)
                if of_two and not _BY_BOTH.search(line):
                    yield "looks through the games of one of two players"
        if not owned and any("TEMP B-TREE" in line for line in lines) and not self._is_window(lines):
            yield "sorts rows of the whole club"
        if not owned and re.match(r'SELECT COUNT\([^)]*\) AS "__count" FROM "', sql):
            yield "counts rows of the whole club"

    def _is_window(self, lines: list[str]) -> bool:
        """Rows by their keys, of which an index yields the first so many."""
        return any("SUBQUERY" in line for line in lines) and any("rowid=?" in line for line in lines[:1])


def _explained(sql: str, params: Any) -> list[str]:
    plain = sql.replace("%s", "?").replace("%%", "%")
    return [row[-1] for row in connection.connection.execute(f"EXPLAIN QUERY PLAN {plain}", params or ())]


@contextmanager
def _explained_by(*walked: str | None) -> Iterator[list[str]]:
    plans = Plans(frozenset(walked))
    with connection.execute_wrapper(plans):
        yield plans.complaints
    assert not plans.complaints, "\n\n".join(plans.complaints)


@pytest.fixture
def game(alice: User, bob: User) -> str:
    """A club in which there is a little of everything; the id of a game in it."""
    play_moves(make_game(alice, bob), "11-15")
    resign(user=bob, game_id=make_game(alice, bob, rated=True).public_id, now=clock.now())
    make_offer(alice, min_rating=1000)
    make_offer(bob)
    return make_game(bob, alice).public_id


# The page, and the indexes along which it reads rows of the whole club.
PAGES: list[tuple[str, tuple[str, ...]]] = [
    ("/", ("game_offered", "game_to_watch")),
    ("/watch/", ("game_to_watch",)),
    ("/watch/?after=WyIyMDI2LTAzLTAxVDEyOjAwOjAwKzAwOjAwIiwgNV0", ("game_to_watch",)),
    ("/waiting-room/", ("game_offered",)),
    ("/waiting-room/?order=old", ("game_offered",)),
    ("/waiting-room/?order=variant", ("game_offered_in",)),
    ("/waiting-room/?order=quick", ("game_offered",)),
    ("/waiting-room/?order=strong", ("game_offered",)),
    ("/waiting-room/?pace=live&rated=yes", ("game_offered",)),
    ("/waiting-room/?variant=russian", ()),
    ("/games/{game}/", ()),
    ("/players/", ()),
    ("/players/?name=al", ()),
    ("/players/?country=NL", ()),
    ("/players/?country=NL&name=al", ()),
    ("/players/?variant=american&from=1500&to=2000&country=NL&name=al", ("rating_leaders",)),
    ("/players/?variant=american&name=al", ("rating_leaders",)),
    ("/players/?name=li+al", ()),
    ("/players/bob/", ()),
    ("/players/bob/games/", ()),
    ("/players/bob/games/?show=running", ()),
    ("/players/bob/games/?opponent=alice&variant=american", ()),
    ("/ratings/", ()),
    ("/ratings/american/", ()),
    ("/players/bob/ratings/american/", ()),
    ("/players/bob/ratings/american/?pace=live", ()),
    ("/tournaments/", ()),
    ("/tournaments/?variant=russian", ()),
    ("/teams/", ("team_by_size",)),
    ("/ladders/", ()),
    ("/news/", ()),
    ("/api/v1/games", ("game_to_watch", "game_hidden_on", "game_newest_over")),
    ("/api/v1/games?status=playing", ("game_to_watch", "game_hidden_on")),
    ("/api/v1/games?status=waiting", ()),
    ("/api/v1/games?status=finished", ("game_newest_over",)),
    ("/api/v1/games?result=drawn", ("game_newest_over",)),
    ("/api/v1/games?since=2026-01-01", ("game_newest_over",)),
    ("/api/v1/games?opponent=bob&variant=russian&result=drawn", ()),
    ("/api/v1/games?variant=russian", ()),
    ("/api/v1/games?opponent=bob", ()),
    ("/api/v1/games?result=annulled", ("game_annulled",)),
    ("/api/v1/games?result=annulled&variant=russian", ("game_annulled",)),
    ("/api/v1/games?event=abc", ()),
    ("/api/v1/games?event=abc&variant=russian", ()),
    ("/api/v1/games?until=2020-01-01", ()),
    ("/api/v1/waiting-room", ("game_offered",)),
    ("/api/v1/waiting-room?variant=russian&suits=true", ()),
    ("/api/v1/players?name=al", ()),
    ("/api/v1/players/bob", ()),
    ("/api/v1/players/bob/against/alice", ()),
    ("/api/v1/players/bob/ratings/american/paces", ()),
    ("/api/v1/players/bob/games", ()),
    ("/api/v1/here", ()),
]
MINE: list[tuple[str, tuple[str, ...]]] = [
    ("/", ()),
    ("/games/next/", ()),
    ("/games/finished/", ()),
    ("/games/finished/?result=won&opponent=bob", ()),
    ("/waiting-room/?suits=1", ("game_offered",)),
    ("/invitations/", ()),
    ("/notices/", ()),
    ("/badges/", ()),
    ("/messages/", ()),
    ("/buddies/", ()),
    ("/blocked/", ()),
    ("/ladders/challenges/", ()),
    ("/new/", ()),
    ("/my-data/", ()),
    ("/accounts/sessions/", ()),
    ("/api/v1/games?mine=1", ()),
    ("/api/v1/games?mine=1&turn=opponent", ()),
    ("/api/v1/invitations", ()),
    ("/api/v1/notices", ()),
]
# None: from the end of the table.
OFFICE: list[tuple[str, tuple[str | None, ...]]] = [
    ("/staff/play/game/", (None,)),
    ("/staff/play/game/?status__exact=playing", ("game_due", None)),
    ("/staff/play/game/?status__exact=waiting", ("game_expiring", None)),
    ("/staff/play/game/?status__exact=finished", (None,)),
    ("/staff/play/game/?status__exact=expired", ("game_unplayed", None)),
    ("/staff/play/game/?variant=american", (None,)),
    ("/staff/play/game/?termination=resignation", (None,)),
    ("/staff/play/game/?termination=resignation&variant=american", (None,)),
    ("/staff/play/game/?q=alice", ()),
    ("/staff/play/game/?q=alice&termination=resignation", ()),
    ("/staff/play/vacation/?automatic__exact=1", (None,)),
    ("/staff/play/vacation/?q=alice", ()),
    ("/staff/social/report/", ("reports_open_first",)),
    ("/staff/social/report/?state=open", ()),
    ("/staff/social/report/?state=decided", ("reports_decided_last",)),
]
# Every few minutes or hours the worker reads through an index or a table, and writes nothing meanwhile.
READ_THROUGH = {
    "distributions of ratings": ("rating_leaders",),
    "leaderboards": ("rating_leaving", "rating_leaders"),
    "messages that were deleted": ("conversations_to_clear", "accounts_by_closing"),
    "notes of closed accounts": ("accounts_by_closing",),
    "notices beyond the latest": ("sqlite_autoindex_notices_notice_2",),
    "old notices": ("accounts_by_closing",),
    # Of games in progress, as those of the others are deleted.
    "plans of games that are over": ("sqlite_autoindex_play_plan_1",),
    "problems of closed accounts": ("accounts_by_closing",),
    "sessions that ended": (None,),
    "teams that were disbanded": ("accounts_by_closing",),
    "tokens that expired": (None,),
    "tournaments of closed accounts": ("accounts_by_closing",),
    # Of the few deliveries that are in the hands of a worker.
    "notices by e-mail": ("delivery_claim",),
    "notices by push message": ("delivery_claim",),
}


@pytest.mark.parametrize(("path", "walked"), PAGES, ids=[path for path, _ in PAGES])
def test_a_guest_page_finds_its_rows_by_an_index(path: str, walked: tuple[str, ...], game: str) -> None:
    _visit(Client(), path.format(game=game), walked)


@pytest.mark.parametrize(
    ("path", "walked"), [*PAGES[1:], *MINE], ids=[path for path, _ in [*PAGES[1:], *MINE]]
)
def test_a_member_page_finds_its_rows_by_an_index(
    path: str, walked: tuple[str, ...], game: str, alice: User
) -> None:
    client = Client()
    client.force_login(alice)
    _visit(client, path.format(game=game), walked)


@pytest.mark.parametrize(("path", "walked"), OFFICE, ids=[path for path, _ in OFFICE])
def test_a_page_of_the_back_office_finds_its_rows_by_an_index(
    path: str, walked: tuple[str | None, ...], alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for page in (ReportAdmin, GameAdmin, VacationAdmin):
        monkeypatch.setattr(page, "list_per_page", 1)
    for _ in range(2):
        make_game(alice, bob)
        make_offer(alice)
        resign(user=bob, game_id=make_game(alice, bob).public_id, now=clock.now())
    host = make_user("hostess", is_staff=True, is_superuser=True)
    for _ in range(4):
        waits = [letter(user=alice, address="", reason="Hello", now=clock.now()) for _ in range(2)]
        decide(staff=host, report_id=waits[0].public_id, decision="answered", note="", now=clock.now())
    client = Client()
    client.force_login(host)
    _visit(client, path, walked)


@pytest.mark.parametrize("query", ["country=NL", "variant=american", "variant=american&country=NL&from=1500"])
def test_players_of_a_name_are_found_by_an_index_where_a_filter_has_many_more(
    query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pagination, "LOOKED_AT", 1)
    for player in rated([1900, 1800, 1700, 1600]):
        set_profile(user=player, country="NL", now=clock.now())
    User.objects.update(last_seen_at=clock.now())
    for name in ("p3", "3"):
        cache.clear()
        with _explained_by("rating_leaders"):
            assert 'href="/players/p3/"' in Client().get(f"/players/?name={name}&{query}").content.decode()


def _visit(client: Client, path: str, walked: Sequence[str | None]) -> None:
    cache.clear()
    with _explained_by(*walked):
        assert client.get(path).status_code in {200, 302}


@pytest.mark.parametrize("job", all_jobs(), ids=[job.name for job in all_jobs()])
@pytest.mark.usefixtures("game")
def test_a_repeated_job_finds_its_rows_by_an_index(job: Job) -> None:
    with _explained_by() as complaints:
        job.run(clock.now())
        complaints[:] = [
            text
            for text in complaints
            if not any(_reads_through(text, index) for index in READ_THROUGH.get(job.name, ()))
        ]


def _reads_through(complaint: str, index: str | None) -> bool:
    return complaint.split(": ", 1)[1].startswith("SELECT") and (index is None or index in complaint)


ACTIONS: dict[str, Callable[[Game, User, User], object]] = {
    "move": lambda game, _first, _second: play_moves(game, "11-15"),
    "resign": lambda game, first, _second: resign(user=first, game_id=game.public_id, now=clock.now()),
    "offer a draw": lambda game, first, _second: offer_draw(
        user=first, game_id=game.public_id, now=clock.now()
    ),
    "say something": lambda game, first, _second: send_message(
        user=first, game_id=game.public_id, text="Good luck!", now=clock.now()
    ),
    "offer and join": lambda _game, first, second: make_game(first, second, rated=True),
    "find a game": lambda _game, first, _second: auto_match(
        user=first, options=GameOptions(variant="american", colour="random", days_per_move=3), now=clock.now()
    ),
    "invite": lambda _game, first, _second: invite(
        creator=first,
        opponent="bob",
        options=GameOptions(variant="american", colour="random", days_per_move=3),
        message="",
        site="http://club.example",
        now=clock.now(),
    ),
    "sign in": lambda _game, first, _second: Client().force_login(first),
    "ask the engine": lambda _game, first, _second: create_study(
        user=first, caller="user:1", query=AnalysisRequest(variant="russian"), now=clock.now()
    ),
}


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.usefixtures("game")
def test_an_action_finds_its_rows_by_an_index(action: str, alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    with _explained_by("game_offered_in", "game_offered_on_terms"):
        ACTIONS[action](game, alice, bob)


RATED_GAMES: dict[str, Callable[[Game, User, User], object]] = {
    "left": lambda _game, one, other: rated_limits.rated_games_left(one, other, clock.now()),
    "never": lambda _game, one, other: rated_limits.never_rated_with(
        one, [other.pk, one.pk + 99], clock.now()
    ),
    "why not": lambda game, _one, _other: rated_limits.why_unrated(
        game, winner=Seat.FIRST, termination="resignation", at=clock.now()
    ),
    "may be rated": lambda _game, one, other: rated_limits.may_be_rated(one, other, clock.now()),
}


@pytest.mark.parametrize("question", RATED_GAMES)
def test_rated_games_of_two_players_are_found_by_both_and_the_day(
    question: str, alice: User, bob: User
) -> None:
    game = make_game(alice, bob, rated=True, now=clock.now())
    game = play_moves(game, *OPENING, now=clock.now())
    game.contest_kind = "other"
    with _explained_by():
        RATED_GAMES[question](game, alice, bob)


def test_a_look_through_all_games_is_noticed(game: str) -> None:
    for rows in (
        Game.objects.filter(start_fen=game),
        Game.objects.filter(status="playing").order_by("moves"),
    ):
        with pytest.raises(AssertionError, match=r"looks through|sorts"), _explained_by():
            list(rows)
    with pytest.raises(AssertionError, match="counts rows"), _explained_by():
        Game.objects.filter(created_at__lt=clock.now()).count()
