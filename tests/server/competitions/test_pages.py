"""The pages of tournaments, in every state of every format, for everybody."""

from __future__ import annotations

import re
from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client

from crownhead.contest.formats import FORMATS
from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.models import Pairing, Round, Tournament
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core import clock
from crownhead.server.live.models import Outbox
from crownhead.server.play.models import Seat
from tests.server.competitions.factories import (
    LIVE,
    MAIN,
    Playthrough,
    client_of,
    end,
    enter_players,
    fresh,
    make_running_tournament,
    make_tournament,
    open_rows,
)
from tests.server.competitions.test_formats import terms
from tests.server.conftest import make_user
from tests.server.play.factories import NOW
from tests.server.teams.factories import make_team

pytestmark = pytest.mark.django_db


def page(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.content.decode()[-2000:]
    return answer.content.decode()


def parts(tournament: Tournament) -> list[str]:
    root = f"/tournaments/{tournament.public_id}/"
    return [root, f"{root}rounds/", f"{root}players/", f"{root}log/"]


@pytest.mark.parametrize("key", FORMATS)
def test_all_pages_can_be_seen_in_every_state(alice: User, key: str) -> None:
    guest, host = Client(), client_of(alice)
    tournament = make_tournament(alice, max_players=6, **terms(key))
    users = enter_players(tournament, 5)
    for _ in range(2):
        for path in parts(tournament):
            for client in (guest, host, client_of(users[0])):
                assert "Spring cup" in page(client, path)
        assert "Other directors" in page(host, f"/tournaments/{tournament.public_id}/direct/")
        if fresh(tournament).status == "entry":
            services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
            jobs.advance_due(NOW)
    Playthrough(fresh(tournament)).play()
    for path in parts(tournament):
        page(guest, path)
    assert "won" in page(guest, f"/tournaments/{tournament.public_id}/")


def test_the_page_of_a_cancelled_tournament_gives_the_reason(alice: User) -> None:
    tournament = make_tournament(alice)
    services.cancel(
        user=alice, tournament_id=tournament.public_id, reason="No hall.\nSee you in spring.", now=NOW
    )
    html = page(Client(), f"/tournaments/{tournament.public_id}/")
    assert "This tournament was cancelled." in html
    assert "Reason: No hall.<br>See you in spring." in html
    assert "Overview" in html
    assert "Standings" not in html
    assert "Nobody entered." in html
    assert "Be the first" not in html


def test_a_reason_from_before_it_had_a_column_is_moved_there(alice: User) -> None:
    old = make_tournament(alice)
    Tournament.objects.filter(pk=old.pk).update(status="cancelled", waiting_for="No hall.")
    running, _users = make_running_tournament(alice, 3)
    Tournament.objects.filter(pk=running.pk).update(waiting_for="Waiting for two free players.")
    migration = import_module("crownhead.server.competitions.migrations.0008_cancel_reason")
    migration.move_reasons(apps, SimpleNamespace(connection=connection))
    assert (fresh(old).cancel_reason, fresh(old).waiting_for) == ("No hall.", "")
    assert (fresh(running).cancel_reason, fresh(running).waiting_for) == ("", "Waiting for two free players.")


def test_the_log_says_what_was_done_in_whole_phrases(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 3)
    key = tournament.public_id
    pairing = Pairing.objects.select_related("first__user", "second__user").filter(bye="")[0]
    assert pairing.second is not None
    first, second = pairing.first.user.username, pairing.second.user.username
    at: dict[str, Any] = {"number": 1, "table": pairing.table, "reason": "Never came.", "now": NOW}
    services.forfeit(user=alice, tournament_id=key, loser=first, **at)
    services.close(user=alice, tournament_id=key, reason="Enough.", now=NOW)
    text = page(Client(), f"/tournaments/{key}/log/")
    assert "closed the tournament" in text
    assert "started the tournament" in text
    assert f"declared forfeit: 1.{pairing.table} {first} – {second}, against {first}" in text


def test_the_list_shows_what_is_open_and_what_is_over(alice: User, bob: User) -> None:
    assert "No tournaments are open for entry" in page(Client(), "/tournaments/")
    make_tournament(alice, name="Autumn cup")
    over, _users = make_running_tournament(alice, 3, name="Winter cup")
    Playthrough(over).play()
    html = page(client_of(bob), "/tournaments/")
    assert "Autumn cup" in html
    assert "Winter cup" not in html
    html = page(Client(), "/tournaments/?status=finished")
    assert "Winter cup" in html
    assert "won by player-" in html
    assert "Autumn cup" not in page(Client(), "/tournaments/?variant=pro")
    assert "My tournaments" in page(client_of(alice), "/tournaments/")


def test_entering_and_withdrawing_with_buttons(alice: User, bob: User) -> None:
    tournament = make_tournament(alice)
    path = f"/tournaments/{tournament.public_id}/"
    client = client_of(bob)
    assert ">Enter<" in page(client, path)
    answer = client.post(f"{path}take-part/", {"do": "enter"}, follow=True)
    assert "You have entered. Good luck!" in answer.content.decode()
    answer = client.post(f"{path}take-part/", {"do": "withdraw"}, follow=True)
    assert "You have withdrawn." in answer.content.decode()
    assert fresh(tournament).size == 0
    assert Client().post(f"{path}take-part/").headers["Location"].startswith("/accounts/login/")


def test_before_an_arena_starts_there_is_nothing_to_pause_and_no_standings(alice: User, bob: User) -> None:
    arena = make_tournament(alice, format="arena", game=LIVE, minutes=60)
    services.enter(user=bob, tournament_id=arena.public_id, now=NOW)
    html = page(client_of(bob), f"/tournaments/{arena.public_id}/")
    assert ">Pause<" not in html
    assert "Overview" in html
    assert "Standings" not in html
    assert "<dt>Starts</dt>" in html
    assert ">Seed<" not in html


def test_a_guest_can_come_to_a_running_arena_and_reads_when_it_started(alice: User) -> None:
    arena, users = make_running_tournament(alice, 3, format="arena", game=LIVE, minutes=60, max_players=4)
    path = f"/tournaments/{arena.public_id}/"
    html = page(Client(), path)
    assert ">Enter<" in html
    assert "<dt>Starts</dt>" not in html
    assert "<dt>Started</dt>" in html
    assert ">Pause<" in page(client_of(users[0]), path)
    Tournament.objects.update(max_players=3)
    assert ">Enter<" not in page(Client(), path)


def test_a_player_who_cannot_enter_reads_why(alice: User, bob: User) -> None:
    tournament = make_tournament(alice, min_rating=1600)
    path = f"/tournaments/{tournament.public_id}/"
    assert "This tournament is for ratings from 1600; yours is 1500." in page(client_of(bob), path)
    answer = client_of(bob).post(f"{path}take-part/", {"do": "enter"}, follow=True)
    assert "This tournament is for ratings from 1600" in answer.content.decode()


def form(**changes: Any) -> dict[str, Any]:
    fields = {
        "name": "Form cup",
        "about": "**Bold** words",
        "variant": "pro",
        "pace": "main",
        "draw_rules": "official",
        "format": "round-robin",
        "entry": "open",
        "min_players": "3",
        "max_players": "6",
        "start": "full",
        "withdrawal": "forfeit",
        "prizes": "Gold\nSilver",
        "option-cycles": "1",
        "option-games": "2",
        "option-seeding": "lot",
        "tie-1": "wins",
        "tie-2": "direct",
    }
    fields |= changes
    fields["options_sent"] = fields["format"]
    return {name: value for name, value in fields.items() if value is not None}


def test_a_tournament_is_announced_by_the_form(alice: User) -> None:
    client = client_of(alice)
    assert "Create a tournament" in page(client, "/tournaments/new/")
    answer = client.post("/tournaments/new/", form())
    tournament = Tournament.objects.get()
    assert answer.headers["Location"] == f"/tournaments/{tournament.public_id}/"
    assert (tournament.variant, tournament.format, tournament.max_players) == ("pro", "round-robin", 6)
    assert tournament.options == {"games": 2, "seeding": "lot", "tie_breaks": "wins,direct"}
    assert tournament.terms["clock"] == {"time": 48, "bonus": 48, "limit": 48}
    assert tournament.prizes == ["Gold", "Silver"]
    html = page(Client(), answer.headers["Location"])
    assert "<strong>Bold</strong> words" in html
    assert "48 hours per move" in html


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"name": "x"}, "Use 3 to 80 characters."),
        ({"max_players": "many"}, "Enter a whole number from 2 to 1000."),
        ({"max_players": "2"}, "Choose a number from 3 to"),
        ({"option-games": "9"}, "Enter a whole number from 1 to 2."),
        ({"variant": "chess"}, "Choose one of"),
        ({"format": "arena", "lasts": "60"}, "Arena needs a live clock."),
        ({"start": "date"}, "Choose a start date."),
        ({"start": "date", "starts_at": "2020-01-01T12:00"}, "Choose a time within the next year."),
        ({"start": "date", "starts_at": "soon"}, "Enter a date and a time."),
        ({"entry": "team"}, "Choose a team."),
        ({"min_rating": "1700", "max_rating": "1600"}, "Choose a number from 1700 to 4000."),
        ({"pace": "bank", "time": "0"}, "Enter a whole number from 1"),
        ({"prizes": "x" * 61}, "Name at most 10 trophies"),
    ],
)
def test_what_is_wrong_with_the_form_stands_beside_the_field(
    alice: User, changes: dict[str, str], wrong: str
) -> None:
    answer = client_of(alice).post("/tournaments/new/", form(**changes))
    assert answer.status_code == 200
    assert wrong in answer.content.decode()
    assert not Tournament.objects.exists()


