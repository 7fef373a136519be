"""The back office, at /staff/: for staff, and where the club requires it for those with a second factor."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import secure_admin_login
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import SEARCH_VAR
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy

# The club's own page signs in, with its throttle and second factor; who is signed in goes on.
_sign_in = secure_admin_login(lambda _request: redirect("admin:index"))

_NO_KEY = re.compile(r"\d{19}")  # a number that not every database can look for
_TEXTS = {SEARCH_VAR, "term", "_changelist_filters"}  # parameters that name no row
_view_for_staff = admin.site.admin_view


def _view(view: Callable[..., HttpResponseBase], cacheable: bool = False) -> Callable[..., HttpResponseBase]:
    """A page of the back office; a key that is longer than any, in link, filters or choices, is of no row."""
    guarded = _view_for_staff(view, cacheable)

    @wraps(guarded)
    def answer(request: HttpRequest, *args: Any, **given: Any) -> HttpResponseBase:
        keys = [value for name in request.GET.keys() - _TEXTS for value in request.GET.getlist(name)]
        keys += [unquote(str(value)) for value in (*args, *given.values())]
        keys += request.POST.getlist(ACTION_CHECKBOX_NAME)
        if any(_NO_KEY.search(key.replace("_", "")) for key in keys):
            raise Http404
        return guarded(request, *args, **given)

    return answer


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
admin.site.admin_view = _view  # type: ignore[method-assign,assignment]
admin.site.login = _login  # type: ignore[method-assign]
admin.site.password_change = _change_password  # type: ignore[method-assign,assignment]

urlpatterns = admin.site.urls[0]
