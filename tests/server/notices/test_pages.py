"""The pages of notices, without JavaScript: the list, following one, what one is told."""

from __future__ import annotations

import re

import pytest

from crownhead.server.accounts.models import Preferences, User
from crownhead.server.accounts.services.closing import close
from crownhead.server.core import clock
from crownhead.server.notices import jobs
from crownhead.server.notices.kinds import Channel, Group, Kind, Timing
from crownhead.server.notices.models import Device, Notice, Reader
from crownhead.server.notices.selectors.preferences import timings_of
from crownhead.server.notices.selectors.reading import counted_in_menu, notices_of, unread, unread_count
from crownhead.server.notices.services import reading
from crownhead.server.play.draws.services import offer_draw
from tests.server.notices.browsers import Browser
from tests.server.notices.factories import DAY, make_notice
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW, make_game, play_moves

pytestmark = pytest.mark.django_db

PAGES = ["/notices/", "/notices/preferences/"]
_SELECT = re.compile(r'<select name="(?P<name>[\w.-]+)".*?</select>', re.DOTALL)
_CHOSEN = re.compile(r'<option value="(\w+)" selected>')


def chosen(html: str) -> dict[str, str]:
    """What the form of a page has chosen, by the names of its fields."""
    return {match["name"]: _CHOSEN.findall(match[0])[0] for match in _SELECT.finditer(html)}


@pytest.mark.parametrize("path", PAGES)
def test_a_guest_is_asked_to_sign_in(window: Open, path: str) -> None:
    assert window().get(path).location == f"/accounts/login/?next={path}"


def test_an_empty_list_says_what_would_stand_there_and_what_to_do(window: Open, alice: User) -> None:
    page = window(alice).get("/notices/")
    assert "No notifications yet." in page.text
    assert 'href="/waiting-room/"' in page.html


def test_the_list_has_the_latest_first_and_marks_what_was_not_read(window: Open, alice: User) -> None:
    old = make_notice(alice, "The hall is heated")
    make_notice(alice, "The bar is open", now=NOW + DAY)
    reading.mark_read(user=alice, public_id=old.public_id, now=NOW + DAY)
    page = window(alice).get("/notices/")
    assert page.text.index("The bar is open (unread)") < page.text.index("The hall is heated")
    assert page.html.count("data-unread") == 1


def test_the_menu_shows_how_many_are_not_read(window: Open, alice: User) -> None:
    for number in range(3):
        make_notice(alice, f"Thing {number}")
    page = window(alice).get("/waiting-room/")
    assert re.search(r'data-badge="notices">\s*<span class="visually-hidden">[^<]*</span><b>3</b>', page.html)


