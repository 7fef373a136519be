"""What a request about a large tournament costs: its tables are kept, and its lists are shown in parts."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from crownhead.contest import Contest, Game, Pairing, Player, Round
from crownhead.contest.tally import Tally, tallies
from crownhead.contest.tie_breaks import TIE_BREAKS, TieBreakContext
from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.models import Entrant, Invitation, Tournament
from crownhead.server.competitions.presenters import directing, rounds, tables
from crownhead.server.competitions.selectors import standings
from crownhead.server.competitions.selectors.standings import standing_of
from crownhead.server.competitions.services import manual_pairing
from crownhead.server.competitions.views import tournaments as views
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict, TooMany, Unprocessable
from tests.server.competitions.factories import (
    client_of,
    end,
    fresh,
    make_running_tournament,
    make_tournament,
    open_rows,
    state,
)
from tests.server.competitions.test_formats import terms
from tests.server.conftest import make_user
from tests.server.play.factories import NOW, api_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    """Begin without the tables of the tests before."""
    standings.kept.clear()
    yield
    standings.kept.clear()


def shown(client: Client, tournament: Tournament, rest: str = "") -> str:
    answer = client.get(f"/tournaments/{tournament.public_id}/{rest}")
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def players_in(text: str) -> list[str]:
    return re.findall(r'<th scope="row"[^>]*>\s*<a href="/players/(player-\d+)/"', text)


def older(text: str) -> str:
    """The query of the page that follows; empty on the last."""
    found = re.search(r'href="(\?[^"]+)">Older', text)
    return found[1] if found else ""


def pages(client: Client, tournament: Tournament, rest: str = "") -> list[str]:
    texts = [shown(client, tournament, rest)]
    while query := older(texts[-1]):
        texts.append(shown(client, tournament, rest + query))
    return texts


def not_to_be_read(*_args: Any, **_kwargs: Any) -> Any:
    raise AssertionError("the whole contest was read")


def test_pausing_leaves_the_tables_as_they_are(alice: User) -> None:
    arena, (one, *_others) = make_running_tournament(alice, 4, **terms("arena"))
    kept = standing_of(arena)
    for here in (False, False, True):
        services.be_here(user=one, tournament_id=arena.public_id, here=here, now=NOW)
        assert Entrant.objects.get(user=one).here is here
        assert standing_of(fresh(arena)) is kept


def test_pausing_is_limited_and_saying_it_again_costs_nothing(alice: User, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"pauses": "1/h"}
    arena, (one, *_others) = make_running_tournament(alice, 4, **terms("arena"))
    for _ in range(3):
        services.be_here(user=one, tournament_id=arena.public_id, here=False, now=NOW)
    with pytest.raises(TooMany):
        services.be_here(user=one, tournament_id=arena.public_id, here=True, now=NOW)
    assert not Entrant.objects.get(user=one).here


def test_entering_is_limited_and_entering_twice_costs_nothing(
    alice: User, bob: User, settings: Settings
) -> None:
    settings.LIMITS = settings.LIMITS | {"entries": "2/h"}
    cup = make_tournament(alice)
    for _ in range(2):
        services.enter(user=bob, tournament_id=cup.public_id, now=NOW)
        services.enter(user=bob, tournament_id=cup.public_id, now=NOW)
        services.withdraw(user=bob, tournament_id=cup.public_id, now=NOW)
    with pytest.raises(TooMany):
        services.enter(user=bob, tournament_id=cup.public_id, now=NOW)
    assert fresh(cup).size == 0


def test_the_tables_are_read_once_for_each_version_and_only_the_newest_is_kept(alice: User) -> None:
    cup, _users = make_running_tournament(alice, 4)
    first = standing_of(fresh(cup))
    assert standing_of(fresh(cup)) is first
    for row in open_rows(cup):
        end(row.game_id or "", winner=None, by=alice)
        assert standing_of(fresh(cup)) is not first
    assert len(standings.kept) == 1


def test_a_process_keeps_but_a_few_tables(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    cup, _users = make_running_tournament(alice, 4)
    others = [make_tournament(alice, name=f"Cup {number}") for number in range(3)]
    monkeypatch.setattr(standings, "MAX_KEPT", 2)
    for tournament in (cup, *others):
        standing_of(tournament)
    assert list(standings.kept) == [tournament.public_id for tournament in others[1:]]
    monkeypatch.setattr(standings, "MAX_PAIRINGS", 1)
    standing_of(cup)
    assert list(standings.kept) == [cup.public_id]


def test_the_tables_of_a_large_tournament_are_not_read_after_every_game(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standings, "SMALL", 1)
    monkeypatch.setattr(standings, "REST", timedelta(seconds=10))
    cup, _users = make_running_tournament(alice, 4)
    before = standing_of(cup)
    end(open_rows(cup)[0].game_id or "", winner=None, by=alice)
    assert standing_of(fresh(cup)) is before
    with clock.stopped(NOW + timedelta(seconds=20)):
        assert standing_of(fresh(cup)) is not before


def test_nobody_is_read_before_the_first_round(alice: User) -> None:
    cup = make_tournament(alice)
    with CaptureQueriesContext(connection) as asked:
        assert standing_of(cup).tables == ()
    assert not asked.captured_queries


def test_a_table_looks_up_the_pairings_of_all_its_players_at_once(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup, _users = make_running_tournament(alice, 6)
    standing, asked = standing_of(cup), Counter[str]()
    found = Contest.pairings

    def counted(contest: Contest) -> Iterator[tuple[int, Pairing]]:
        asked["pairings"] += 1
        return found(contest)

    monkeypatch.setattr(Contest, "pairings", counted)
    for _ in range(2):
        (table,) = tables.present_tables(standing, None, over=False).tables
        assert table.crossed
    assert asked == {"pairings": 1}


class CountedTallies(dict[str, Tally]):
    """Tallies that count how often one of them is looked at."""

    looked = 0

    def __getitem__(self, key: str) -> Tally:
        """Count, and return the tally."""
        self.looked += 1
        return super().__getitem__(key)


@pytest.mark.parametrize("key", ["direct", "koya"])
def test_each_player_of_a_tied_group_is_looked_at_a_few_times_only(key: str) -> None:
    names = [str(number) for number in range(20)]
    pairs = [(one, other) for one in names for other in names if one < other]
    games = [Pairing(at, *pair, games=(Game(*pair, points=(1, 1)),)) for at, pair in enumerate(pairs, 1)]
    contest = Contest("swiss", tuple(map(Player, names)), (Round(1, tuple(games)),))
    counted = CountedTallies(tallies(contest))
    context = TieBreakContext.of(counted).among(names)
    assert {TIE_BREAKS[key].value(name, context) for name in names} == {19}
    assert counted.looked <= 2 * len(names)


def test_pairing_by_hand_is_refused_before_the_contest_is_read(
    alice: User, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    cup, _users = make_running_tournament(alice, 4)
    held, _others = make_held(alice)
    what: dict[str, Any] = {"user": alice, "reason": "So it is.", "now": NOW}
    nobody = [("nobody", "neither")]
    settings.LIMITS = settings.LIMITS | {"directing": "3/h"}  # two were the starts
    monkeypatch.setattr(manual_pairing, "lock_tournament", not_to_be_read)
    with pytest.raises(Unprocessable):
        services.pair_by_hand(tournament_id=held.public_id, pairs=nobody, **what)
    monkeypatch.setattr(manual_pairing, "_entrants", not_to_be_read)
    with pytest.raises(Conflict):
        services.pair_by_hand(tournament_id=cup.public_id, pairs=nobody, **what)
    with pytest.raises(TooMany):
        services.pair_by_hand(tournament_id=held.public_id, pairs=nobody, **what)


def make_held(host: User) -> tuple[Tournament, list[User]]:
    """A tournament whose first round waits for its director."""
    cup = make_tournament(host, name="Held cup", held_rounds=True)
    users = [make_user(f"held-{number}") for number in range(4)]
    for user in users:
        services.enter(user=user, tournament_id=cup.public_id, now=NOW)
    services.start(user=host, tournament_id=cup.public_id, now=NOW)
    jobs.advance_due(NOW)
    return fresh(cup), users


def test_a_long_table_has_pages_and_leads_a_player_to_their_own(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "PER_PAGE", 2)
    monkeypatch.setattr(tables, "MAX_CROSSED", 1)
    cup, users = make_running_tournament(alice, 5)
    texts = pages(Client(), cup)
    names = [players_in(text) for text in texts]
    assert [len(there) for there in names] == [2, 2, 1]
    assert {name for there in names for name in there} == {user.username for user in users}
    assert "You are in place" not in "".join(texts)
    last = User.objects.get(username=names[2][0])
    found = re.search(r'href="(\?page=\d)">You are in place', shown(client_of(last), cup))
    assert found is not None
    own = shown(client_of(last), cup, found[1])
    assert "data-mine" in own
    assert "You are in place" not in own
    for strange in ("?page=0", "?page=x", "?page=²", "?page=99999999"):
        assert shown(Client(), cup, strange)


def test_a_small_table_is_never_parted(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "PER_PAGE", 2)
    cup, _users = make_running_tournament(alice, 5)
    assert [len(players_in(text)) for text in pages(Client(), cup)] == [5]


def test_a_long_round_has_pages_and_leads_a_player_to_their_own(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup, _users = make_running_tournament(alice, 6)
    monkeypatch.setattr(views, "PAIRINGS_PER_PAGE", 1)
    monkeypatch.setattr(standings, "computed", not_to_be_read)
    texts = pages(Client(), cup, "rounds/1/")
    firsts = [players_in(text) for text in texts]
    assert [len(there) for there in firsts] == [1, 1, 1]
    for at, (name,) in enumerate(firsts):
        client = client_of(User.objects.get(username=name))
        found = re.search(r'href="(\?[^"]+)">My pairing', shown(client, cup, "rounds/1/"))
        assert (found is None) == (at == 0)
        assert "data-mine" in shown(client, cup, "rounds/1/" + (found[1] if found else ""))


def test_a_round_is_read_by_itself_and_in_parts(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    cup, _users = make_running_tournament(alice, 6)
    monkeypatch.setattr(standings, "computed", not_to_be_read)
    path, found = f"/tournaments/{cup.public_id}/rounds/1", []
    cursor: str | None = ""
    while cursor is not None:
        body = api_of(alice).get(path, limit=2, **({"cursor": cursor} if cursor else {})).json()
        found += [(pairing["table"], len(pairing["games"])) for pairing in body["pairings"]]
        cursor = body["next"]
    assert found == [(1, 1), (2, 1), (3, 1)]


def test_a_round_of_more_pairings_asks_no_more_queries(alice: User) -> None:
    counts = []
    for number, entered in enumerate((2, 12)):
        cup = make_tournament(alice, name=f"Cup {number}", max_players=12, min_players=2)
        for place in range(entered):
            services.enter(user=make_user(f"n{number}-{place}"), tournament_id=cup.public_id, now=NOW)
        services.start(user=alice, tournament_id=cup.public_id, now=NOW)
        jobs.advance_due(NOW)
        with CaptureQueriesContext(connection) as asked:
            shown(Client(), cup, "rounds/1/?x=1")
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_the_api_gives_tables_in_parts(alice: User) -> None:
    cup, users = make_running_tournament(alice, 7, format="sections", options={"section_size": 3})
    path = f"/tournaments/{cup.public_id}/tables"
    whole = api_of(alice).get(path).json()
    rows = [row for table in whole for row in table["rows"]]
    assert len(rows) == 2 * len(users)
    assert len(whole) == 4
    parts: list[Any] = []
    while part := api_of(alice).get(path, offset=len(parts), limit=3).json():
        there = [row for table in part for row in table["rows"]]
        assert len(there) <= 3
        parts += there
    assert parts == rows
    assert api_of(alice).get(path, limit=101).status_code == 422


def test_a_bracket_begins_with_the_first_round_that_is_small_enough(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "MAX_DRAWN", 1)
    cup, _users = make_running_tournament(alice, 4, format="single-elimination")
    assert 'class="rounds"' not in shown(Client(), cup)
    for row in open_rows(cup):
        end(row.game_id or "", winner=None, by=alice)
    monkeypatch.setattr(rounds, "MAX_DRAWN", 2)
    text = shown(Client(), cup)
    assert 'class="rounds"' in text
    assert "too many games for this picture" not in text


def test_own_tournaments_and_invitations_beyond_some_are_lists_of_their_own(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "PER_PAGE", 2)
    for number in range(3):
        cup = make_tournament(alice, name=f"Open {number}")
        services.enter(user=bob, tournament_id=cup.public_id, now=NOW)
        asked = make_tournament(alice, name=f"Asked {number}")
        services.invite(user=alice, usernames=["bob"], tournament_id=asked.public_id, now=NOW)
    client = client_of(bob)
    top = client.get("/tournaments/").content.decode()
    assert "All my tournaments" in top
    assert "All invitations" in top
    for show, kind in (("mine", "Open"), ("invitations", "Asked")):
        found, query = [], f"?show={show}"
        while query:
            text = html.unescape(client.get(f"/tournaments/{query}").content.decode())
            found += re.findall(rf"\b{kind} \d\b", text)
            query = older(text)
        assert found == [f"{kind} {number}" for number in (2, 1, 0)]
    assert "Open 2" in Client().get("/tournaments/?show=mine").content.decode()


def test_the_page_of_directors_shows_the_invited_in_parts_and_reads_no_contest(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup, users = make_running_tournament(alice, 4, format="swiss")
    monkeypatch.setattr(directing, "INVITED_PER_PAGE", 1)
    monkeypatch.setattr(standings, "computed", not_to_be_read)
    invited = [make_user(f"invited-{number}") for number in range(3)]
    for user in invited:
        Invitation.objects.create(tournament=cup, user=user, by=alice, made_at=NOW)
    texts = pages(client_of(alice), cup, "direct/")
    assert [re.findall(r'name="username" value="([^"]+)"', text) for text in texts] == [
        [user.username] for user in invited
    ]
    assert all(f'<option value="{row.game_id}">' in texts[0] for row in open_rows(cup))
    assert f"<option>{users[0].username}</option>" in texts[0]
    monkeypatch.setattr(directing, "MAX_CHOICES", 3)
    text = shown(client_of(alice), cup, "direct/")
    assert '<input name="loser" maxlength' in text
    assert '<input name="result" maxlength' in text
    assert "<option>player-" not in text


def test_the_api_gives_invitations_in_parts(alice: User) -> None:
    cup = make_tournament(alice)
    users = [make_user(f"invited-{number}") for number in range(3)]
    for user in users:
        Invitation.objects.create(tournament=cup, user=user, by=alice, made_at=NOW)
    services.decline(user=users[0], tournament_id=cup.public_id, now=NOW)
    path = f"/tournaments/{cup.public_id}/invitations"
    answers = [api_of(alice).get(path, offset=offset, limit=1).json() for offset in range(4)]
    assert [[row["username"] for row in answer] for answer in answers] == [
        ["invited-1"],
        ["invited-2"],
        ["invited-0"],
        [],
    ]


def test_the_contest_that_is_read_in_bulk_is_the_same_as_before(alice: User) -> None:
    cup, _users = make_running_tournament(alice, 5)
    end(open_rows(cup)[0].game_id or "", winner=None, by=alice)
    read = state(cup)
    assert [len(made.pairings) for made in read.rounds] == [3]
    assert sum(game.points == (1, 1) for _, pairing in read.pairings() for game in pairing.games) == 1
    assert standing_of(fresh(cup)).contest == read
