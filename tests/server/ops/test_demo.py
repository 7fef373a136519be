"""`crownhead demo`: a sample club that pages of every kind have something to show of."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.notices.models import Delivery
from crownhead.server.ops import checking
from crownhead.server.ops.demo import club, people
from crownhead.server.ops.starting.first_start import CommandError
from crownhead.server.play.models import Game
from crownhead.server.ratings.models import Change
from tests.server.ops.test_commands import assert_one_line_error, run_crownhead

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def filled(db: None) -> Iterator[club.Filled]:
    """The smallest sample club, a minute after it was filled."""
    found = club.fill(members=club.FEWEST, now=NOW)
    with clock.stopped(NOW + timedelta(minutes=1)):
        yield found


def texts(client: Client, *paths: str) -> dict[str, str]:
    """What pages answer, by path."""
    answers = {path: client.get(path) for path in paths}
    assert {path: answer.status_code for path, answer in answers.items()} == dict.fromkeys(paths, 200)
    return {path: answer.content.decode() for path, answer in answers.items()}


def test_the_sample_club_has_something_to_show_everywhere_and_its_records_fit_together(
    filled: club.Filled,
) -> None:
    """One test, for the club takes seconds to fill."""
    guest, member = Client(), Client()
    assert member.login(username=filled.member, password=filled.password)

    running, over = "/tournaments/?status=running", "/tournaments/?status=finished"
    profile = f"/players/{people.MEMBER}/"
    public = texts(guest, "/", "/watch/", "/waiting-room/", "/teams/", "/news/", running, over, profile)
    own = texts(member, "/", "/messages/", "/games/finished/")

    assert "The evening arena is on" in public["/"]
    assert public["/watch/"].count('class="entry') > 5
    assert public["/waiting-room/"].count("/take/") > 2
    assert "Evening arena" in public[running]
    assert "Winter round robin" in public[over]
    assert "The Long Diagonal" in public["/teams/"]
    assert "my grandfather" in public[profile]
    assert "Your turn" in own["/"]
    assert "You owe me a rematch!" in own["/"]
    assert "That ending" in own["/messages/"]
    assert "You won" in own["/games/finished/"]
    check_everything()
    check_ratings()
    check_offers()


def check_ratings() -> None:
    """Ratings follow from the games in the order of their end."""
    for variant in Change.objects.values_list("variant", flat=True).distinct():
        ends = list(Change.objects.filter(variant=variant).order_by("id").values_list("at", flat=True))
        assert ends == sorted(ends)


def check_offers() -> None:
    """No live offer waits for somebody who is not there."""
    offered = Game.objects.filter(status="waiting")
    assert offered.exists()
    assert not offered.filter(pace="live").exists()


def check_everything() -> None:
    """All records fit together, nothing is left to be sent, and games are of many kinds."""
    assert list(checking.findings(repair=False)) == []
    assert not Delivery.objects.exists()
    assert Game.objects.values("variant").distinct().count() > 5
    endings = set(Game.objects.filter(status="finished").values_list("termination", flat=True))
    assert {"time", "resignation", "no-pieces"} <= endings


def test_a_club_with_members_is_left_alone(db: None) -> None:
    people.add_members(1, now=NOW, dice=Random(1))

    with pytest.raises(CommandError, match="has members already"):
        club.fill(members=club.FEWEST, now=NOW)
    assert User.objects.count() == 2


def test_the_size_of_a_sample_club_is_checked(tmp_path: Path) -> None:
    done = run_crownhead("demo", "--data", str(tmp_path / "data"), "--members", "3")

    assert_one_line_error(done, "12 to 32 members", status=2)