def test_choosing_a_format_shows_what_can_be_chosen_for_it(alice: User) -> None:
    client = client_of(alice)
    html = page(client, "/tournaments/new/?format=swiss&variant=american&name=My+cup")
    assert 'name="option-rounds"' in html
    assert 'value="My cup"' in html
    assert 'name="lasts"' in page(client, "/tournaments/new/?format=arena&variant=american")


def test_options_of_the_previous_format_are_dropped(alice: User) -> None:
    fields = "format=round-robin&options_sent=sections&option-games=2&variant=american"
    html = page(client_of(alice), f"/tournaments/new/?{fields}")
    assert 'name="option-games" inputmode="numeric" value="1"' in html


def test_a_tournament_is_changed_before_it_begins(alice: User, bob: User) -> None:
    tournament = make_tournament(alice, format="swiss", options={"rounds": 4}, game=LIVE, max_players=20)
    path = f"/tournaments/{tournament.public_id}/edit/"
    html = page(client_of(alice), path)
    assert 'name="option-rounds" inputmode="numeric" value="4"' in html
    changed = form(
        name="Better cup", format="swiss", variant="american", pace="live", **{"option-rounds": "5"}
    )
    assert client_of(alice).post(path, changed).status_code == 302
    assert fresh(tournament).name == "Better cup"
    assert fresh(tournament).options["rounds"] == 5
    assert client_of(bob).get(path).status_code == 403


