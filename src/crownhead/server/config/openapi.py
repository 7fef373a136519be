"""The OpenAPI document: who may use an operation, its problems, its tags and its parameters."""

from typing import Any

from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from crownhead.server.accounts.api.auth import Bearer, Guest, scopes_of
from crownhead.server.accounts.choices import Scope
from crownhead.server.core.api import openapi
from crownhead.server.core.problems import CONTENT_TYPE

DESCRIPTION = """\
Play checkers by program. Create an account with `POST /accounts`, get a token with `POST /tokens`, and send
it as `Authorization: Bearer <token>`. Errors are problem documents (RFC 9457): compare `type`, show `detail`.
Lists come in pages: pass `next` as `cursor` to get the next one. `GET /events` streams what happens
(server-sent events; add `?game=<id>` to watch a game; `Last-Event-ID` is honoured).

A token has scopes: `read`, `play`, `talk` and `manage`; the requirement `Bearer` of each operation names the
one that it needs, or that and `read` where the answer shows more than was changed. Ask for them in
`POST /tokens`; without that you get `read`, `play` and `talk`. A token expires; then, and when it is revoked,
its streams end at once, and the answer is 401 (`token-expired`, `not-signed-in`).
"""

TAGS = {
    "accounts": "Sign up, get and end tokens, your profile and your preferences.",
    "games": "Create a game, look at it, move, offer a draw, resign.",
    "playing": "Take-backs, conditional moves, chat, private notes and appeals in a game.",
    "invitations and matches": "Invitations, rematches, and matches of several games.",
    "waiting room": "Open games that anyone can join, and the quick match.",
    "records and diagrams": "Games as PDN, positions as FEN, SVG and PNG.",
    "vacation": "Your vacation budget, and vacations planned in advance.",
    "players": "Players, buddies and blocked players, and your own data.",
    "ratings": "Glicko-2 ratings, their history, and leaderboards.",
    "ladders": "Ladders, their standings and challenges.",
    "teams": "Teams, their members and message boards.",
    "team matches": "Matches between two teams.",
    "tournaments": "Announce, enter and follow tournaments.",
    "directing tournaments": "What the directors of a tournament can do; every action is logged.",
    "engine": "Engine analysis of positions, and reviews of finished games.",
    "problems": "Problems to solve: the problem of the day, the next one, and your attempts.",
    "messages, reports and news": "Messages between players, reports to the staff, and the club's news.",
    "notifications": "Your notifications and their settings, and the browsers that receive push messages.",
    "events": "What happens, as it happens.",
}

SCOPES = {
    "accounts": Scope.MANAGE,
    "games": Scope.PLAY,
    "playing": Scope.PLAY,
    "invitations and matches": Scope.PLAY,
    "waiting room": Scope.PLAY,
    "records and diagrams": Scope.PLAY,
    "vacation": Scope.PLAY,
    "players": Scope.TALK,
    "ratings": Scope.PLAY,
    "ladders": Scope.PLAY,
    "teams": Scope.PLAY,
    "team matches": Scope.PLAY,
    "tournaments": Scope.PLAY,
    "directing tournaments": Scope.PLAY,
    "engine": Scope.PLAY,
    "problems": Scope.PLAY,
    "messages, reports and news": Scope.TALK,
    "notifications": Scope.PLAY,
}
"""What a token must allow to change something, by the tag of the operation; reading needs `read`."""

_PARAMETERS = {
    "archive_id": "The id of an archive, from `GET /me/archives`.",
    "conversation_id": "The id of a conversation.",
    "cursor": "The `next` of the page before; without it, the first page.",
    "device_id": "The id of a browser, from `GET /push`.",
    "game_id": "The id of a game.",
    "ladder_id": "The id of a ladder.",
    "limit": "The number of items on a page.",
    "match_id": "The id of a match.",
    "message_id": "The id of a message.",
    "name": "A player's username; upper and lower case count as the same.",
    "news_id": "The id of a news item.",
    "notice_id": "The id of a notification.",
    "number": "The number of a round, from 1.",
    "post_id": "The number of a message on the team's board.",
    "problem_id": "The id of a problem.",
    "study_id": "The id of an analysis.",
    "table": "The number of a table in the round.",
    "team_id": "The id of a team.",
    "theme": "What the problem is about; without it, anything.",
    "token": "The last part of the link in the invitation e-mail.",
    "token_id": "The id of a token, from `GET /tokens`.",
    "tournament_id": "The id of a tournament.",
    "username": "A player's username; upper and lower case count as the same.",
    "vacation_id": "The id of a planned vacation, from `GET /vacation`.",
    "variant": "The key of a variant, from `GET /variants`.",
    "opponent": "The username of the other player.",
}

