"""Members of different habits live in the club: nobody is told twice, nobody who asked is not told."""

from __future__ import annotations

import logging
import secrets
import sys
from pathlib import Path
from random import Random

import pytest
from pytest_django import Settings

from crownhead.server.notices.channels import push
from crownhead.server.notices.presenters import pictures
from tests.server.month import truth
from tests.server.month.month import a_club
from tests.server.month.post import CLUB

SEED = 8


@pytest.fixture
def a_quiet_street(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Random:
    """Dice that fall the same each time, letters in a box, no board drawn for them."""
    settings.PUBLIC_ADDRESS, settings.DATA = CLUB, tmp_path
    settings.EMAIL_BACKEND = "tests.server.month.post.Box"
    monkeypatch.setattr(pictures, "picture", lambda _notice, _user: None)
    dice = Random(SEED)
    monkeypatch.setattr(secrets, "SystemRandom", lambda: dice)
    monkeypatch.setattr(secrets, "randbits", dice.getrandbits)
    return dice


def lived(
    members: int,
    days: int,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    *,
    bustle: float = 1.0,
    everything: bool = False,
) -> str:
    """A club after so many days, looked at from all sides; what happened, in a line.

    ``everything``: whatever people can do and be told must have happened to somebody.
    """
    with a_club(members, days, SEED, bustle=bustle) as month, caplog.at_level(logging.WARNING):
        monkeypatch.setattr(push, "webpush", month.club.pushes.push)
        club = month.live()
        truth.check(club)
        said = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
        assert not said, said
        assert not everything or truth.left_out(club) == set(), truth.summary(club)
        return truth.summary(club)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("a_quiet_street")
def test_some_members_live_some_days(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sys.stdout.write(lived(24, 4, monkeypatch, caplog))


@pytest.mark.nightly
@pytest.mark.timeout(1800)  # some five minutes
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("a_quiet_street")
def test_two_hundred_members_live_a_month(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sys.stdout.write(lived(200, 30, monkeypatch, caplog, bustle=0.35, everything=True))
