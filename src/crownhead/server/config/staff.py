"""The back office, at /staff/: for staff, and where the club requires it for those with a second factor."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.apps import apps
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy

# The club's own page signs in, with its throttle and second factor; who is signed in goes on.
_sign_in = secure_admin_login(lambda _request: redirect("admin:index"))


def _has_permission(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "acts_as_staff", False))


def _login(request: HttpRequest, extra_context: Any = None) -> HttpResponse:  # noqa: ARG001
    """Sign in; staff who are and have no second factor yet are led to where they get one."""
    if getattr(request.user, "is_staff", False) and not _has_permission(request):
        return redirect("account_second_factor_required")
    answer: HttpResponse = _sign_in(request)
    return answer


def _change_password(request: HttpRequest, extra_context: Any = None) -> HttpResponse:  # noqa: ARG001
    """The page of every member, with its throttle and mail."""
    return redirect("account_change_password")


# Headings of apps that are not ours, by what they hold here.
for _label, _heading in (
    ("account", gettext_lazy("E-mail addresses")),
    ("auth", gettext_lazy("Groups")),
    ("django_tasks_database", gettext_lazy("Background tasks")),
    ("mfa", gettext_lazy("Second factors")),
    ("usersessions", gettext_lazy("Sessions")),
):
    apps.get_app_config(_label).verbose_name = _heading

admin.autodiscover()
admin.site.site_header = admin.site.site_title = "Crownhead"
admin.site.has_permission = _has_permission  # type: ignore[method-assign]
admin.site.login = _login  # type: ignore[method-assign]
admin.site.password_change = _change_password  # type: ignore[method-assign,assignment]

urlpatterns = admin.site.urls[0]
