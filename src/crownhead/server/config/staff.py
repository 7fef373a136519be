"""The back office, at /staff/: for staff, and where the club requires it for those with a second factor."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

_sign_in = secure_admin_login(admin.site.login)


def _has_permission(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "acts_as_staff", False))


def _login(request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
    """Sign in; staff who are and have no second factor yet are led to where they get one."""
    if getattr(request.user, "is_staff", False) and not _has_permission(request):
        return redirect("account_second_factor_required")
    answer: HttpResponse = _sign_in(request, extra_context)
    return answer


admin.autodiscover()
admin.site.site_header = admin.site.site_title = "Crownhead"
admin.site.has_permission = _has_permission  # type: ignore[method-assign]
admin.site.login = _login  # type: ignore[method-assign]

urlpatterns = admin.site.urls[0]
