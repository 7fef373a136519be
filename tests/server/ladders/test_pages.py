"""The pages and the API of ladders, as guests and members see them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from crownhead.server.accounts.models import User
from crownhead.server.core.exports import pieces
from crownhead.server.ladders import services
from crownhead.server.ladders.models import Challenge, Ladder, Member
from crownhead.server.play.vacation import services as vacation_services
from tests.server.conftest import Api
from tests.server.ladders.factories import (
    challenge,
    games_of,
    make_finished_challenge,
    make_ladder,
    make_members,
    names_by_place,
    steps,
)
from tests.server.pages.conftest import Open
from tests.server.play.factories import DAY, NOW, slug

pytestmark = pytest.mark.django_db


def _path(ladder: Ladder, part: str = "") -> str:
    return f"/ladders/{ladder.public_id}/{part}"


def test_the_list_shows_all_ladders_and_where_i_stand(
    window: Open, places: Ladder, stairs: Ladder, alice: User
) -> None:
    make_members(2, places)
    make_ladder(variant="russian", time=5)
    text = window().get("/ladders/").text
    assert "American checkers 3 days per move 2 players, first: p01 3 days per move 0 players" in text
    assert "Russian draughts 5 days per move 0 players –" in text
    services.join(user=alice, ladder_id=places.public_id, now=NOW)
    mine = window(alice).get("/ladders/").text
    assert "My ladders Ladder Players You American checkers ladder, 3 days per move 3 3" in mine


def test_the_list_of_ladders_costs_no_more_for_more_of_them(
    window: Open, places: Ladder, alice: User, django_assert_max_num_queries: Any
) -> None:
    for time in (4, 5, 6):
        services.join(user=alice, ladder_id=make_ladder(variant="russian", time=time).public_id, now=NOW)
    mine = window(alice)
    mine.get("/ladders/")
    with django_assert_max_num_queries(9):
        assert mine.get("/ladders/").text.count("Russian draughts ladder, 6 days per move") == 2


def test_the_ladders_that_have_players_come_first(window: Open, places: Ladder, stairs: Ladder) -> None:
    russian = make_ladder(variant="russian")
    make_members(3, russian, prefix="r")
    make_members(2, places)

    page = window().get("/ladders/")

    busy = page.text.partition("All ladders, by game")[0]
    assert busy.index("Russian draughts ladder") < busy.index("American checkers ladder")
    assert "Stairs" not in busy.partition("Active ladders")[2]
    assert "<details open" not in page.html


def test_a_club_whose_ladders_are_empty_invites_to_one_of_them(
    window: Open, places: Ladder, stairs: Ladder
) -> None:
    page = window().get("/ladders/")

    invites = page.html.partition("all-ladders")[0]
    assert f'href="{_path(places)}"' in invites
    assert f'href="{_path(stairs)}"' in invites
    assert "<details open" not in page.html


def test_of_stairs_the_highest_leads(window: Open, stairs: Ladder) -> None:
    make_members(3, stairs)
    assert "first: p01" in window().get("/ladders/").text
    Member.objects.filter(ladder=stairs, user__username="p02").update(step=3)
    page = window().get("/ladders/")
    assert re.search(r"<td>p02</td>\s*<td class=\"number\">3</td>", page.html)
    assert "3 players, first: p02" in page.text


def test_a_club_without_ladders_says_so(window: Open, db: None) -> None:
    assert "There are no ladders yet." in window().get("/ladders/").text


def test_one_steps_on_and_challenges_by_a_button(window: Open, places: Ladder, alice: User) -> None:
    make_members(2, places)
    member = window(alice)
    assert "Join this ladder" in member.get(_path(places)).text
    answer = member.post(_path(places, "join/"), follow=True)
    assert "You have joined the ladder: place 3." in answer.text
    assert 'aria-label="Challenge p01"' in answer.html
    assert "p02" in answer.text
    begun = member.post(_path(places, "challenge/"), {"opponent": "p01"}, follow=True)
    assert "The challenge has started. Good luck!" in begun.text
    assert "American checkers ladder, 3 days per move" in begun.text
    (game,) = games_of(Challenge.objects.get())
    after = member.get(_path(places))
    assert f'href="/games/{game.public_id}/"' in after.html
    assert 'aria-label="Go to the game with p01"' in after.html
    assert 'aria-label="Challenge p01"' not in after.html


def test_a_challenge_begins_only_after_a_page_that_says_what_it_means(
    window: Open, places: Ladder, alice: User
) -> None:
    make_members(2, places)
    member = window(alice)
    member.post(_path(places, "join/"))
    assert f'href="{_path(places, "challenge/?opponent=p01")}"' in member.get(_path(places)).html
    page = member.get(_path(places, "challenge/?opponent=p01"))
    assert "Challenge p01? American checkers ladder, 3 days per move rated" in page.text
    assert "The game starts at once: a challenge can't be declined or taken back." in page.text
    assert not Challenge.objects.exists()
    assert member.get(_path(places, "challenge/?opponent=nobody")).location == _path(places)


def test_a_reason_against_every_challenge_is_shown_once(window: Open, stairs: Ladder) -> None:
    cast = make_members(5, stairs)
    challenge(stairs, cast[0], cast[1])
    page = window(cast[0]).get(_path(stairs))
    assert page.text.count("You can have only one open challenge of your own.") == 1
    assert 'aria-label="Challenge' not in page.html
    assert 'aria-label="Challenge p03"' in window(cast[3]).get(_path(stairs)).html


def test_a_refusal_is_shown_on_the_standings(window: Open, places: Ladder) -> None:
    cast = make_members(2, places)
    vacation_services.plan(user=cast[0], begins=NOW, ends=NOW + DAY, now=NOW)
    member = window(cast[1])
    assert "p01 is on vacation until 2 Mar 2026." in member.get(_path(places)).text
    answer = member.post(_path(places, "challenge/"), {"opponent": "p01"}, follow=True)
    assert answer.status == 200
    assert "p01 is on vacation" in answer.text
    assert not Challenge.objects.exists()


def test_players_out_of_reach_are_marked_briefly(window: Open, places: Ladder) -> None:
    cast = make_members(23, places)
    page = window(cast[0]).get(_path(places))
    assert page.html.count('aria-label="Challenge ') == 20
    assert page.text.count("out of reach") == 2


def test_guests_see_the_standings_without_buttons(window: Open, places: Ladder) -> None:
    make_members(2, places)
    page = window().get(_path(places))
    assert "1 p01" in page.text
    assert "Challenge p01" not in page.html
    answer = window().post(_path(places, "join/"))
    assert answer.location.startswith("/accounts/login/")
    assert window().get(_path(places, "join/")).location == _path(places)
    assert window().get(_path(places, "challenge/")).location == _path(places)


def test_long_standings_come_in_pages_and_can_begin_near_oneself(window: Open, places: Ladder) -> None:
    cast = make_members(60, places)
    first = window().get(_path(places))
    assert "p50" in first.text
    assert "p51" not in first.text
    link = first.html.partition('href="?after=')[2].partition('"')[0]
    assert "p51" in window().get(_path(places, f"?after={link}")).text
    page = window(cast[40]).get(_path(places))
    assert 'href="' + _path(places, "?from=31") in page.html
    near = window(cast[40]).get(_path(places, "?from=31"))
    assert "p41" in near.text
    assert "p30" not in near.text


def test_stairs_show_the_highest_step_first(window: Open, stairs: Ladder) -> None:
    cast = make_members(3, stairs)
    make_finished_challenge(stairs, cast[2], cast[0], winner=cast[2])
    text = window(cast[2]).get(_path(stairs)).text
    assert text.index("p03") < text.index("p01") < text.index("p02")
    assert "you: step 2" in text
    assert "You have played p01 in the last 14 days." in text


def test_the_rules_say_beforehand_what_one_agrees_to(window: Open, dora: User) -> None:
    ladder = make_ladder(vacation=False, games=2, weekends_off=True, variant="pro")
    text = window().get(_path(ladder, "rules/")).text
    for said in (
        "up to 20 places above or below you, with at most 2 open challenges",
        "Vacations don't stop the clocks",
        "Players on a planned vacation can't be challenged.",
        "two games start at once, from the same opening",
        "The opening is drawn at random.",
        "go to the last place",
        "you can challenge the same player again after 14 days",
        "60 days",
        "Saturdays and Sundays",
    ):
        assert said in text
    stairs = window().get(_path(make_ladder(style="stairs"), "rules/")).text
    assert "up to 3 steps below it, one at a time, but nobody you have played in the last 14 days" in stairs


def test_challenges_and_history_are_listed(window: Open, places: Ladder, dora: User) -> None:
    cast = make_members(3, places)
    make_finished_challenge(places, cast[2], cast[0], winner=cast[2])
    challenge(places, cast[1], cast[0])
    services.place(staff=dora, ladder_id=places.public_id, user=cast[0], rank=1, reason="A mistake.", now=NOW)
    services.leave(user=cast[2], ladder_id=places.public_id, now=NOW)
    text = window().get(_path(places, "challenges/")).text
    assert "1 Mar 2026 p02 p01 open game 1" in text
    assert "1 Mar 2026 p03 p01 p03 won game 1" in text
    told = window().get(_path(places, "history/")).text
    for sentence in (
        "p01 joined the ladder: place 1.",
        "p03 (place 3) challenged p01 (place 1).",
        "p03 beat p01.",
        "p03 took place 1 from p01.",
        "The staff moved p01 from place 2 to place 1. Reason: A mistake.",
        "p03 left the ladder from place 2.",
    ):
        assert sentence in told


def test_empty_parts_say_what_to_do_next(window: Open, places: Ladder, alice: User) -> None:
    assert "Be the first" in window().get(_path(places)).text
    assert "No challenges here yet." in window().get(_path(places, "challenges/")).text
    assert "Nothing has happened" in window().get(_path(places, "history/")).text
    assert "Join a ladder" in window(alice).get("/ladders/challenges/").text


def test_my_challenges_of_all_ladders_are_in_one_place(window: Open, places: Ladder) -> None:
    cast = make_members(2, places)
    (game,) = games_of(challenge(places, cast[1], cast[0]))
    page = window(cast[0]).get("/ladders/challenges/")
    assert "1 Mar 2026 p02 p01 open game 1 American checkers ladder" in page.text
    assert f"/games/{game.public_id}/" in page.html
    assert "My challenges 1" in window(cast[0]).get("/ladders/").text
    assert window().get("/ladders/challenges/").location.startswith("/accounts/login/")


def test_a_profile_shows_the_ranks_of_a_player(window: Open, places: Ladder, stairs: Ladder) -> None:
    cast = make_members(2, places)
    services.join(user=cast[1], ladder_id=stairs.public_id, now=NOW)
    text = window().get("/players/p02/").text
    assert "On ladders Ladder Rank American checkers ladder, 3 days per move place 2" in text
    assert "American checkers stairs, 3 days per move step 1" in text
    services.leave(user=cast[0], ladder_id=places.public_id, now=NOW)
    assert "On ladders" not in window().get("/players/p01/").text


def test_leaving_is_asked_twice(window: Open, places: Ladder) -> None:
    cast = make_members(2, places)
    member = window(cast[0])
    assert "American checkers ladder, 3 days per move: place 1." in member.get(_path(places, "leave/")).text
    assert names_by_place(places) == ["p01", "p02"]
    assert "You have left the ladder." in member.post(_path(places, "leave/"), follow=True).text
    assert names_by_place(places) == ["p02"]
    assert "You are not on this ladder." in member.get(_path(places, "leave/")).text


@pytest.mark.parametrize("part", ["", "rules/", "challenges/", "history/"])
def test_an_unknown_ladder_is_not_found(window: Open, db: None, part: str) -> None:
    assert window().get(f"/ladders/nowhere/{part}").status == 404


def test_the_api_does_it_all(api: Api, places: Ladder, alice: User, bob: User) -> None:
    one, two = api_of(alice), api_of(bob)
    at = f"/ladders/{places.public_id}"
    assert json.loads(one.post(f"{at}/join").content)["my_rank"] == 1
    assert json.loads(two.post(f"{at}/join").content)["my_rank"] == 2
    assert slug(two.post(f"{at}/join")) == "on-ladder"
    (seen,) = json.loads(two.get("/ladders", variant="american").content)
    assert (seen["members"], seen["my_rank"], seen["style"], seen["pace"]) == (
        2,
        2,
        "places",
        "3 days per move",
    )
    assert json.loads(two.get("/ladders", variant="russian").content) == []
    made = two.post(f"{at}/challenges", {"opponent": "alice"})
    assert made.status_code == 201
    body = json.loads(made.content)
    assert (body["challenger"], body["challenged"], body["outcome"], len(body["games"])) == (
        "bob",
        "alice",
        None,
        1,
    )
    again = two.post(f"{at}/challenges", {"opponent": "alice"})
    assert slug(again) == "challenge-refused"
    assert json.loads(again.content)["reason"] == "open-between"
    standings = json.loads(two.get(f"{at}/standings").content)["items"]
    assert [(row["rank"], row["username"], row["refusal"]) for row in standings] == [
        (1, "alice", "open-between"),
        (2, "bob", "self"),
    ]
    assert standings[0]["why"] == "You already have an open challenge with alice."
    assert json.loads(one.get("/ladders/challenges").content) == [body]
    assert json.loads(api.get(f"{at}/challenges").content)["items"] == [body]
    assert json.loads(one.get(f"{at}/challenges", mine=True).content)["items"] == [body]
    assert json.loads(two.post(f"{at}/leave").content)["members"] == 1
    kinds = [line["what"] for line in json.loads(api.get(f"{at}/history").content)["items"]]
    assert kinds == ["left", "void", "challenged", "joined", "joined"]
    assert slug(api.get("/ladders/nowhere")) == "not-found"
    assert api.post(f"{at}/join").status_code == 401
    assert two.post(f"{at}/challenges", {"opponent": ""}).status_code == 422
    assert slug(two.post(f"{at}/challenges", {"opponent": "alice"})) == "not-on-ladder"


def test_the_api_tells_where_a_player_stands(api: Api, places: Ladder, alice: User, bob: User) -> None:
    for user in (alice, bob):
        services.join(user=user, ladder_id=places.public_id, now=NOW)
    (found,) = json.loads(api.get("/players/BOB/ladders").content)
    assert (found["ladder"], found["rank"], found["members"]) == (places.public_id, 2, 2)
    assert (found["variant"], found["style"], found["closed_at"]) == ("american", "places", None)
    assert json.loads(api.get("/players/alice/ladders").content)[0]["rank"] == 1
    assert slug(api.get("/players/nobody/ladders")) == "not-found"


def api_of(user: User) -> Api:
    """The API as one user sees it."""
    return Api().as_(user)


def test_the_archive_of_ones_data_holds_places_challenges_and_history(places: Ladder) -> None:
    cast = make_members(2, places)
    make_finished_challenge(places, cast[1], cast[0], winner=cast[1])

    def part(name: str) -> Any:
        return json.loads(b"".join(pieces(name, cast[1])))

    assert [row["rank"] for row in part("ladders.json")] == [1]
    assert [row["outcome_for_challenger"] for row in part("ladder_challenges.json")] == ["won"]
    assert [row["what"] for row in part("ladder_history.json")] == ["joined", "challenged", "won", "moved"]


def test_the_back_office_opens_closes_and_corrects(client: Client, dora: User) -> None:
    client.force_login(dora)
    form = {"variant": "american", "style": "places", "pace": "days", "time": 3, "bonus": 0, "limit": 0}
    form |= {"draw_rules": "official", "games": 1, "idle_days": 60, "rated": "on", "vacation": "on"}
    add = reverse("admin:ladders_ladder_add")
    assert client.post(add, form).status_code == 302
    ladder = Ladder.objects.get()
    assert (ladder.rated, ladder.weekends_off, ladder.time) == (True, False, 3)
    assert b"limit" in client.post(add, form | {"pace": "bank", "time": 9}).content
    assert Ladder.objects.count() == 1
    cast = make_members(3, ladder)
    member = Member.objects.get(user=cast[2])
    change = reverse("admin:ladders_member_change", args=[member.pk])
    assert client.post(change, {"rank": 1, "reason": "A mistake."}).status_code == 302
    assert names_by_place(ladder) == ["p03", "p01", "p02"]
    assert client.post(change, {"off": "on", "reason": "They asked."}).status_code == 302
    assert names_by_place(ladder) == ["p01", "p02"]
    listed = reverse("admin:ladders_ladder_changelist")
    client.post(listed, {"action": "close", "_selected_action": [ladder.pk]})
    ladder.refresh_from_db()
    assert ladder.closed_at is not None
    for name in ("ladder", "member", "challenge", "line"):
        assert client.get(reverse(f"admin:ladders_{name}_changelist")).status_code == 200
    assert client.get(reverse("admin:ladders_ladder_change", args=[ladder.pk])).status_code == 200


def test_steps_are_shown_in_the_back_office_too(client: Client, stairs: Ladder, dora: User) -> None:
    client.force_login(dora)
    (one,) = make_members(1, stairs)
    change = reverse("admin:ladders_member_change", args=[Member.objects.get(user=one).pk])
    client.post(change, {"rank": 4, "reason": "A mistake."})
    assert steps(stairs) == {"p01": 4}
