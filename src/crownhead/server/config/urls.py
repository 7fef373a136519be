"""The URLs of the site, except the event stream, which `asgi` serves.

Each part is loaded when one of its addresses is first asked for or written, so that the club starts quickly.
"""

from django.urls import URLPattern, URLResolver, include, path, re_path

from crownhead.server.config.resolvers import later
from crownhead.server.config.unknown import unknown
from crownhead.server.ops.monitoring import metrics
from crownhead.server.ops.views import bad_request, change_password, health, live, security_txt, server_error

handler400, handler500 = bad_request, server_error

urlpatterns: list[URLPattern | URLResolver] = [
    path("health", health, name="health"),
    path("health/ready", health, name="ready"),
    path("health/live", live, name="live"),
    path("metrics", metrics, name="metrics"),
    path(".well-known/security.txt", security_txt, name="security_txt"),
    path(".well-known/change-password", change_password, name="change_password"),
    later("api/v1/", "crownhead.server.config.api", namespace="api"),
    re_path("^api(?:/|$)", unknown),
    path("accounts/", include("crownhead.server.accounts.urls")),
    later("staff/", "crownhead.server.config.staff", namespace="admin"),
    later("", "crownhead.server.pages.urls", namespace="pages"),
    later("", "crownhead.server.lobby.urls", namespace="lobby"),
    later("", "crownhead.server.ratings.urls", namespace="ratings"),
    later("", "crownhead.server.teams.urls", namespace="teams"),
    later("", "crownhead.server.ladders.urls", namespace="ladders"),
    later("", "crownhead.server.competitions.urls", namespace="competitions"),
    later("", "crownhead.server.problems.urls", namespace="problems"),
    later("", "crownhead.server.people.urls", namespace="people"),
    later("", "crownhead.server.social.urls", namespace="social"),
    later("", "crownhead.server.notices.urls", namespace="notices"),
]
