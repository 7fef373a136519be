"""A team that is disbanded is gone at once; a repeated job deletes what is left, some rows at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services.closing import close as close_account
from crownhead.server.core import exports
from crownhead.server.core import jobs as core_jobs
from crownhead.server.core.problems import Forbidden, NotFound
from crownhead.server.core.processes.queues import GENERAL
from crownhead.server.social.services import reports
from crownhead.server.teams import jobs, selectors, services
from crownhead.server.teams.models import JoinRequest, Member, Post, Team
from tests.server.conftest import Api, make_user
from tests.server.play.factories import NOW
from tests.server.play.test_at_once import at_once, in_a_file
from tests.server.tasks import run_tasks
from tests.server.teams.factories import fresh, make_team
from tests.server.test_query_bounds import counted

__all__ = ["in_a_file"]

pytestmark = pytest.mark.django_db

ROWS = (Post, Member, JoinRequest)


@pytest.fixture(autouse=True)
def three_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The job deletes three rows at a time."""
    monkeypatch.setattr(core_jobs, "AT_ONCE", 3)
    monkeypatch.setattr(core_jobs, "_PAUSE", 0)


def fill(team: Team, author: User, *, posts: int = 0, members: int = 0) -> None:
    """Let a team have posts, and members who have nothing else."""
    Post.objects.bulk_create(
        Post(team=team, author=author, text=f"Post {number}", written_at=NOW) for number in range(posts)
    )
    people = User.objects.bulk_create(
        User(username=f"{team.pk}x{number}", folded=f"{team.pk}x{number}", likeness=f"{team.pk}x{number}")
        for number in range(members)
    )
    Member.objects.bulk_create(Member(team=team, user=user, joined_at=NOW) for user in people)
    Team.objects.filter(pk=team.pk).update(size=1 + members)


def archived(user: User) -> str:
    """What the archive of a member holds about teams."""
    names = ("teams.json", "team_requests.json", "team_posts.json")
    return "".join(b"".join(exports.pieces(name, user)).decode() for name in names)


@pytest.fixture(params=["at once", "when the job has run"])
def gone(request: pytest.FixtureRequest, alice: User, bob: User, charlie: User) -> Team:
    """A team of Alice and Bob that was disbanded, to which Charlie was invited."""
    team = make_team(alice, "Blue Dogs")
    services.join(user=bob, team_id=team.public_id, now=NOW)
    services.invite(user=alice, team_id=team.public_id, username="charlie", now=NOW)
    services.write(user=alice, team_id=team.public_id, text="Secret plans", now=NOW)
    assert "Secret plans" in archived(alice)
    services.disband(user=alice, team_id=team.public_id, now=NOW)
    if request.param != "at once":
        jobs.clear_what_is_left(NOW)
    return fresh(team)


def test_nobody_is_in_a_team_that_was_disbanded_or_reads_its_board(
    gone: Team, alice: User, bob: User, charlie: User
) -> None:
    team, post = gone, Post.objects.first()
    key = f"{team.public_id}-{post.pk if post else 1}"
    for user in (alice, bob, charlie):
        assert not selectors.teams_of(user.pk).exists()
        assert not selectors.is_member(user.pk, team.public_id)
        assert selectors.join_request_of(user, team) is None
        with pytest.raises(Forbidden):
            selectors.posts(user, team)
        assert "Blue Dogs" not in archived(user)
        with pytest.raises((Forbidden, NotFound)):
            reports.report(user=user, kind="post", key=key, reason="It is rude.", now=NOW)
    assert not selectors.posts(make_user("stella", is_staff=True), team).exists()
    assert not selectors.members(team).exists()
    assert not selectors.my_invitations(charlie).exists()
    assert selectors.member_ids(team.public_id) == set()
    with pytest.raises(NotFound):
        services.join(user=charlie, team_id=team.public_id, now=NOW)
    with pytest.raises(NotFound):
        services.decline(user=charlie, team_id=team.public_id)


def test_no_page_shows_what_is_left_of_a_team_that_was_disbanded(gone: Team, api: Api, bob: User) -> None:
    client = Client()
    client.force_login(bob)
    for path in ("/teams/", "/teams/?show=mine"):
        assert "Blue Dogs" not in client.get(path).content.decode()
    shown = client.get(f"/teams/{gone.public_id}/").content.decode()
    assert "This team was disbanded." in shown
    assert "bob</a>" not in shown.split("<main", 1)[-1]
    program = api.as_(bob)
    assert program.get(f"/teams/{gone.public_id}/members").json()["items"] == []
    assert program.get(f"/teams/{gone.public_id}/posts").status_code == 403