def test_in_a_club_of_its_staff_members_hold_no_tournaments(alice: User, settings: Any) -> None:
    settings.TOURNAMENTS_BY_MEMBERS = False
    assert client_of(alice).get("/tournaments/new/").status_code == 403
    assert "Create a tournament" not in page(client_of(alice), "/tournaments/")


def test_a_round_on_hold_says_so_and_a_director_starts_it(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4, format="swiss", held_rounds=True)
    path = f"/tournaments/{tournament.public_id}/"
    assert "A director is checking this round before it starts." in page(Client(), path)
    client = client_of(alice)
    html = page(client, f"{path}direct/")
    assert "Round 1 is on hold" in html
    pairs = "player-1 – player-3\nplayer-2 player-4"
    answer = client.post(f"{path}direct/", {"do": "pair", "pairs": pairs, "reason": "Friends"}, follow=True)
    assert "Done. It is in the log." in answer.content.decode()
    assert "player-1 – player-3" in page(client, f"{path}direct/")
    wrong = client.post(f"{path}direct/", {"do": "pair", "pairs": "player-1", "reason": "x"}, follow=True)
    assert "Write two names in the line" in wrong.content.decode()
    client.post(f"{path}direct/", {"do": "release"})
    jobs.advance_due(NOW)
    assert "not started" not in page(client, f"{path}rounds/1/")
    assert "Friends" in page(Client(), f"{path}log/")


