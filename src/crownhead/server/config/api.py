"""The HTTP API: the apps' routers under one roof, at /api/v1."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI

from crownhead import __version__
from crownhead.server.accounts.api.accounts import router as accounts
from crownhead.server.accounts.api.auth import SIGNED_IN
from crownhead.server.accounts.api.preferences import router as preferences
from crownhead.server.analysis.api import router as engine
from crownhead.server.competitions.api.directors import router as directing
from crownhead.server.competitions.api.tournaments import router as tournaments
from crownhead.server.core.api import answer_with_problems
from crownhead.server.core.body import JsonBody
from crownhead.server.core.limits import Limit
from crownhead.server.core.problems import CONTENT_TYPE, NotFound, response
from crownhead.server.ladders.api import router as ladders
from crownhead.server.lobby.api import router as lobby
from crownhead.server.notices.api import router as notices
from crownhead.server.people.api import router as people
from crownhead.server.play.api.actions import router as players
from crownhead.server.play.api.archive import router as records
from crownhead.server.play.api.games import router as play
from crownhead.server.play.api.matches import router as matches
from crownhead.server.play.api.vacation import router as vacation
from crownhead.server.ratings.api import router as ratings
from crownhead.server.social.api import router as social
from crownhead.server.teams.api.matches import router as team_matches
from crownhead.server.teams.api.teams import router as teams

_DESCRIPTION = """\
Play checkers by program. Make an account with `POST /accounts`, get a token with `POST /tokens`, and send it
as `Authorization: Bearer <token>`. Errors are problem documents (RFC 9457). Lists come in pages: pass `next`
on as `cursor`. `GET /events` streams what happens (server-sent events; `?game=<id>` to watch a game;
`Last-Event-ID` is honoured).
"""


class Api(NinjaAPI):
    """The API, whose description mentions the problem documents that any operation may answer with."""

    def get_openapi_schema(self, **options: Any) -> Any:
        """OpenAPI 3.1, with the stream and the errors that no view declares."""
        schema = super().get_openapi_schema(**options)
        schema.setdefault("components", {}).setdefault("schemas", {})["Problem"] = _PROBLEM
        answer = {"description": "A problem", "content": {CONTENT_TYPE: {"schema": {"$ref": _PROBLEM_REF}}}}
        for path in schema["paths"].values():
            for operation in path.values():
                operation["responses"].setdefault("default", answer)
        schema["paths"]["/api/v1/events"] = {"get": _EVENTS}
        return schema


api = Api(
    title="Crownhead",
    version=__version__,
    description=_DESCRIPTION,
    auth=SIGNED_IN,
    throttle=[Limit("api")],
    parser=JsonBody(),
    docs_url=None,
    urls_namespace="api",
)
answer_with_problems(api)
for router in (
    accounts,
    preferences,
    records,
    play,
    players,
    people,
    lobby,
    notices,
    matches,
    vacation,
    ratings,
    ladders,
    teams,
    team_matches,
    tournaments,
    directing,
    engine,
    social,
):
    api.add_router("", router)


def unknown(request: HttpRequest) -> HttpResponse:
    """An address beneath /api/ that is none."""
    return response(NotFound(f"there is no {request.path} in this API"))


_PROBLEM_REF = "#/components/schemas/Problem"
_PROBLEM = {
    "type": "object",
    "title": "Problem",
    "description": "What is wrong with a request (RFC 9457)",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "description": "names the kind of problem; programs compare it"},
        "title": {"type": "string", "description": "the same for every problem of the kind"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "what was expected, and what came"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"where": {"type": "string"}, "what": {"type": "string"}},
            },
        },
    },
}
_EVENTS = {
    "operationId": "events",
    "summary": "What happens, as it happens",
    "description": "Server-sent events: `me` for one's own games, `game` for the games named.",
    "tags": ["events"],
    "parameters": [
        {"in": "query", "name": "game", "schema": {"type": "array", "items": {"type": "string"}}},
        {"in": "query", "name": "last_event_id", "schema": {"type": "integer"}},
        {"in": "header", "name": "Last-Event-ID", "schema": {"type": "integer"}},
    ],
    "responses": {
        "200": {"description": "A stream", "content": {"text/event-stream": {"schema": {"type": "string"}}}},
        "default": {
            "description": "A problem",
            "content": {CONTENT_TYPE: {"schema": {"$ref": _PROBLEM_REF}}},
        },
    },
}