def test_the_job_deletes_some_rows_at_a_time_and_leaves_other_teams_alone(alice: User, bob: User) -> None:
    gone, stays = make_team(alice, "Blue Dogs"), make_team(bob, "Red Cats")
    for team, author in ((gone, alice), (stays, bob)):
        fill(team, author, posts=10, members=4)
    services.invite(user=alice, team_id=gone.public_id, username="bob", now=NOW)
    services.disband(user=alice, team_id=gone.public_id, now=NOW)
    with counted() as statements:
        jobs.clear_what_is_left(NOW)
    assert sum(sql.startswith('DELETE FROM "teams_post"') for sql in statements) == 4
    assert sum(sql.startswith('DELETE FROM "teams_member"') for sql in statements) == 2
    assert [rows.objects.filter(team=gone).count() for rows in ROWS] == [0, 0, 0]
    assert [rows.objects.filter(team=stays).count() for rows in ROWS] == [10, 5, 0]
    with counted() as statements:
        jobs.clear_what_is_left(NOW)
    assert all(sql.startswith("SELECT") for sql in statements)


@pytest.mark.parametrize("way", ["disband", "leave", "account"])
def test_the_end_of_a_team_costs_the_same_however_much_is_on_its_board(way: str) -> None:
    found = []
    for count in (1, 2000):
        captain = make_user(f"captain{count}")
        team = make_team(captain, f"Dogs {count}")
        fill(team, captain, posts=count, members=count if way == "disband" else 0)
        acts = {
            "disband": partial(services.disband, user=captain, team_id=team.public_id, now=NOW),
            "leave": partial(services.leave, user=captain, team_id=team.public_id, now=NOW),
            "account": partial(close_account, user=captain, now=NOW),
        }
        with counted() as statements:
            acts[way]()
            run_tasks(GENERAL)
        tables = ("teams_post", "teams_member", "teams_knock")
        changed = [sql for sql in statements if not sql.startswith("SELECT")]
        assert not [sql for sql in changed if any(f'"{name}"' in sql.split("WHERE")[0] for name in tables)]
        found.append(len(statements))
        assert fresh(team).disbanded_at == NOW
        assert Post.objects.filter(team=team).count() == count
    assert found[0] == found[1]


def test_an_account_that_is_closed_is_shown_in_no_team_and_leaves_all(alice: User) -> None:
    others = [make_team(make_user(f"captain{number}"), f"Dogs {number}") for number in range(7)]
    led = make_team(alice, "Mine")
    heir = make_user("heir")
    services.join(user=heir, team_id=led.public_id, now=NOW)
    for team in others[:6]:
        services.join(user=alice, team_id=team.public_id, now=NOW)
    captain = others[6].captain
    services.edit_team(
        user=captain, team_id=others[6].public_id, name="Dogs 6", about_text="", joining="ask", now=NOW
    )
    services.join(user=alice, team_id=others[6].public_id, now=NOW)
    close_account(user=alice, now=NOW)
    assert Member.objects.filter(user=alice).count() == 7
    for _ in range(2):
        for team in (led, *others):
            assert not selectors.members(team).filter(user=alice).exists()
            assert alice.pk not in selectors.member_ids(team.public_id)
        assert not selectors.join_requests(captain, fresh(others[6])).exists()
        jobs.clear_what_is_left(NOW)
    assert fresh(led).successor == heir
    assert not Member.objects.filter(user=alice).exists()
    assert not JoinRequest.objects.exists()
    assert {fresh(team).size for team in [led, *others]} == {1}


def test_the_worker_soon_leaves_the_teams_of_a_closed_account(alice: User, bob: User) -> None:
    team = make_team(alice, "Mine")
    services.join(user=bob, team_id=team.public_id, now=NOW)
    close_account(user=alice, now=NOW)
    run_tasks(GENERAL)
    assert (fresh(team).size, fresh(team).successor) == (1, bob)


def test_closing_an_account_costs_the_same_in_however_many_teams() -> None:
    found = []
    for count in (2, 6):
        user, captain = make_user(f"member{count}"), make_user(f"captain{count}")
        teams = Team.objects.bulk_create(
            Team(
                name=f"Dogs {count}-{number}",
                likeness=f"dogs{count}x{number}",
                captain=captain,
                size=2,
                created_at=NOW,
            )
            for number in range(count)
        )
        for person in (user, captain):
            Member.objects.bulk_create(Member(team=team, user=person, joined_at=NOW) for team in teams)
        with counted() as statements:
            close_account(user=user, now=NOW)
        found.append(len(statements))
    assert found[0] == found[1]


@pytest.mark.django_db(transaction=True)
def test_several_workers_leave_and_clear_at_once(
    alice: User, bob: User, in_a_file: Callable[[], None]
) -> None:
    gone, stays, alone = make_team(bob, "Blue Dogs"), make_team(bob, "Red Cats"), make_team(alice, "Alone")
    for team in (gone, stays):
        services.join(user=alice, team_id=team.public_id, now=NOW)
    fill(alone, alice, posts=10)
    Post.objects.bulk_create(Post(team=gone, author=bob, text="So", written_at=NOW) for _ in range(20))
    close_account(user=alice, now=NOW)
    in_a_file()
    at_once(
        [partial(jobs.clear_what_is_left, NOW)] * 4
        + [partial(services.disband, user=bob, team_id=gone.public_id, now=NOW)]
    )
    jobs.clear_what_is_left(NOW)
    assert list(Member.objects.values_list("team", "user")) == [(stays.pk, bob.pk)]
    assert fresh(stays).size == 1
    assert fresh(alone).disbanded_at == NOW
    assert not Post.objects.exists()
