"""What can be reported, found for the reporter, with its text at that moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from crownhead import VARIANTS
from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core.http import whole_number
from crownhead.server.core.problems import NotFound, Unprocessable
from crownhead.server.core.texts import expect_one_of
from crownhead.server.play import selectors as games
from crownhead.server.play.chat import selectors as chat_selectors
from crownhead.server.play.choices import Status
from crownhead.server.play.presenters.variant_texts import variant_name
from crownhead.server.social import selectors
from crownhead.server.social.choices import About
from crownhead.server.social.models import LONGEST_QUOTE
from crownhead.server.teams import selectors as teams


@dataclass(frozen=True, slots=True)
class Reported:
    """Something that can be reported: who is responsible, its text, and its page."""

    kind: About
    key: str
    about: User | None
    quoted: str
    link: str = ""


def find(*, user: User, kind: str, key: str, now: datetime) -> Reported:
    """Return what somebody wants to report; raises ``NotFound`` and ``Unprocessable``.

    Guests report the games in which they play, and nothing else.
    """
    expect_one_of("about", kind, _BY_KIND)
    reported = _BY_KIND[kind](user, key, now)
    if reported.about is not None and reported.about.pk == user.pk:
        raise Unprocessable(_("You can't report yourself."), field="key")
    return reported


def _message(user: User, key: str, _now: datetime) -> Reported:
    message = selectors.access_message(user=user, public_id=key)
    quoted = "\n".join(
        [
            f"{message.sender.username}, {message.sent_at:%Y-%m-%d %H:%M} UTC",
            *([message.conversation.subject] if message.conversation.subject else []),
            "",
            message.text,
        ]
    )
    return Reported(About.MESSAGE, message.public_id, message.sender, quoted)


def _player(user: User, key: str, _now: datetime) -> Reported:  # noqa: ARG001 - anybody sees a profile
    player = accounts.player(key)
    if player is None:
        raise NotFound(_("There is no player %(given)s.") % {"given": repr(key[:60])}, field="key")
    text = accounts.profile_of(player).text
    quoted = f"{player.username}\n\n{text}".rstrip()[:LONGEST_QUOTE]
    return Reported(About.PLAYER, player.folded, player, quoted)


def _chat(user: User, key: str, now: datetime) -> Reported:
    game = games.access_game(viewer=user, public_id=key, now=now)
    names = {"first": game.first_player, "second": game.second_player}
    lines = [
        f"{line.written_at:%Y-%m-%d %H:%M} {_name(names[line.seat])}: {line.text}"
        for line in chat_selectors.lines(game=game, viewer=user)
    ]
    if not lines:
        raise NotFound(_("There is no chat in this game that you can read."), field="key")
    quoted = "\n".join(lines)[-LONGEST_QUOTE:]
    others = [player for player in names.values() if player is not None and player.pk != user.pk]
    about = others[0] if len(others) == 1 else None
    return Reported(About.CHAT, key, about, quoted, reverse("pages:game", args=[key]))


def _game(user: User, key: str, now: datetime) -> Reported:
    game = games.access_game(viewer=user, public_id=key, now=now)
    players = [player for player in (game.first_player, game.second_player) if player is not None]
    others = [player for player in players if player.pk != user.pk]
    if user.is_guest and len(others) == len(players):
        raise NotFound(_("Without an account you can report your own games."), field="key")
    variant = variant_name(VARIANTS[game.variant])
    quoted = "\n".join(
        [
            " – ".join(player.username for player in players),
            f"{variant}, {Status(game.status).label}, moves: {len(game.moves.split())}",
            game.moves,
        ]
    )[:LONGEST_QUOTE]
    about = others[0] if len(others) == 1 else None
    return Reported(About.GAME, key, about, quoted, reverse("pages:game", args=[key]))


def _post(user: User, key: str, _now: datetime) -> Reported:
    team_id, _dash, number = key.rpartition("-")
    post_key = whole_number(number)
    if post_key is not None:
        team = teams.access_team(team_id)
        post = teams.posts(user, team).filter(pk=post_key).first()
        if post is not None:
            by = f"{post.author.username}, {post.written_at:%Y-%m-%d %H:%M} UTC, {team.name}"
            link = reverse("teams:board", args=[team_id])
            return Reported(About.POST, key, post.author, f"{by}\n\n{post.text}", link)
    raise NotFound(_("There is no such message on the board."), field="key")


def _name(player: User | None) -> str:
    return player.username if player else "?"


_BY_KIND: Mapping[str, Callable[[User, str, datetime], Reported]] = {
    About.MESSAGE.value: _message,
    About.PLAYER.value: _player,
    About.CHAT.value: _chat,
    About.GAME.value: _game,
    About.POST.value: _post,
}