_PROBLEM = {
    "type": "object",
    "title": "Problem",
    "description": "What is wrong with a request (RFC 9457).",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "description": "The kind of problem, for programs to compare."},
        "title": {"type": "string", "description": "The same for every problem of that kind."},
        "status": {"type": "integer", "description": "The HTTP status."},
        "detail": {"type": "string", "description": "What was expected and what came, for people."},
        "message": {"type": "string", "description": "What a page says of it, where that differs."},
        "field": {"type": "string", "description": "Which value of the request is wrong, where one is."},
        "errors": {
            "type": "array",
            "description": "The fields that are wrong.",
            "items": {
                "type": "object",
                "properties": {
                    "where": {"type": "string", "description": "The place, such as `body.username`."},
                    "what": {"type": "string", "description": "What is wrong with it."},
                },
            },
        },
    },
}
_HEADERS = {
    401: {"WWW-Authenticate": {"description": "`Bearer`.", "schema": {"type": "string"}}},
    429: {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}},
}


class Document(OpenAPISchema):
    """The document of django-ninja, with what it leaves out."""

    def operation_details(self, operation: Operation) -> dict[str, Any]:
        """An operation with all its responses, in the order of their status, and who may use it."""
        details: dict[str, Any] = super().operation_details(operation)
        refused = {status: openapi.problem(status) for status in self._implied(details, operation)}
        responses = refused | details["responses"]
        details["responses"] = {str(status): responses[status] for status in sorted(responses)}
        details["responses"]["default"] = {"$ref": "#/components/responses/Problem"}
        return details | {"security": self.operation_security(operation)}

    def operation_parameters(self, operation: Operation) -> list[dict[str, Any]]:
        """The parameters of an operation, with the common descriptions."""
        parameters: list[dict[str, Any]] = super().operation_parameters(operation)
        for parameter in parameters:
            if parameter["name"] in _PARAMETERS:
                parameter.setdefault("description", _PARAMETERS[parameter["name"]])
        return parameters

    def operation_security(self, operation: Operation) -> list[dict[str, Any]]:
        """How to sign in, and the scopes that a token needs; an empty requirement allows guests."""
        schemes: list[dict[str, Any]] = super().operation_security(operation) or []
        if scopes := [scope.value for scope in scopes_of(operation)]:
            schemes = [
                {name: scopes if name == Bearer.__name__ else roles for name, roles in scheme.items()}
                for scheme in schemes
            ]
        for_guests = any(isinstance(scheme, Guest) for scheme in operation.auth_callbacks)
        return [{}, *schemes] if for_guests else schemes

    def get_components(self) -> dict[str, Any]:
        """The schemas, security schemes and problems."""
        components: dict[str, Any] = super().get_components()
        components["schemas"]["Problem"] = _PROBLEM
        components["responses"] = {"Problem": _problem("Something went wrong.")} | {
            f"Problem{status}": _problem(text, _HEADERS.get(status))
            for status, text in openapi.PROBLEMS.items()
        }
        return components

    def _implied(self, details: dict[str, Any], operation: Operation) -> set[int]:
        """The problems that follow from how an operation is declared."""
        parameters, has_body = details["parameters"], "requestBody" in details
        statuses = {400} if parameters or has_body else set()
        if operation.auth_callbacks:
            statuses |= {401, 403}  # no token or session; one that does not allow it
        if any(parameter["in"] == "path" for parameter in parameters):
            statuses |= {404}
        if has_body:
            statuses |= {413, 415}
        if has_body or any(_is_checked(parameter) for parameter in parameters):
            statuses |= {422}
        if operation.throttle_objects:
            statuses |= {429}
        return statuses


def _is_checked(parameter: dict[str, Any]) -> bool:
    """Whether a parameter may have an unacceptable value: any text is acceptable in a path."""
    return bool(parameter["in"] != "path" or parameter["schema"]["type"] != "string")


def _problem(description: str, headers: dict[str, Any] | None = None) -> dict[str, Any]:
    content = {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {"description": description, "content": content} | ({"headers": headers} if headers else {})


EVENTS: dict[str, Any] = {
    "operationId": "events",
    "summary": "Stream what happens",
    "description": (
        "Server-sent events: `me` and `notice` for what concerns you, `game`, `analysis` and `tournament` "
        "for what `game` names. A stream ends after a while, and at once when what opened it is revoked; "
        "reconnect with the last id that you received."
    ),
    "tags": ["events"],
    "security": [{}, {"Bearer": [Scope.READ.value]}, {"Session": []}],
    "parameters": [
        {
            "in": "query",
            "name": "game",
            "description": "The id of a game, tournament, analysis or review to follow; may be repeated.",
            "schema": {"type": "array", "items": {"type": "string"}},
        },
        {
            "in": "query",
            "name": "last_event_id",
            "description": "For clients that can't send the header.",
            "schema": {"type": "integer"},
        },
        {
            "in": "header",
            "name": "Last-Event-ID",
            "description": "The id of the last event received: what was missed comes first.",
            "schema": {"type": "integer"},
        },
    ],
    "responses": {
        "204": {"description": "The session of a browser that reconnects has ended; it stops."},
        "200": {"description": "A stream.", "content": {"text/event-stream": {"schema": {"type": "string"}}}},
        **{str(status): openapi.problem(status) for status in (400, 401, 404, 429)},
        "default": {"$ref": "#/components/responses/Problem"},
    },
}