def test_an_appointment_is_made_on_the_page(alice: User) -> None:
    tournament, users = make_running_tournament(alice, 4, game=LIVE, appointment_days=5)
    path = f"/tournaments/{tournament.public_id}/"
    pairing = Pairing.objects.select_related("first__user", "second__user").order_by("table")[0]
    assert pairing.second is not None
    one, other = client_of(pairing.first.user), client_of(pairing.second.user)
    where = f"{path}rounds/1/{pairing.table}/appointment/"
    assert "agree on a time with" in page(one, path)
    answer = one.post(where, {"do": "propose", "at": "2026-03-03T18:00"}, follow=True)
    assert "Your opponent has been notified." in answer.content.decode()
    assert "proposes" in page(other, path)
    shown = {"do": "agree", "at": "2026-03-03T18:00:00+00:00"}
    assert f'name="at" value="{shown["at"]}"' in page(other, path)
    answer = other.post(where, shown, follow=True)
    assert "You have agreed on a time" in answer.content.decode()
    wrong = one.post(where, {"do": "propose", "at": "soon"}, follow=True)
    assert "Enter a date and a time." in wrong.content.decode()
    late = one.post(where, {"do": "propose", "at": "2026-04-03T18:00"}, follow=True)
    assert "Choose a time in the future, before" in late.content.decode()
    past = one.post(where, {"do": "propose", "at": "2026-02-03T18:00"}, follow=True)
    assert "Choose a time in the future, before" in past.content.decode()
    assert f'min="{NOW:%Y-%m-%dT%H:%M}"' in page(one, path)
    assert len(users) == 4


@pytest.mark.parametrize(("key", "times"), [("sections", 1), ("swiss", 0)])
def test_the_table_of_all_sections_says_that_points_do_not_rank_it(alice: User, key: str, times: int) -> None:
    tournament, _users = make_running_tournament(alice, 6, format=key)
    order = "In the order of the latest round that they play"
    assert page(Client(), f"/tournaments/{tournament.public_id}/").count(order) == times


def test_a_table_says_that_forfeits_are_not_among_the_games_won(alice: User) -> None:
    arena, _users = make_running_tournament(alice, 4, format="arena", game=LIVE, minutes=60)
    html = page(Client(), f"/tournaments/{arena.public_id}/")
    assert "Won, drawn and lost are games on the board." in html
    assert "<span>Wins</span>" not in html
    assert "<span>Wins with the second side</span>" in html
    assert "<strong>Wins:</strong>" in html


def test_a_tournament_whose_rounds_are_not_paired_names_none_and_a_fixed_field_is_one_number(
    alice: User,
) -> None:
    cup = make_tournament(alice, min_players=4, max_players=4)
    enter_players(cup, 4)
    assert "<dd>4</dd>" in re.sub(r"\s*(</?dd>)\s*", r"\1", page(Client(), f"/tournaments/{cup.public_id}/"))
    services.start(user=alice, tournament_id=cup.public_id, now=NOW)
    assert "In progress, before the first round." in page(Client(), f"/tournaments/{cup.public_id}/")


def test_trophies_stand_on_the_page_of_a_finished_tournament(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 3, prizes=("Gold cup",))
    Playthrough(tournament).play()
    assert "Gold cup</b>" in page(Client(), f"/tournaments/{tournament.public_id}/")


def test_the_back_office_shows_tournaments_and_teams(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 3)
    services.close(user=alice, tournament_id=tournament.public_id, reason="Enough.", now=NOW)
    make_team(alice)
    boss = make_user("boss", is_staff=True, is_superuser=True)
    client = client_of(boss)
    for path in ("tournament", "entrant", "directoraction", "trophy"):
        page(client, f"/staff/competitions/{path}/")
    for path in ("team", "teammatch"):
        page(client, f"/staff/teams/{path}/")
    html = page(client, f"/staff/competitions/tournament/{tournament.pk}/change/")
    assert "dice" not in html.lower()


def test_a_bracket_names_its_rounds_and_tells_results_in_words(alice: User) -> None:
    cup, _users = make_running_tournament(alice, 4, max_players=4, **terms("single-elimination"))
    path = f"/tournaments/{cup.public_id}/"
    assert "in progress" in page(Client(), path)

    Playthrough(cup).play()
    html = page(Client(), path)

    assert "<h3>Semi-finals</h3>" in html
    assert "<h3>Final</h3>" in html
    assert "<h3>Round 1</h3>" not in html
    assert re.search(r'<a href="/games/\w+/">\s*player-\d won\s*</a>', html)


