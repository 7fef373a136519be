"""At once, when one is away, once a day, never: for letters, and for what happens meanwhile."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from crownhead.server.accounts.models import Ignored, Preferences, User
from crownhead.server.core.problems import Unprocessable
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Choice, Delivery, Notice
from crownhead.server.notices.selectors.reading import notices_of, unread_count
from crownhead.server.notices.services import preferences, reading
from crownhead.server.notices.services.notify import notify, withdraw
from crownhead.server.play.draws.services import offer_draw
from tests.server.notices.factories import DAY, HOUR, MINUTE, letters, make_notice, make_online, set_timing
from tests.server.play.factories import NOW, make_game, play_moves

pytestmark = pytest.mark.django_db

MAIL, PUSH, SITE = Channel.MAIL, Channel.PUSH, Channel.SITE


def test_at_once_is_within_a_minute_whether_one_is_here_or_not(alice: User) -> None:
    set_timing(alice, Kind.TROPHY, MAIL, Timing.NOW)
    make_online(alice, NOW)
    make_notice(alice, "The hall is heated")
    assert letters(NOW) == []
    assert letters(NOW + MINUTE) == ["alice: [Crownhead] The hall is heated"]
    assert letters(NOW + 2 * MINUTE) == []


def test_when_away_waits_until_one_has_gone(alice: User) -> None:
    set_timing(alice, Kind.TROPHY, MAIL, Timing.AWAY)
    make_notice(alice, "The hall is heated")
    make_online(alice, NOW + 4 * MINUTE)
    assert letters(NOW + 5 * MINUTE) == []
    assert letters(NOW + 9 * MINUTE) == []
    assert letters(NOW + 10 * MINUTE) == ["alice: [Crownhead] The hall is heated"]


def test_when_away_is_five_minutes_later_for_who_is_not_here(alice: User) -> None:
    set_timing(alice, Kind.TROPHY, MAIL, Timing.AWAY)
    make_notice(alice, "The hall is heated")
    assert letters(NOW + 4 * MINUTE) == []
    assert letters(NOW + 5 * MINUTE) == ["alice: [Crownhead] The hall is heated"]


def test_a_digest_gathers_the_day_in_one_email_at_its_hour_in_your_own_zone(alice: User) -> None:
    Preferences.objects.create(user=alice, time_zone="America/New_York")
    preferences.choose(user=alice, timings={(Kind.TROPHY, MAIL): Timing.DAILY}, digest_hour=20, now=NOW)
    for hour, subject in enumerate(["The hall is heated", "The bar is open", "New boards have come"]):
        make_notice(alice, subject, now=NOW + hour * HOUR)
    evening = NOW + 13 * HOUR  # noon in UTC is seven in New York
    assert letters(evening - MINUTE) == []
    assert letters(evening) == ["alice: [Crownhead] Your daily digest: 3 notifications"]
    make_notice(alice, "The hall is closed", now=evening)
    assert letters(evening + 23 * HOUR) == []
    assert letters(evening + DAY) == ["alice: [Crownhead] The hall is closed"]


def test_never_is_never(alice: User) -> None:
    set_timing(alice, Kind.TROPHY, MAIL, Timing.NEVER)
    make_notice(alice, "The hall is heated")
    assert letters(NOW + 9 * DAY) == []


def test_what_was_read_on_the_site_is_not_mailed(alice: User) -> None:
    set_timing(alice, Kind.TROPHY, MAIL, Timing.NOW)
    notice = make_notice(alice, "The hall is heated")
    reading.mark_read(user=alice, public_id=notice.public_id, now=NOW)
    assert letters(NOW + MINUTE) == []


def test_what_is_no_longer_so_is_not_mailed(alice: User, bob: User) -> None:
    set_timing(bob, Kind.TURN, MAIL, Timing.NOW)
    game = play_moves(make_game(alice, bob), "11-15")
    play_moves(game, "22-18")
    assert letters(NOW + MINUTE) == []


def test_several_turns_before_an_email_goes_are_one_email(alice: User, bob: User) -> None:
    for _ in range(3):
        play_moves(make_game(alice, bob), "11-15")
    assert letters(NOW + 5 * MINUTE) == ["bob: [Crownhead] It is your turn in 3 games"]
    assert letters(NOW + DAY) == []


def test_what_waits_about_the_same_game_goes_along(alice: User, bob: User) -> None:
    set_timing(bob, Kind.DRAW, MAIL, Timing.NOW)
    set_timing(bob, Kind.TURN, MAIL, Timing.DAILY)
    game = play_moves(make_game(alice, bob), "11-15")
    offer_draw(user=alice, game_id=game.public_id, now=NOW)
    assert letters(NOW + MINUTE) == ["bob: [Crownhead] alice offers a draw"]
    assert letters(NOW + 2 * DAY) == []


def test_what_waits_for_a_digest_sends_nothing_while_one_is_here(alice: User) -> None:
    set_timing(alice, Kind.TROPHY, MAIL, Timing.AWAY)
    set_timing(alice, Kind.REPORT, MAIL, Timing.DAILY)
    make_notice(alice, "The hall is heated", about="game:one")
    make_notice(alice, "The staff have answered", kind=Kind.REPORT, about="game:one")
    make_online(alice, NOW + 4 * MINUTE)
    assert letters(NOW + 5 * MINUTE) == []
    assert letters(NOW + 10 * MINUTE) == ["alice: [Crownhead] The staff have answered"]
    assert letters(NOW + DAY) == []


def test_what_was_read_takes_nothing_along_before_its_time(alice: User) -> None:
    set_timing(alice, Kind.TROPHY, MAIL, Timing.NOW)
    set_timing(alice, Kind.REPORT, MAIL, Timing.DAILY)
    read = make_notice(alice, "The hall is heated", about="game:one")
    make_notice(alice, "The staff have answered", kind=Kind.REPORT, about="game:one")
    reading.mark_read(user=alice, public_id=read.public_id, now=NOW)
    assert letters(NOW + HOUR) == []
    assert letters(NOW + DAY) == ["alice: [Crownhead] The staff have answered"]


def test_a_wish_that_changes_meanwhile_counts(alice: User) -> None:
    set_timing(alice, Kind.TROPHY, MAIL, Timing.DAILY)
    make_notice(alice, "The hall is heated")
    set_timing(alice, Kind.TROPHY, MAIL, Timing.NOW)
    assert letters(NOW + MINUTE) == ["alice: [Crownhead] The hall is heated"]
    make_notice(alice, "The bar is open")
    set_timing(alice, Kind.TROPHY, MAIL, Timing.NEVER)
    assert letters(NOW + 2 * DAY) == []


def test_notifications_from_somebody_blocked_later_are_dropped(alice: User, bob: User) -> None:
    notify(
        user_id=alice.pk, kind=Kind.MESSAGE, key="m", subject="bob writes", text="", link="/", now=NOW,
        actor_id=bob.pk,
    )  # fmt: skip
    Ignored.objects.create(user=alice, ignored=bob, created_at=NOW)
    assert letters(NOW + HOUR) == []


def test_what_is_announced_again_by_the_same_key_is_announced_once(alice: User) -> None:
    facts = {"user_id": alice.pk, "kind": Kind.TROPHY, "key": "k", "text": "", "link": "/", "now": NOW}
    assert notify(subject="Once", **facts) is not None  # type: ignore[arg-type]
    assert notify(subject="Twice", **facts) is None  # type: ignore[arg-type]
    assert [notice.subject for notice in notices_of(alice)] == ["Once"]


def test_what_is_withdrawn_is_neither_shown_nor_counted(alice: User) -> None:
    make_notice(alice, "A draw?", kind=Kind.DRAW, about="game:x")
    make_notice(alice, "Something else", about="game:x")
    assert withdraw(about="game:x", kinds=[Kind.DRAW], now=NOW) == 1
    assert [notice.subject for notice in notices_of(alice)] == ["Something else"]
    assert unread_count(alice) == 1


def test_a_player_who_wants_it_by_mail_alone_does_not_see_it_on_the_site(alice: User) -> None:
    set_timing(alice, Kind.TROPHY, SITE, Timing.NEVER)
    set_timing(alice, Kind.TROPHY, MAIL, Timing.NOW)
    make_notice(alice, "The hall is heated")
    assert unread_count(alice) == 0
    assert letters(NOW + MINUTE) == ["alice: [Crownhead] The hall is heated"]


def test_a_closed_account_gets_no_mail(alice: User) -> None:
    set_timing(alice, Kind.TROPHY, MAIL, Timing.NOW)
    make_notice(alice, "The hall is heated")
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert letters(NOW + MINUTE) == []
    assert Delivery.objects.get().state == "dropped"


def test_an_address_that_is_not_confirmed_gets_mail_only_where_the_host_allows_it(
    alice: User, settings: Settings
) -> None:
    set_timing(alice, Kind.TROPHY, MAIL, Timing.NOW)
    User.objects.filter(pk=alice.pk).update(email="new@club.example")
    make_notice(alice, "The hall is heated")
    settings.CONFIRM_EMAIL = True
    assert letters(NOW + MINUTE) == []
    settings.CONFIRM_EMAIL = False
    make_notice(alice, "The bar is open")
    assert letters(NOW + MINUTE) == ["new: [Crownhead] You win a trophy"]


def test_the_site_has_no_digest(alice: User) -> None:
    with pytest.raises(Unprocessable, match=r"turn\.site: Choose one of now, never, not 'daily'"):
        set_timing(alice, Kind.TURN, SITE, Timing.DAILY)


def test_what_is_usual_is_not_kept(alice: User) -> None:
    set_timing(alice, Kind.TURN, MAIL, Timing.DAILY)
    set_timing(alice, Kind.TURN, MAIL, Timing.AWAY)
    assert not Choice.objects.exists()


def test_old_notices_are_forgotten_after_two_months(alice: User) -> None:
    make_notice(alice, "Old")
    make_notice(alice, "New", now=NOW + 2 * DAY)
    assert reading.prune(now=NOW + 61 * DAY) == 1
    assert [notice.subject for notice in notices_of(alice)] == ["New"]


def test_what_was_withdrawn_is_forgotten_sooner(alice: User) -> None:
    make_notice(alice, "A draw?", kind=Kind.DRAW, about="game:x")
    withdraw(about="game:x", kinds=[Kind.DRAW], now=NOW)
    reading.prune(now=NOW + timedelta(days=4))
    assert not Notice.objects.exists()


def test_a_digest_that_is_due_goes_out_although_settings_are_saved_meanwhile(alice: User) -> None:
    preferences.choose(user=alice, timings={(Kind.TROPHY, MAIL): Timing.DAILY}, digest_hour=20, now=NOW)
    make_notice(alice, "The hall is heated")
    evening = NOW + 8 * HOUR
    preferences.choose(user=alice, timings={(Kind.TEAM, MAIL): Timing.NEVER}, now=evening)
    assert letters(evening + MINUTE) == ["alice: [Crownhead] The hall is heated"]


def test_another_digest_hour_takes_as_many_statements_however_much_waits(alice: User) -> None:
    preferences.choose(user=alice, timings={(Kind.TROPHY, MAIL): Timing.DAILY}, digest_hour=20, now=NOW)

    def queries(hour: int) -> int:
        with CaptureQueriesContext(connection) as captured:
            preferences.choose(user=alice, timings={}, digest_hour=hour, now=NOW)
        return len(captured)

    make_notice(alice, "The hall is heated")
    few = queries(21)
    for number in range(20):
        make_notice(alice, f"Board {number} is free")
    assert queries(22) <= few
    assert set(Delivery.objects.values_list("due_at", flat=True)) == {NOW + 10 * HOUR}


def test_what_waits_follows_a_choice_as_if_it_had_been_made_before(alice: User) -> None:
    set_timing(alice, Kind.TROPHY, MAIL, Timing.DAILY)
    make_notice(alice, "The hall is heated")
    make_notice(alice, "The bar is open", now=NOW + 2 * MINUTE)
    set_timing(alice, Kind.TROPHY, MAIL, Timing.AWAY, now=NOW + 3 * MINUTE)
    begun = list(Delivery.objects.order_by("pk").values_list("due_at", flat=True))
    assert begun == [NOW + 5 * MINUTE, NOW + 7 * MINUTE]
    set_timing(alice, Kind.TROPHY, MAIL, Timing.NEVER, now=NOW + 3 * MINUTE)
    assert set(Delivery.objects.values_list("due_at", flat=True)) == {NOW + 3 * MINUTE}
