"""Every request that the site answers, from its addresses and its OpenAPI document, ready to be sent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponseBase
from django.urls import get_resolver

from tests.browser.site_pages import patterns
from tests.server.contract import operations, resolved
from tests.server.play.factories import DAY, NOW

_BACK_OFFICE = "staff/"
_API = "api"
_STREAM = "/api/v1/events"  # no view: tests/server/live

# What stands for the parameters of an address, by how the address begins: the longest beginning counts, and
# one with the method comes first. A page that continues one of these needs no row of its own.
PARAMETERS = {
    "games/<slug:public_id>": "games/{game}",
    "games/<slug:public_id>/review": "games/{over}/review",
    "matches/<slug:match_id>": "matches/{match}",
    "analysis/<slug:study_id>": "analysis/{study}",
    "rules/<slug:key>": "rules/turkish",
    "waiting-room/<slug:public_id>": "waiting-room/{offer}",
    "invitations/<slug:public_id>": "invitations/{invited}",
    "join/<str:token>": "join/{join}",
    "problems/<slug:key>": "problems/1e31a9892f",
    "ratings/<slug:key>": "ratings/american",
    "players/<str:name>": "players/{player}",
    "players/<str:name>/ratings/<slug:key>": "players/{player}/ratings/american",
    "players/<str:name>/contact": "players/{second}/contact",
    "teams/<slug:team_id>": "teams/{team}",
    "teams/<slug:team_id>/challenge": "teams/{rivals}/challenge",
    "team-matches/<slug:match_id>": "team-matches/{team_match}",
    "ladders/<slug:ladder_id>": "ladders/{ladder}",
    "tournaments/<slug:tournament_id>": "tournaments/{tournament}",
    "tournaments/<slug:tournament_id>/edit": "tournaments/{entry}/edit",
    "tournaments/<slug:tournament_id>/take-part": "tournaments/{entry}/take-part",
    "tournaments/<slug:tournament_id>/rounds/<int:number>": "tournaments/{tournament}/rounds/1",
    "tournaments/<slug:tournament_id>/rounds/<int:number>/<int:table>": "tournaments/{live}/rounds/1/{table}",
    "friends/<slug:token>": "friends/{friend}",
    "no-more/<str:token>": "no-more/{no_more}",
    "my-data/<slug:public_id>": "my-data/{archive}",
    "messages/<slug:public_id>": "messages/{conversation}",
    "message/<slug:public_id>": "message/{message}",
    "report/<slug:kind>/<slug:key>": "report/player/muted-1",
    "news/<slug:public_id>": "news/{news}",
    "help/<slug:key>": "help/board",
    "notices/<slug:public_id>": "notices/{notice}",
    "notices/stop/<str:token>": "notices/stop/{stop}",
    "accounts/confirm-email/(?P<key>[-:\\w]+)": "accounts/confirm-email/no-such-key",
    "accounts/password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)": "accounts/password/reset/key/1-no",
    "accounts/email/change/<str:token>": "accounts/email/change/no-such-token",
    "accounts/unlock/<str:token>": "accounts/unlock/no-such-token",
    "accounts/passkeys/<int:pk>": "accounts/passkeys/1",
    # the API
    "api/v1/analyses/{study_id}": "api/v1/analyses/{study}",
    "api/v1/buddies/{name}": "api/v1/buddies/{second}",
    "api/v1/conversations/{conversation_id}": "api/v1/conversations/{conversation}",
    "api/v1/games/{game_id}": "api/v1/games/{game}",
    "api/v1/games/{game_id}/rematch": "api/v1/games/{over}/rematch",
    "api/v1/games/{game_id}/review": "api/v1/games/{over}/review",
    "api/v1/ignored/{name}": "api/v1/ignored/{second}",
    "api/v1/invitations/{game_id}": "api/v1/invitations/{invited}",
    "api/v1/join/{token}": "api/v1/join/{join}",
    "api/v1/ladders/{ladder_id}": "api/v1/ladders/{ladder}",
    "api/v1/matches/{match_id}": "api/v1/matches/{match}",
    "api/v1/me/archives/{archive_id}": "api/v1/me/archives/{archive}",
    "api/v1/messages/{message_id}": "api/v1/messages/{message}",
    "api/v1/news/{news_id}": "api/v1/news/{news}",
    "api/v1/notices/{notice_id}": "api/v1/notices/{notice}",
    "api/v1/players/{name}": "api/v1/players/{player}",
    "api/v1/players/{name}/against/{opponent}": "api/v1/players/{player}/against/{second}",
    "api/v1/players/{name}/ratings/{variant}": "api/v1/players/{player}/ratings/american",
    "api/v1/players/{username}": "api/v1/players/{player}",
    "api/v1/problems/{problem_id}": "api/v1/problems/1e31a9892f",
    "api/v1/push/{device_id}": "api/v1/push/{device}",
    "api/v1/ratings/{variant}": "api/v1/ratings/american",
    "api/v1/team-matches/{match_id}": "api/v1/team-matches/{team_match}",
    "api/v1/teams/{team_id}": "api/v1/teams/{team}",
    "api/v1/teams/{team_id}/members/{username}": "api/v1/teams/{team}/members/{team_player}",
    "api/v1/teams/{team_id}/posts/{post_id}": "api/v1/teams/{team}/posts/{post}",
    "api/v1/teams/{team_id}/requests/{username}": "api/v1/teams/{team}/requests/{asking}",
    "POST api/v1/teams/{team_id}/matches": "api/v1/teams/{rivals}/matches",
    "api/v1/variants/{variant}": "api/v1/variants/american",
    "api/v1/tokens/{token_id}": "api/v1/tokens/{token}",
    "api/v1/tournaments/{tournament_id}": "api/v1/tournaments/{tournament}",
    **{
        f"api/v1/tournaments/{{tournament_id}}/{rest}": f"api/v1/tournaments/{{entry}}/{rest}"
        for rest in ("enter", "withdraw", "start", "cancel", "invitations", "seeds")
    },
    "PUT api/v1/tournaments/{tournament_id}": "api/v1/tournaments/{entry}",
    "PUT api/v1/tournaments/{tournament_id}/directors": "api/v1/tournaments/{tournament}/directors",
    "PUT api/v1/tournaments/{tournament_id}/pairs": "api/v1/tournaments/{tournament}/pairs",
    "PUT api/v1/tournaments/{tournament_id}/seeds": "api/v1/tournaments/{entry}/seeds",
    "api/v1/tournaments/{tournament_id}/invitations/{username}": (
        "api/v1/tournaments/{entry}/invitations/{asking}"
    ),
    "api/v1/tournaments/{tournament_id}/players/{username}": "api/v1/tournaments/{entry}/players/{entrant}",
    "api/v1/tournaments/{tournament_id}/rounds/{number}": "api/v1/tournaments/{tournament}/rounds/1",
    "api/v1/tournaments/{tournament_id}/rounds/{number}/tables/{table}": (
        "api/v1/tournaments/{live}/rounds/1/tables/{table}"
    ),
    "api/v1/tournaments/{tournament_id}/games/{game_id}": (
        "api/v1/tournaments/{tournament}/games/{cup_game}"
    ),
    "api/v1/waiting-room/{game_id}": "api/v1/waiting-room/{offer}",
    "api/v1/vacation/{vacation_id}": "api/v1/vacation/{vacation}",
}
# The same addresses again, for something that fewer people may see.
HIDDEN = {
    "games/<slug:public_id>": "games/{hidden_game}",
    "api/v1/games/{game_id}": "api/v1/games/{hidden_game}",
}
# What bodies hold, by field, or by operation and field where it depends on that.
FIELDS: dict[str, Any] = {
    "about": "player",
    "address": "somebody@club.example",
    "agreed": True,
    "available": True,
    "at": (NOW + DAY).isoformat(),
    "begins": (NOW + 9 * DAY).isoformat(),
    "boards": 1,
    "claim": "draw",
    "colour": "first",
    "email": "new@club.example",
    "ends": (NOW + 10 * DAY).isoformat(),
    "endpoint": "https://fcm.googleapis.com/x",
    "format": "swiss",
    "here": True,
    "home": "{team}",
    "key": "muted-1",
    "keys": {"p256dh": "x", "auth": "y"},
    "lines": [],
    "loser": "{second}",
    "max_players": 8,
    "message": "Hello",
    "move": "8-11",
    "name": "A new name",
    "opponent": "{second}",
    "pairs": [],
    "password": "a quiet corner",
    "players": ["{player}"],
    "reason": "It is so.",
    "result": "draw",
    "round": 2,
    "substitute": "member-1",
    "text": "Hello",
    "to": "{second}",
    "until": (NOW + DAY).isoformat(),
    "username": "member-1",
    "usernames": ["member-1"],
    "set_team_captain.username": "{team_player}",
    "set_tournament_seeds.usernames": ["{second}", "rival-0", "rival-1", "rival-2"],
    "create_account.username": "somebody-new",
    "variant": "american",
    "version": 2,
}
# What is sent beside the required fields, and what the forms of pages hold.
TERMS = {
    name: {"days_per_move": 3}
    for name in ("create_game", "find_game", "propose_team_match", "create_tournament", "update_tournament")
}
QUERIES = {"GET /api/v1/players": "?name=owner"}
_PLY = {"score": 0, "moves": [], "path": [], "proven": True, "best": False}
FORMS: dict[str, dict[str, str]] = {
    "/close-account/": {"password": "a quiet corner"},
    "/contact/": {"address": "somebody@club.example", "reason": "Hello"},
    "/friends/": {"address": "somebody@club.example"},
    "/games/{public_id}/": {"do": "resign"},
    "/games/{public_id}/review/from-browser/": {"plies": json.dumps([_PLY] * 5)},  # of a game of four plies
    "/ladders/{ladder_id}/challenge/": {"opponent": "{second}"},
    "/messages/new/": {"to": "{second}", "text": "Hello"},
    "/messages/{public_id}/": {"text": "Hello"},
    "/players/{name}/contact/": {"do": "ignore"},
    "/problems/{key}/": {"move": "19-16"},
    "/profile/": {"text": "Hello", "country": "NL"},
    "/report/{kind}/{key}/": {"reason": "It is so."},
    "/team-matches/{match_id}/": {"do": "accept"},
    "/teams/new/": {"name": "A new name", "joining": "open"},
    "/teams/{team_id}/board/": {"text": "Hello"},
    "/teams/{team_id}/challenge/": {"home": "{team}", "boards": "1", "variant": "american"},
    "/teams/{team_id}/edit/": {"name": "A new name", "joining": "open"},
    "/teams/{team_id}/members/": {"do": "remove", "username": "{team_player}"},
    "/tournaments/{tournament_id}/direct/": {"do": "close", "reason": "It is so."},
    "/tournaments/{tournament_id}/rounds/{number}/{table}/appointment/": {"at": "2026-03-02T12:00"},
}


@dataclass(frozen=True, slots=True)
class Ask:
    """A request: ``row`` is its name in the tables; ``address`` has its parameters filled in."""

    row: str
    method: str
    address: str
    body: Any = None

    def from_browser(self, client: Any) -> HttpResponseBase:
        """Send it as a page does, with a form."""
        send = client.get if self.method == "GET" else client.post
        answer: HttpResponseBase = send(f"/{self.address}", self.body)
        return answer

    def from_program(self, api: Any) -> HttpResponseBase:
        """Send it as a program does, with its body."""
        body = b"" if self.body is None else json.dumps(self.body).encode()
        path = f"/{self.address}".removeprefix("/api/v1")
        answer: HttpResponseBase = (
            api.get(path) if self.method == "GET" else api.send(self.method, path, body)
        )
        return answer


def pages(facts: Mapping[str, str]) -> Iterator[Ask]:
    """GET and POST of every address but those of the back office and the API."""
    for route in _routes():
        if not route.startswith((_BACK_OFFICE, _API)):
            yield from _both("GET", route, facts)
            yield from _both("POST", route, facts, _filled(FORMS.get(_name(route), {}), facts))


def back_office() -> Iterator[Ask]:
    """GET and POST of every address of the back office."""
    for route in _routes():
        if route.startswith(_BACK_OFFICE):
            address = re.sub(r"<[^>]*>|\(\?P<\w+>auth\|[^)]*\)", "1", route)
            address = re.sub(r"\(\?P<url>[^)]*\)|[\^$]", "", address)
            for method in ("GET", "POST"):
                yield Ask(f"{method} {route}", method, address)


def calls(facts: Mapping[str, str]) -> Iterator[Ask]:
    """Every operation of the API."""
    for method, path, operation in operations():
        if path != _STREAM:
            body = _body(operation, facts)
            yield from _both(method, path.removeprefix("/"), facts, body)


def address_of(method: str, route: str, facts: Mapping[str, str], values: Mapping[str, str]) -> str | None:
    """An address with its parameters filled in; None where nothing is known to fill them with."""
    known = [key for key in values if f"{method} {route}".startswith(key) or route.startswith(key)]
    if not known:
        return None if re.search(r"[<{(]", route) else route
    key = max(known, key=len)
    rest = route.removeprefix(key.removeprefix(f"{method} ")).removesuffix("$")
    return None if re.search(r"[<{(]", rest) else values[key].format_map(facts) + rest


def _both(method: str, route: str, facts: Mapping[str, str], body: Any = None) -> Iterator[Ask]:
    address = address_of(method, route, facts, PARAMETERS)
    assert address is not None, (
        f"{route}: expected a value for its parameters; add how it begins to PARAMETERS in {__name__}"
    )
    name = f"{method} {_name(route)}"
    yield Ask(name, method, address + QUERIES.get(name, ""), body)
    if hidden := _hidden(method, route, facts):
        yield Ask(f"{name} (hidden)", method, hidden, body)


def _hidden(method: str, route: str, facts: Mapping[str, str]) -> str | None:
    if not any(route.startswith(key) for key in HIDDEN):
        return None
    return address_of(method, route, facts, HIDDEN)


def _name(route: str) -> str:
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route.replace("/^", "/").removesuffix("$"))


def _routes() -> list[str]:
    return sorted({before for _app, before, _pattern in patterns(get_resolver())})


def _body(operation: dict[str, Any], facts: Mapping[str, str]) -> Any:
    """The required fields of a body; None where there is no body."""
    declared = operation.get("requestBody")
    if declared is None:
        return None
    schema = resolved(declared["content"]["application/json"]["schema"])
    required = {name: _value(operation["operationId"], name, facts) for name in schema.get("required", [])}
    return required | TERMS.get(operation["operationId"], {})


def _value(operation: str, name: str, facts: Mapping[str, str]) -> Any:
    value = FIELDS.get(f"{operation}.{name}", FIELDS.get(name))
    assert value is not None, f"{operation}: add the field {name!r} to FIELDS in {__name__}"
    return _filled(value, facts)


def _filled(value: Any, facts: Mapping[str, str]) -> Any:
    return json.loads(re.sub(r"\{(\w+)\}", lambda found: facts[found[1]], json.dumps(value)))
