"""Members of different habits use the site, and everybody gets exactly the notifications they want."""

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
from tests.server.simulation import invariants
from tests.server.simulation.outgoing import CLUB
from tests.server.simulation.run import running_club

SEED = 8


@pytest.fixture
def deterministic(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Random:
    """Seeded randomness, caught e-mails and no pictures."""
    settings.PUBLIC_ADDRESS, settings.DATA = CLUB, tmp_path
    settings.EMAIL_BACKEND = "tests.server.simulation.outgoing.MailBackend"
    monkeypatch.setattr(pictures, "picture", lambda _notice, _user: None)
    dice = Random(SEED)
    monkeypatch.setattr(secrets, "SystemRandom", lambda: dice)
    monkeypatch.setattr(secrets, "randbits", dice.getrandbits)
    return dice


def simulate(
    members: int,
    days: int,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    *,
    activity: float = 1.0,
    everything: bool = False,
) -> str:
    """Simulate some days and check everything; a summary.

    ``everything``: whatever people can do and be told must have happened to somebody.
    """
    with running_club(members, days, SEED, activity=activity) as simulation, caplog.at_level(logging.WARNING):
        monkeypatch.setattr(push, "webpush", simulation.club.pushes.push)
        club = simulation.live()
        invariants.check(club)
        said = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
        assert not said, said
        assert not everything or invariants.left_out(club) == set(), invariants.summary(club)
        return invariants.summary(club)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("deterministic")
def test_some_members_use_the_site_for_some_days(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sys.stdout.write(simulate(14, 4, monkeypatch, caplog))


@pytest.mark.nightly
@pytest.mark.timeout(1800)  # some five minutes
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("deterministic")
def test_two_hundred_members_use_the_site_for_a_month(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sys.stdout.write(simulate(200, 30, monkeypatch, caplog, activity=0.35, everything=True))