def test_a_crosstable_has_whole_names(alice: User) -> None:
    long = make_user("the-longest-name-yet")
    cup = make_tournament(alice, **terms("round-robin"))
    services.enter(user=long, tournament_id=cup.public_id, now=NOW)
    enter_players(cup, 3)
    services.start(user=alice, tournament_id=cup.public_id, now=NOW)
    jobs.advance_due(NOW)

    html = page(Client(), f"/tournaments/{cup.public_id}/")

    assert '<span aria-hidden="true">the-longest-name-yet</span>' in html


def countdown(tournament: Tournament) -> str:
    """What the page of a tournament says of the time until its start or end, to those without scripts."""
    html = page(Client(), f"/tournaments/{tournament.public_id}/")
    found = re.search(r'<span class="left" role="timer">(.*?)</span>\s*</p>', html, re.DOTALL)
    return " ".join(re.sub("<.*?>", "", found[1]).split()) if found else ""


def test_an_arena_says_how_long_it_goes_on(alice: User) -> None:
    arena, _users = make_running_tournament(alice, 4, **terms("arena"))
    assert arena.minutes is not None

    with clock.stopped(NOW + timedelta(minutes=arena.minutes - 7)):
        assert countdown(arena) == "7 minutes left"
        html = page(Client(), f"/tournaments/{arena.public_id}/")
        assert '<span data-left="420000">7 minutes</span>' in html, "the script runs it down"
    with clock.stopped(NOW + timedelta(minutes=arena.minutes + 1)):
        assert countdown(arena) == ""


def test_a_tournament_says_how_long_it_is_until_its_start(alice: User) -> None:
    at = NOW + timedelta(hours=3)
    dated = make_tournament(alice, max_players=6, **terms("swiss") | {"start": "date", "starts_at": at})
    full = make_tournament(alice, max_players=6, **terms("swiss") | {"start": "full", "starts_at": at})
    by_hand = make_tournament(alice, max_players=6, **terms("swiss") | {"start": "hand"})

    with clock.stopped(at - timedelta(minutes=65)):
        assert countdown(dated) == "Starts in 1 hour 5 minutes"
        assert countdown(full) == "Starts in 1 hour 5 minutes at the latest"
        assert countdown(by_hand) == ""
    with clock.stopped(at):
        assert countdown(dated) == ""


def test_a_round_that_waits_says_how_long_it_is_until_its_start(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4, **terms("swiss"))
    Round.objects.update(starts_at=NOW + timedelta(minutes=5))

    with clock.stopped(NOW + timedelta(minutes=1)):
        assert countdown(tournament) == "Starts in 4 minutes"


def told_of_list() -> int:
    """How often open lists of tournaments have been told to refresh."""
    return Outbox.objects.filter(topic="game:tournaments", kind="list").count()


def test_open_lists_are_told_what_changes_a_line_of_theirs(alice: User) -> None:
    told = []
    tournament = make_tournament(alice, max_players=6, **terms("swiss"))
    told.append(told_of_list())
    wanted = Announcement(
        game=MAIN, name="Another name", format="swiss", min_players=3, max_players=6, start="hand"
    )
    services.edit(user=alice, tournament_id=tournament.public_id, wanted=wanted, now=NOW)
    told.append(told_of_list())
    users = enter_players(tournament, 5)
    told.append(told_of_list())
    services.withdraw(user=users[0], tournament_id=tournament.public_id, now=NOW)
    told.append(told_of_list())
    services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    told.append(told_of_list())
    jobs.advance_due(NOW)  # the first round
    told.append(told_of_list())
    end(open_rows(tournament)[0].game_id or "", winner=Seat.FIRST, by=alice)  # a result is on no line
    told.append(told_of_list())
    assert told == [1, 2, 7, 8, 9, 10, 10]
    Playthrough(fresh(tournament)).play()
    assert told_of_list() > told[-1]


def test_the_list_names_the_stream_that_it_follows(alice: User, bob: User) -> None:
    tournament = make_tournament(alice, max_players=6, **terms("swiss"))
    html = page(Client(), "/tournaments/")
    listed = html[html.index("data-listed") : html.index(tournament.name)]
    assert 'data-stream="/events?game=tournaments"' in listed
    assert 'hx-get="/tournaments/"' in listed
    assert "own-tournaments" not in html.replace("#own-tournaments", "")
    assert 'id="own-tournaments" hidden' in " ".join(page(client_of(bob), "/tournaments/").split())
