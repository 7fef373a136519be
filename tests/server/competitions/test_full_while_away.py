"""Who enters a live tournament last does not choose the moment for players who are away."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import closing
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.models import Entrant, PairingGame, Tournament
from crownhead.server.competitions.services import starting
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict, Unprocessable
from crownhead.server.core.processes.queues import GENERAL
from crownhead.server.notices.models import Notice
from tests.server.competitions.factories import LIVE, MAIN, client_of, enter_players, fresh, make_tournament
from tests.server.competitions.test_attended import arrive
from tests.server.competitions.test_told_starts import edit
from tests.server.conftest import make_user
from tests.server.play.factories import NOW
from tests.server.tasks import run_tasks

pytestmark = pytest.mark.django_db

DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
DATED: dict[str, Any] = {"start": "date", "starts_at": NOW + 2 * DAY}


def make_full(host: User, **changes: Any) -> tuple[Tournament, list[User]]:
    """A tournament of four that begins when full; the last of its players has just entered, and is here."""
    wanted: dict[str, Any] = {"game": LIVE, "start": "full", "min_players": 4, "max_players": 4}
    tournament = make_tournament(host, **(wanted | changes))
    users = enter_players(tournament, 4)
    arrive(users[-1])
    work()
    return fresh(tournament), users


def work(now: datetime = NOW) -> None:
    """Let workers look at tournaments that are full, and advance those that are due."""
    with clock.stopped(now):
        jobs.begin_attended(now)
        jobs.advance_due(now)
        jobs.advance_due(now)


def told(user: User) -> list[tuple[str, str]]:
    """What the user was told about starts."""
    rows = Notice.objects.filter(user=user, subject__regex="is full|moved|not start").order_by("pk")
    return list(rows.values_list("subject", "text"))


def test_a_live_tournament_that_is_full_while_players_are_away_begins_a_day_later(alice: User) -> None:
    tournament, users = make_full(alice)
    assert (tournament.status, tournament.starts_at) == ("entry", NOW + DAY)
    for user in users:
        ((subject, text),) = told(user)
        assert subject == "The tournament Spring cup is full"
        assert text.startswith("It starts once all players are here, or on 2 March")
        assert "withdraw before it starts: you lose nothing" in text
    work(NOW + DAY - MINUTE)
    assert fresh(tournament).status == "entry"
    assert len(told(users[0])) == 1
    work(NOW + DAY)
    assert fresh(tournament).status == "running"
    assert PairingGame.objects.exclude(game_id=None).count() == 2


@pytest.mark.parametrize("changes", [{}, {"format": "arena", "minutes": 60}], ids=["cup", "arena"])
def test_friends_who_are_all_here_begin_at_once(alice: User, changes: dict[str, Any]) -> None:
    tournament = make_tournament(alice, game=LIVE, start="full", min_players=4, max_players=4, **changes)
    arrive(*enter_players(tournament, 4))
    work()
    assert fresh(tournament).status == "running"
    assert PairingGame.objects.exclude(game_id=None).count() == 2


def test_it_begins_before_its_date_once_all_players_are_here(alice: User) -> None:
    tournament, users = make_full(alice)
    later = NOW + timedelta(hours=3)
    arrive(*users[1:], at=later)
    work(later)
    assert fresh(tournament).status == "entry"
    arrive(users[0], at=later)
    work(later)
    assert fresh(tournament).status == "running"


def test_with_a_last_day_of_entry_it_begins_then_at_the_latest(alice: User) -> None:
    tournament, users = make_full(alice, starts_at=NOW + 3 * DAY)
    assert (tournament.status, tournament.starts_at) == ("entry", NOW + 3 * DAY)
    assert told(users[0]) == []
    work(NOW + 3 * DAY)
    assert fresh(tournament).status == "running"


@pytest.mark.parametrize(
    "changes",
    [{"game": MAIN}, {"appointment_days": 3}, {"held_rounds": True}],
    ids=["by days", "appointed", "released"],
)
def test_what_runs_no_clock_at_once_begins_when_full(alice: User, changes: dict[str, Any]) -> None:
    tournament, _users = make_full(alice, **changes)
    assert fresh(tournament).status == "running"


def test_a_place_that_is_free_again_leaves_the_others_their_date(alice: User, bob: User) -> None:
    tournament, users = make_full(alice)
    services.withdraw(user=users[0], tournament_id=tournament.public_id, now=NOW)
    arrive(*users[1:])
    work()
    assert (fresh(tournament).status, fresh(tournament).starts_at) == ("entry", NOW + DAY)
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    work(NOW + DAY)
    assert fresh(tournament).status == "running"


def test_with_too_few_at_the_date_of_the_club_it_waits_until_it_is_full_again(alice: User, bob: User) -> None:
    tournament, users = make_full(alice)
    services.withdraw(user=users[0], tournament_id=tournament.public_id, now=NOW)
    work(NOW + DAY)
    tournament = fresh(tournament)
    assert (tournament.status, tournament.starts_at, tournament.due_at) == ("entry", None, None)
    assert told(users[1])[-1] == (
        "The tournament Spring cup did not start",
        "Too few players were left. It waits until it is full again.",
    )
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW + DAY)
    work(NOW + DAY)
    assert fresh(tournament).starts_at == NOW + 2 * DAY
    work(NOW + 2 * DAY)
    assert fresh(tournament).status == "running"


def test_a_host_who_has_set_the_date_themselves_has_it_cancelled_with_too_few(alice: User) -> None:
    tournament, users = make_full(alice)
    edit(tournament, **DATED)
    services.withdraw(user=users[0], tournament_id=tournament.public_id, now=NOW)
    work(NOW + 2 * DAY)
    assert fresh(tournament).status == "cancelled"


def test_nobody_begins_it_before_the_date_that_players_were_told(alice: User) -> None:
    tournament, _users = make_full(alice)
    with pytest.raises(Conflict, match="can't begin before the date"):
        services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    with pytest.raises(Conflict, match="can't begin before the date"):
        edit(tournament, start="date", starts_at=NOW + DAY - MINUTE)
    edit(tournament, about="Everybody is welcome.")
    assert fresh(tournament).starts_at == NOW + DAY


@pytest.mark.parametrize("last_day", [None, NOW + 3 * DAY], ids=["a later date", "a last day"])
def test_nor_before_a_date_that_its_host_has_set(alice: User, last_day: datetime | None) -> None:
    tournament, _users = make_full(alice, starts_at=last_day)
    if last_day is None:
        edit(tournament, starts_at=NOW + DAY + 60 * MINUTE)
    tournament = fresh(tournament)
    with pytest.raises(Conflict, match="can't begin before the date"):
        services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    with pytest.raises(Conflict, match="can't begin before the date"):
        edit(tournament, starts_at=NOW + 21 * 60 * MINUTE)
    with pytest.raises(Unprocessable, match="at most 31 days"):
        edit(tournament, starts_at=NOW + 200 * DAY)
    assert fresh(tournament).status == "entry"


@pytest.mark.parametrize(
    "changes",
    [
        None,
        {"max_players": 3},
        {"starts_at": NOW + 5 * MINUTE},
        {"start": "date", "starts_at": NOW + 5 * MINUTE},
    ],
    ids=["by hand", "fewer places", "a time", "a date"],
)
def test_friends_play_without_the_one_who_cannot_come(alice: User, changes: dict[str, Any] | None) -> None:
    tournament, users = make_full(alice, min_players=3)
    services.withdraw(user=users[0], tournament_id=tournament.public_id, now=NOW)
    tournament = fresh(tournament)

    def begin() -> None:
        if changes is None:
            services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
        else:
            edit(tournament, **changes)

    path = f"/tournaments/{tournament.public_id}/direct/"
    arrive(*users[2:])
    with pytest.raises(Conflict, match="while all of them are here"):
        begin()
    assert 'value="start"' not in client_of(alice).get(path).content.decode()
    arrive(users[1])
    assert 'value="start"' in client_of(alice).get(path).content.decode()
    begin()
    work(NOW + 5 * MINUTE)
    assert fresh(tournament).status == "running"


@pytest.mark.parametrize(
    "changes",
    [
        {"starts_at": NOW + 9 * 60 * MINUTE},
        {"start": "date", "starts_at": NOW + 20 * 60 * MINUTE},
        {"start": "hand", "starts_at": None},
        {"starts_at": None},
    ],
)
def test_friends_who_are_all_here_do_not_stay_until_any_other_time(
    alice: User, changes: dict[str, Any]
) -> None:
    tournament, users = make_full(alice, min_players=3)
    services.withdraw(user=users[0], tournament_id=tournament.public_id, now=NOW)
    arrive(*users)
    with pytest.raises(Conflict, match="can't begin before the date"):
        edit(fresh(tournament), **changes)


def test_a_date_that_a_host_has_announced_is_kept_though_all_are_here(alice: User) -> None:
    tournament = make_tournament(alice, game=LIVE, max_players=4, **DATED)
    arrive(*enter_players(tournament, 3))
    with pytest.raises(Conflict, match=r"can't begin before the date it has\.$"):
        services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    page = client_of(alice).get(f"/tournaments/{tournament.public_id}/direct/").content.decode()
    assert "Its players have entered for a later date" in page


def test_why_a_slow_tournament_cannot_be_started_says_that_it_may_fill_up_before_its_date(
    alice: User,
) -> None:
    tournament = make_tournament(alice, start="full", starts_at=NOW + 3 * DAY, min_players=3, max_players=4)
    enter_players(tournament, 3)
    with pytest.raises(Conflict, match=r"can't begin before the date it has, unless it is full\.$"):
        services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    page = client_of(alice).get(f"/tournaments/{tournament.public_id}/direct/").content.decode()
    assert "so it can&#x27;t start before that, unless it is full." in page
    services.enter(user=make_user("late"), tournament_id=tournament.public_id, now=NOW)
    work()
    assert fresh(tournament).status == "running"


def test_no_host_is_told_to_enter_one_that_is_full_or_begins_later(alice: User) -> None:
    full, _users = make_full(alice)
    dated = make_tournament(alice, game=LIVE, **DATED)
    services.enter(user=make_user("early"), tournament_id=dated.public_id, now=NOW)
    for tournament in (full, dated):
        page = client_of(alice).get(f"/tournaments/{tournament.public_id}/direct/").content.decode()
        assert "enter before you start it" not in page


def test_nobody_keeps_a_place_whose_account_was_closed_a_moment_ago(alice: User) -> None:
    tournament = make_tournament(alice, game=LIVE, start="full", min_players=3, max_players=4)
    users = enter_players(tournament, 4)
    arrive(*users[:3])
    closing.close(user=users[3], now=NOW)
    work()
    assert (fresh(tournament).status, fresh(tournament).starts_at) == ("entry", None)
    run_tasks(GENERAL)
    work(NOW + MINUTE)
    tournament = fresh(tournament)
    assert (tournament.status, tournament.size, tournament.starts_at) == ("entry", 3, None)


def test_many_that_wait_for_players_hold_up_no_other(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "MOST_WAITING", 2)
    tournament, users = make_full(alice)
    others = [make_user("mallory"), make_user("puppet")]
    for _ in range(2):
        other = make_tournament(
            others[0], game=LIVE, start="full", min_players=2, max_players=2, starts_at=NOW + 30 * DAY
        )
        for user in others:
            services.enter(user=user, tournament_id=other.public_id, now=NOW)
    work()
    arrive(*users)
    work()
    assert fresh(tournament).status == "running"


def test_who_is_suspended_is_not_waited_for(alice: User) -> None:
    tournament = make_tournament(alice, game=LIVE, start="full", max_players=4)
    users = enter_players(tournament, 4)
    User.objects.filter(pk=users[0].pk).update(is_active=False)
    arrive(*users[1:])
    work()
    assert fresh(tournament).status == "running"


def test_those_that_wait_are_looked_at_without_a_lock(alice: User) -> None:
    tournament, _users = make_full(alice)
    before = fresh(tournament).version
    for minute in range(3):
        assert jobs.begin_attended(NOW + minute * MINUTE) == 0
    assert fresh(tournament).version == before


def test_the_page_says_what_happens_when_it_is_full(alice: User) -> None:
    tournament = make_tournament(alice, game=LIVE, start="full", max_players=4)
    users = enter_players(tournament, 3)
    client, path = client_of(users[0]), f"/tournaments/{tournament.public_id}/"
    page = client.get(path).content.decode()
    assert "it starts at once if all players are here" in page
    assert "a day later" in page
    assert "A director can start it sooner while all players are here." in page
    services.enter(user=make_user("last"), tournament_id=tournament.public_id, now=NOW)
    work()
    page = client.get(path).content.decode()
    assert "Full: 4 of 4 players; starts once all players are here, or on 2 March" in page
    assert "at once if all players" not in page
    assert "A director can start it sooner" not in page
    assert "at the latest" in page


def test_the_page_of_one_with_a_last_day_says_so(alice: User) -> None:
    tournament = make_tournament(alice, game=LIVE, start="full", max_players=4, starts_at=NOW + DAY)
    page = client_of(alice).get(f"/tournaments/{tournament.public_id}/").content.decode()
    assert "it starts as soon as all players are here, or on that date. A director can start it" in page


@pytest.mark.parametrize("starts_at", [None, NOW + DAY], ids=["without a date", "with a last day"])
def test_the_page_of_one_with_held_rounds_says_what_its_directors_may_do(
    alice: User, starts_at: datetime | None
) -> None:
    """Without a date they may start it at any time: no clock runs before a round is released."""
    tournament = make_tournament(
        alice, game=LIVE, start="full", max_players=4, held_rounds=True, starts_at=starts_at
    )
    page = client_of(alice).get(f"/tournaments/{tournament.public_id}/").content.decode()
    assert ("A director can start it sooner while all players are here." in page) == (starts_at is not None)
    assert "When it is full, it starts" not in page


@pytest.mark.parametrize("game", [LIVE, MAIN], ids=["live", "days"])
@pytest.mark.parametrize("by", ["edit", "extend"])
def test_a_start_that_is_moved_is_told_to_all_who_may_leave_without_a_forfeit(
    alice: User, game: Any, by: str
) -> None:
    soon, later = NOW + timedelta(hours=2), NOW + timedelta(hours=9)
    tournament = make_tournament(alice, game=game, start="date", starts_at=soon, max_players=8)
    users = enter_players(tournament, 4)
    services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
    if by == "edit":
        edit(fresh(tournament), starts_at=later)
    else:
        services.extend(user=alice, tournament_id=tournament.public_id, until=later, reason="Late.", now=NOW)
    for user in users:
        ((subject, text),) = told(user)
        assert subject == "The start of Spring cup was moved"
        assert text.startswith("The new time is 1 March")
        assert "withdraw before it starts: you lose nothing" in text
    assert told(alice) == []
    assert not Notice.objects.filter(subject__contains="terms").exists()
    services.withdraw(user=users[0], tournament_id=tournament.public_id, now=NOW)
    assert not Entrant.objects.filter(tournament=tournament, user=users[0]).exists()


def test_a_start_that_is_moved_with_other_terms_is_told_and_so_are_they(alice: User) -> None:
    tournament = make_tournament(
        alice, start="date", starts_at=NOW + DAY, max_players=8, format="swiss", options={"rounds": 3}
    )
    users = enter_players(tournament, 4)
    edit(fresh(tournament), starts_at=NOW + 2 * DAY, max_players=9, options={"rounds": 3})
    assert len(told(users[0])) == 1
    assert Notice.objects.filter(user=users[0], subject__contains="terms").count() == 1


def test_who_has_just_entered_on_the_page_is_here(alice: User) -> None:
    tournament = make_tournament(alice, game=LIVE, start="full", max_players=3)
    for name in ("ann", "ben", "cleo"):
        answer = client_of(make_user(name)).post(
            f"/tournaments/{tournament.public_id}/take-part/", {"do": "enter"}, follow=True
        )
        assert "You have entered." in answer.content.decode()
    work()
    assert fresh(tournament).status == "running"


@pytest.mark.parametrize(
    "changes",
    [{"max_players": 8}, {"format": "arena", "minutes": 60, "max_players": 50}],
    ids=["cup", "arena"],
)
def test_no_director_begins_it_before_it_is_full_while_players_are_away(
    alice: User, changes: dict[str, Any]
) -> None:
    tournament = make_tournament(alice, game=LIVE, start="full", min_players=3, **changes)
    users = enter_players(tournament, 3)
    arrive(*users[1:])
    path = f"/tournaments/{tournament.public_id}/direct/"

    def begin() -> None:
        services.start(user=alice, tournament_id=tournament.public_id, now=NOW)

    with clock.stopped(NOW):
        with pytest.raises(Conflict, match=r"Not here yet: player-1\. Otherwise give it a date"):
            begin()
        page = client_of(alice).get(path).content.decode()
        assert 'value="start"' not in page
        assert "You can start it once all players are here. Not here yet: player-1." in page
        with pytest.raises(Conflict, match="begin within an hour while all of them are here"):
            edit(fresh(tournament), start="hand", **changes)
        arrive(users[0])
        assert 'value="start"' in client_of(alice).get(path).content.decode()
        begin()
    work()
    assert fresh(tournament).status == "running"
    assert PairingGame.objects.exclude(game_id=None).exists()


def test_a_director_begins_it_before_it_is_full_where_no_clock_runs_until_a_round_is_released(
    alice: User,
) -> None:
    tournament = make_tournament(alice, game=LIVE, start="full", max_players=8, held_rounds=True)
    enter_players(tournament, 3)
    services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    work()
    assert not PairingGame.objects.exists()
