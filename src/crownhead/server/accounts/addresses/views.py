"""The pages by which an address is changed, and by which its old owner agrees, stops it or takes it back."""

from __future__ import annotations

from typing import Any

from allauth.account import views
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from crownhead.server.accounts.addresses import selectors
from crownhead.server.accounts.addresses import services as address_services
from crownhead.server.accounts.models import User
from crownhead.server.accounts.services.revocation import give_up_new_address
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict, NotFound


class EmailView(views.EmailView):  # type: ignore[misc]
    """The address in use, the one to come, and a form for another."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Ask for a change, have the link sent again, or give the change up; no address is taken away."""
        if "action_add" in request.POST or "action_send" in request.POST:
            answer: HttpResponse = super().post(request, *args, **kwargs)
            return answer
        if "give_up" in request.POST:
            assert isinstance(request.user, User)
            give_up_new_address(user=request.user)
        return redirect("account_email")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """With the change that waits for the old address."""
        change = selectors.pending(self.request.user, clock.now())
        return {**super().get_context_data(**kwargs), "change": change}


email = EmailView.as_view()


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def email_change(request: HttpRequest, token: str) -> HttpResponse:
    """Show the old address what changes; they agree or stop it, or take back what is done."""
    now = clock.now()
    try:
        change = selectors.by_link(token=token, now=now)
        if request.method != "POST":
            return render(request, "account/email_change_link.html", {"change": change})
        if "agree" in request.POST and not change.done_at:
            address_services.agree(request=request, change=change, now=now)
            return render(request, "account/email_change_link.html", {"change": change, "agreed": True})
        address_services.take_back(change=change)
    except NotFound:
        return render(request, "account/email_change_link.html", {"change": None}, status=404)
    except Conflict as problem:
        messages.error(request, problem.message)
        return redirect("account_login")
    messages.success(
        request,
        _(
            "Your address stays the same, and you are signed out everywhere. Now set a new password. "
            "If you added a second factor or passkey lately, add it again."
        ),
    )
    return redirect("account_reset_password")