def test_following_a_notice_reads_it_and_leads_to_its_page(window: Open, alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    notice = notices_of(bob)[0]
    assert window(bob).get(f"/notices/{notice.public_id}/").location == f"/games/{game.public_id}/"
    assert unread_count(bob) == 0


def test_nobody_follows_somebody_elses_notice(window: Open, alice: User, bob: User) -> None:
    notice = make_notice(alice, "The hall is heated")
    assert window(bob).get(f"/notices/{notice.public_id}/").status == 404
    assert unread_count(alice) == 1


def test_opening_the_page_of_a_game_marks_only_its_notifications_as_read(
    window: Open, alice: User, bob: User
) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    play_moves(make_game(alice, bob), "11-15")
    make_notice(bob, "The bar is open")
    assert unread_count(bob) == 3
    page = window(bob).get(f"/games/{game.public_id}/")
    assert unread_count(bob) == 2
    assert re.search(r'data-badge="notices">\s*<span class="visually-hidden">[^<]*</span><b>1</b>', page.html)


def test_a_page_that_a_script_fetches_ahead_marks_nothing_as_read(
    window: Open, alice: User, bob: User
) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    browser = window(bob).client
    browser.get(f"/games/{game.public_id}/", headers={"Sec-Fetch-Mode": "cors"})
    assert unread_count(bob) == 1
    browser.get(f"/games/{game.public_id}/", headers={"Sec-Fetch-Mode": "navigate"})
    assert unread_count(bob) == 0


def test_all_can_be_marked_as_read(window: Open, alice: User, bob: User) -> None:
    make_notice(alice, "The hall is heated")
    make_notice(bob, "The bar is open")
    page = window(alice).post("/notices/read/", follow=True)
    assert "All notifications are marked as read." in page.text
    assert (unread_count(alice), unread_count(bob)) == (0, 1)


def test_looking_at_the_address_that_marks_all_marks_nothing(window: Open, alice: User) -> None:
    make_notice(alice, "The hall is heated")
    assert window(alice).get("/notices/read/").location == "/notices/"
    assert unread_count(alice) == 1


def test_the_list_comes_in_pages(window: Open, alice: User) -> None:
    for number in range(35):
        make_notice(alice, f"Thing {number:02}", now=NOW + number * DAY / 100)
    first = window(alice).get("/notices/")
    assert "Thing 04" not in first.text
    older = re.search(r'href="(\?after=[^"]*)">Older<', first.html)
    assert older is not None
    assert "Thing 04" in window(alice).get("/notices/" + older[1]).text


def test_a_page_of_notices_costs_the_same_however_many_there_are(
    window: Open, alice: User, django_assert_max_num_queries: object
) -> None:
    for number in range(30):
        make_notice(alice, f"Thing {number}")
    member = window(alice)
    member.get("/notices/")
    with django_assert_max_num_queries(20):  # type: ignore[operator]
        member.get("/notices/")


# ----------------------------------------------------------------------------------------- what one is told


def test_the_table_shows_the_usual_choice_of_each(window: Open, alice: User) -> None:
    form = chosen(window(alice).get("/notices/preferences/").html)
    timings = timings_of(alice.pk)
    shown = {f"{kind.value}.{way.value}": timing.value for (kind, way), timing in timings.items()}
    groups = {f"{group.value}.{way}": "recommended" for group in Group for way in ("mail", "push")}
    assert form == groups | {
        name: value for name, value in shown.items() if not name.startswith("staff.")
    } | {"digest_hour": "8"}


def test_one_choice_for_a_group_is_a_choice_for_each_of_its_kinds(window: Open, alice: User) -> None:
    member = window(alice)
    form = chosen(member.get("/notices/preferences/").html)
    member.post("/notices/preferences/", form | {"games.push": "never", "turn.mail": "daily"})
    form = chosen(member.get("/notices/preferences/").html)
    timings = timings_of(alice.pk)
    assert {timings[kind, Channel.PUSH] for kind in Group.GAMES.kinds} == {Timing.NEVER}
    assert (form["games.push"], form["games.mail"], form["turn.mail"]) == ("never", "mixed", "daily")

    member.post("/notices/preferences/", form | {"games.push": "recommended"})
    assert timings_of(alice.pk)[Kind.TURN, Channel.PUSH] is Timing.NOW


def test_the_menu_counts_one_thing_once(window: Open, alice: User, bob: User) -> None:
    play_moves(make_game(alice, bob), "11-15", "23-19")
    assert unread_count(alice) == 1
    html = window(alice).get("/rules/").html
    badge = re.compile(r'data-badge="(\w+)"[^>]*>\s*<span class="visually-hidden">[^<]*</span><b>(\d+)</b>')
    shown = dict(badge.findall(html))
    assert (shown["on_turn"], shown["notices"]) == ("1", "0")


@pytest.mark.parametrize("kind", [Kind.HALF, Kind.FIFTH, Kind.TWO_HOURS])
def test_a_reminder_of_a_game_on_turn_counts_with_that_game(alice: User, kind: Kind) -> None:
    make_notice(alice, "Half of your time is left", kind=kind)
    assert (unread_count(alice), counted_in_menu(alice).count()) == (1, 0)


def test_a_draw_offer_counts_once_whether_its_game_is_on_turn_or_not(alice: User, bob: User) -> None:
    on_turn, waiting = make_game(alice, bob), make_game(bob, alice)
    offer_draw(user=bob, game_id=on_turn.public_id, now=NOW)
    offer_draw(user=bob, game_id=waiting.public_id, now=NOW)

    counted = [notice.about for notice in counted_in_menu(alice) if notice.kind == Kind.DRAW]
    assert [notice.kind for notice in unread(alice)].count(Kind.DRAW) == 2
    assert counted == [f"game:{waiting.public_id}"]


def test_only_the_staff_choose_the_notifications_of_the_staff(window: Open, alice: User) -> None:
    assert "Work for the staff" not in window(alice).get("/notices/preferences/").text
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    assert "Work for the staff" in window(alice).get("/notices/preferences/").text


def test_what_is_chosen_is_stored_and_shown(window: Open, alice: User) -> None:
    member = window(alice)
    form = chosen(member.get("/notices/preferences/").html)
    form |= {"turn.mail": "daily", "draw.push": "never", "news.site": "now", "digest_hour": "19"}
    page = member.post("/notices/preferences/", form, follow=True)
    assert "Your settings are saved." in page.text
    assert chosen(page.html) == form | {"games.mail": "mixed", "games.push": "mixed"}
    assert timings_of(alice.pk)[Kind.TURN, Channel.MAIL] is Timing.DAILY


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"turn.mail": "sometimes"}, "Choose when you want to be notified."),
        ({"turn.site": "daily"}, "Choose one of now, never"),
        ({"digest_hour": "noon"}, "Choose an hour for the daily digest."),
        ({"digest_hour": "24"}, "Choose an hour from 0 to 23, not 24."),
    ],
)
def test_a_form_that_makes_no_sense_changes_nothing(
    window: Open, alice: User, form: dict[str, str], sentence: str
) -> None:
    page = window(alice).post("/notices/preferences/", {"draw.mail": "never"} | form)
    assert page.status == 422
    assert sentence in page.text
    assert timings_of(alice.pk)[Kind.DRAW, Channel.MAIL] is Timing.AWAY


def test_a_refused_address_is_shown_and_can_be_tried_again(window: Open, alice: User) -> None:
    Reader.objects.create(
        user=alice, refused_address=alice.email, refused_at=NOW, refused_why="550 no such mailbox"
    )
    member = window(alice)
    assert "550 no such mailbox" in member.get("/notices/preferences/").text
    assert "We will send e-mail to your address again." in (
        member.post("/notices/preferences/", {"try-address": ""}, follow=True).text
    )
    assert "550" not in member.get("/notices/preferences/").text


def test_browsers_are_listed_and_can_be_forgotten(window: Open, alice: User) -> None:
    device = Browser().subscribe(alice)
    member = window(alice)
    assert "Firefox, Linux since 1 March 2026" in member.get("/notices/preferences/").text
    member.post("/notices/preferences/", {"forget": device.public_id})
    assert not Device.objects.exists()


def test_times_of_the_list_are_in_your_own_zone(window: Open, alice: User) -> None:
    Preferences.objects.create(user=alice, time_zone="Asia/Kathmandu")
    make_notice(alice, "The hall is heated")
    assert "1 March 2026, 17:45" in window(alice).get("/notices/").text


def test_a_closed_account_leaves_nothing_here(alice: User) -> None:
    make_notice(alice, "The hall is heated")
    Browser().subscribe(alice)
    close(user=alice, now=clock.now())
    assert not Device.objects.exists()
    jobs.delete_old(clock.now())
    assert not Notice.objects.exists()
