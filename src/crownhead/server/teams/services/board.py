"""A team's message board, written and read by its members.

It has an end: who writes more than a board keeps of one member deletes their own oldest messages, and a full
board loses those of the member who has most on it, so that a few who flood it push out nobody else's.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import check_may_write
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.markup.stored import render_ahead
from crownhead.server.core.problems import Forbidden, NotFound
from crownhead.server.teams.access import about, checked_text, expect_member, leads, lock_team
from crownhead.server.teams.events import TeamPostWritten
from crownhead.server.teams.models import Post

LONGEST_POST = 4000
MAX_POSTS, MAX_OF_MEMBER = 5000, 500  # that a board keeps, the latest ones
_AT_ONCE = 10  # of those beyond, deleted by who writes; the next one goes on


def write(*, user: User, team_id: str, text: str, now: datetime) -> Post:
    """Post a message on the board; the oldest go where it keeps no more."""
    checked = checked_text("text", text, longest=LONGEST_POST, least=1)
    check_may_write(user=user, now=now, text=checked)
    render_ahead(checked)
    with transaction.atomic():
        team = lock_team(team_id)
        expect_member(team, user)
        post = Post.objects.create(team=team, author=user, text=checked, written_at=now)
        board = Post.objects.filter(team=team)
        _delete_oldest(board.filter(author=user), beyond=board.filter(author=user).count() - MAX_OF_MEMBER)
        _make_room(board)
        emit(about(TeamPostWritten, team, author_id=user.pk, post_id=post.pk))
    return post


def take_down(*, user: User, team_id: str, post_id: int) -> None:
    """Delete a message from the board: one's own, or any for the captain and the staff."""
    with transaction.atomic():
        team = lock_team(team_id)
        post = Post.objects.filter(team=team, pk=post_id).first()
        is_own = post is not None and post.author_id == user.pk
        if not is_own and not leads(user, team):
            expect_member(team, user)  # who cannot read the board is not told what is on it
        if post is None:
            raise NotFound(_("There is no such message on the board."))
        if not is_own and not leads(user, team):
            raise Forbidden(_("You can only delete your own messages."))
        post.delete()


def _make_room(board: QuerySet[Post]) -> None:
    """Delete the oldest messages of the member with most on a full board: who floods it deletes their own."""
    beyond = board.count() - MAX_POSTS
    if beyond > 0:
        most = (
            board.order_by().values("author").annotate(written=Count("pk")).order_by("-written", "author")[0]
        )
        _delete_oldest(board.filter(author=most["author"]), beyond=beyond)


def _delete_oldest(rows: QuerySet[Post], *, beyond: int) -> None:
    """Delete so many of the oldest messages, a few at once."""
    oldest = rows.order_by("pk").values_list("pk", flat=True)[: max(0, min(beyond, _AT_ONCE))]
    if keys := list(oldest):
        Post.objects.filter(pk__in=keys).delete()
