"""The buttons of the directors' page: from the fields of a form to a service."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime

from django.http import QueryDict
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.competitions import services
from crownhead.server.core.moments import field_moment
from crownhead.server.core.problems import Unprocessable

_PARTS = re.compile(r"[,;\n]+")
_LONGEST_LIST = 50_000  # characters: twice what the names of the largest tournament take

Action = Callable[[User, str, QueryDict, datetime], object]


def names_in(text: str) -> list[str]:
    """Names, one per line or separated by commas."""
    return [name.strip() for name in _PARTS.split(_checked_list(text)) if name.strip()]


def pairs_in(text: str) -> list[tuple[str, str]]:
    """Pairs of names, one per line: ``anna - bob``, ``anna bob``; who moves first is named first."""
    pairs = []
    for line in filter(None, (line.strip() for line in _checked_list(text).splitlines())):
        names = [name for name in re.split(r"\s+(?:-|–|:|vs\.?)\s+|\s+|\s*[,;:]\s*", line) if name]
        if len(names) != 2:
            raise Unprocessable(_("Write two names in the line “%(line)s”.") % {"line": line[:60]})
        pairs.append((names[0], names[1]))
    return pairs


def _checked_list(text: str) -> str:
    if len(text) > _LONGEST_LIST:
        raise Unprocessable(_("Use at most %(limit_value)s characters.") % {"limit_value": _LONGEST_LIST})
    return text


def moment_in(text: str) -> datetime:
    """A moment in the director's zone; raises ``Unprocessable``."""
    try:
        return field_moment(text)
    except ValueError as error:
        raise Unprocessable(_("Enter a date and a time.")) from error


def _number(form: QueryDict, name: str) -> int:
    text = form.get(name, "").strip()
    if not text.isdecimal() or len(text) > 6:
        raise Unprocessable(_("Enter the numbers of a round and a table."))
    return int(text)


def _chosen(form: QueryDict, name: str, otherwise: str) -> str:
    """What was chosen of a list that starts empty; raises ``Unprocessable``, which says what to do."""
    chosen = form.get(name, "").strip()
    if not chosen:
        raise Unprocessable(otherwise)
    return chosen


def _invite(user: User, key: str, form: QueryDict, now: datetime) -> None:
    services.invite(user=user, tournament_id=key, usernames=names_in(form.get("names", "")), now=now)


def _uninvite(user: User, key: str, form: QueryDict, now: datetime) -> None:
    name = form.get("username", "")
    services.withdraw_invitation(user=user, tournament_id=key, username=name, now=now)


def _seed(user: User, key: str, form: QueryDict, now: datetime) -> None:
    services.seed(user=user, tournament_id=key, usernames=names_in(form.get("names", "")), now=now)


def _directors(user: User, key: str, form: QueryDict, now: datetime) -> None:
    names = names_in(form.get("names", ""))
    services.set_directors(user=user, tournament_id=key, usernames=names, now=now)


def _start(user: User, key: str, _form: QueryDict, now: datetime) -> None:
    services.start(user=user, tournament_id=key, now=now)


def _cancel(user: User, key: str, form: QueryDict, now: datetime) -> None:
    services.cancel(user=user, tournament_id=key, reason=form.get("reason", ""), now=now)


def _close(user: User, key: str, form: QueryDict, now: datetime) -> None:
    services.close(user=user, tournament_id=key, reason=form.get("reason", ""), now=now)


def _extend(user: User, key: str, form: QueryDict, now: datetime) -> None:
    until = moment_in(form.get("until", ""))
    services.extend(user=user, tournament_id=key, until=until, reason=form.get("reason", ""), now=now)


def _expel(user: User, key: str, form: QueryDict, now: datetime) -> None:
    services.expel(
        user=user,
        tournament_id=key,
        username=_chosen(form, "username", _("Choose a player.")),
        reason=form.get("reason", ""),
        now=now,
    )


def _replace(user: User, key: str, form: QueryDict, now: datetime) -> None:
    services.invite_substitute(
        user=user,
        tournament_id=key,
        username=_chosen(form, "username", _("Choose a player.")),
        substitute=form.get("substitute", ""),
        reason=form.get("reason", ""),
        now=now,
    )


def _pair(user: User, key: str, form: QueryDict, now: datetime) -> None:
    pairs = pairs_in(form.get("pairs", ""))
    services.pair_by_hand(user=user, tournament_id=key, pairs=pairs, reason=form.get("reason", ""), now=now)


def _release(user: User, key: str, _form: QueryDict, now: datetime) -> None:
    services.release(user=user, tournament_id=key, now=now)


def _release_later(user: User, key: str, _form: QueryDict, now: datetime) -> None:
    services.release(user=user, tournament_id=key, now=now, later=True)


def _adjourn(user: User, key: str, form: QueryDict, now: datetime) -> None:
    until = moment_in(form.get("until", "")) if form.get("do") == "adjourn" else None
    services.adjourn(
        user=user,
        tournament_id=key,
        number=_number(form, "round"),
        table=_number(form, "table"),
        until=until,
        reason=form.get("reason", ""),
        now=now,
    )


def _forfeit(user: User, key: str, form: QueryDict, now: datetime) -> None:
    services.forfeit(
        user=user,
        tournament_id=key,
        number=_number(form, "round"),
        table=_number(form, "table"),
        loser=_chosen(form, "loser", _("Choose who forfeits.")),
        reason=form.get("reason", ""),
        now=now,
    )


def _adjudicate(user: User, key: str, form: QueryDict, now: datetime) -> None:
    services.adjudicate(
        user=user,
        tournament_id=key,
        game_id=form.get("game", ""),
        result=_chosen(form, "result", _("Choose the result.")),
        reason=form.get("reason", ""),
        now=now,
    )


def _annul(user: User, key: str, form: QueryDict, now: datetime) -> None:
    services.annul(
        user=user,
        tournament_id=key,
        game_id=form.get("game", ""),
        again=bool(form.get("again")),
        reason=form.get("reason", ""),
        now=now,
    )


ACTIONS: Mapping[str, Action] = {
    "invite": _invite,
    "uninvite": _uninvite,
    "seed": _seed,
    "directors": _directors,
    "start": _start,
    "cancel": _cancel,
    "close": _close,
    "extend": _extend,
    "expel": _expel,
    "replace": _replace,
    "pair": _pair,
    "release": _release,
    "release_later": _release_later,
    "adjourn": _adjourn,
    "resume": _adjourn,
    "forfeit": _forfeit,
    "adjudicate": _adjudicate,
    "annul": _annul,
}
