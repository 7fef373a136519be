"""The URLs of the site, except the event stream, which `asgi` serves."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path

from crownhead.server.config.api import api, unknown
from crownhead.server.ops.views import bad_request, change_password, health, security_txt

admin.site.site_header = admin.site.site_title = "Crownhead"
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

handler400 = bad_request

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("crownhead.server.pages.urls")),
    path("", include("crownhead.server.lobby.urls")),
    path("", include("crownhead.server.ratings.urls")),
    path("", include("crownhead.server.teams.urls")),
    path("", include("crownhead.server.ladders.urls")),
    path("", include("crownhead.server.competitions.urls")),
    path("", include("crownhead.server.people.urls")),
    path("", include("crownhead.server.social.urls")),
    path("", include("crownhead.server.notices.urls")),
    path("accounts/", include("crownhead.server.accounts.urls")),
    path("api/v1/", api.urls),
    re_path("^api(?:/|$)", unknown),
    path("health", health, name="health"),
    path(".well-known/security.txt", security_txt, name="security_txt"),
    path(".well-known/change-password", change_password, name="change_password"),
    path("staff/", admin.site.urls),
]
