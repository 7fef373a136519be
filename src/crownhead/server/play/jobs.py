"""Repeated work on games beside the sweeper's own, and checks of them."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.core.background.checks import check
from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.jobs import repeat
from crownhead.server.play.games.services import account_closing, checking, packing, unplayed
from crownhead.server.play.plans import services as plan_services


@repeat("finished games", timedelta(minutes=10), lasts=True)
def pack_finished_games(now: datetime) -> None:
    """Pack games that ended some days ago."""
    packing.pack_games(now=now)


@repeat("offers that came to nothing", timedelta(hours=1), lasts=True)
def delete_old_offers(now: datetime) -> None:
    """Delete offers that ended some weeks ago without a game."""
    unplayed.delete_old(now=now)


@repeat("games of closed accounts", timedelta(minutes=10))
def end_games_of_closed_accounts(now: datetime) -> None:
    """End what a worker has left of them, before anybody loses on time."""
    one_by_one(
        account_closing.with_something_left(now),
        lambda user_id: account_closing.end_everything_of(user_id=user_id, now=now),
        failing="what the closed account %s has open cannot be ended",
    )


@repeat("notes of closed accounts", timedelta(hours=1), lasts=True)
def forget_closed_accounts(now: datetime) -> None:
    """Delete what was theirs alone of all their games."""
    account_closing.forget_closed_accounts(now=now)


@repeat("plans of games that are over", timedelta(hours=1), lasts=True)
def delete_old_plans(_now: datetime) -> None:
    """Delete the plans of games that are over."""
    plan_services.delete_old()


check("games")(checking.findings_of_games)
check("matches")(checking.findings_of_matches)
