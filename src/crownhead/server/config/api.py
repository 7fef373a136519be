"""The HTTP API: the routers of all apps, at /api/v1."""

from typing import Any

from django.views.decorators.http import require_safe
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from crownhead import __version__
from crownhead.server.accounts.api.accounts import router as accounts
from crownhead.server.accounts.api.auth import SIGNED_IN, state_scope
from crownhead.server.accounts.api.preferences import router as preferences
from crownhead.server.analysis.api import router as engine
from crownhead.server.competitions.api.directors import router as directing
from crownhead.server.competitions.api.tournaments import router as tournaments
from crownhead.server.config.openapi import DESCRIPTION, EVENTS, SCOPES, TAGS, Document
from crownhead.server.core.api import Limit, answer_with_problems
from crownhead.server.core.api.body import JsonBody
from crownhead.server.core.http.constant_answers import cached_once
from crownhead.server.ladders.api import router as ladders
from crownhead.server.lobby.api import router as lobby
from crownhead.server.notices.api import router as notices
from crownhead.server.people.api import router as people
from crownhead.server.play.api.actions import router as players
from crownhead.server.play.api.archive import router as records
from crownhead.server.play.api.games import router as play
from crownhead.server.play.api.matches import router as matches
from crownhead.server.play.api.vacation import router as vacation
from crownhead.server.problems.api import router as problems
from crownhead.server.ratings.api import router as ratings
from crownhead.server.social.api import router as social
from crownhead.server.teams.api.matches import router as team_matches
from crownhead.server.teams.api.teams import router as teams


class Api(NinjaAPI):
    """The API; the id of an operation is the name of its function."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._documents: dict[str, Document] = {}  # by prefix; one takes a second to write

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: dict[str, Any] | None = None
    ) -> OpenAPISchema:
        """The OpenAPI document, with the event stream, which no view answers."""
        prefix = self.get_root_path(path_params or {}) if path_prefix is None else path_prefix
        if prefix not in self._documents:
            document = self._documents[prefix] = Document(self, prefix)
            document["paths"][f"{prefix}events"] = {"get": EVENTS}
        return self._documents[prefix]

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """The name of the function, such as `create_game`."""
        return operation.view_func.__name__


api = Api(
    title="Crownhead",
    version=__version__,
    description=DESCRIPTION,
    auth=SIGNED_IN,
    throttle=[Limit("api")],
    parser=JsonBody(),
    docs_url=None,
    docs_decorator=lambda view: require_safe(cached_once(view)),
    openapi_extra={
        "info": {"license": {"name": "MIT", "identifier": "MIT"}},
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
    },
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
    problems,
    social,
):
    for path_view in router.path_operations.values():
        for operation in path_view.operations:
            state_scope(
                operation, usual=SCOPES[(operation.tags or router.tags or [""])[0]], inherited=SIGNED_IN
            )
    api.add_router("", router)

urlpatterns = api.urls[0]
