"""The security pages: overview, sessions, API tokens."""

from __future__ import annotations

from contextlib import suppress

from allauth.account.adapter import get_adapter
from allauth.account.views import password_reset_from_key
from allauth.core.ratelimit import respond_429
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from crownhead.server.accounts.access import recently_authenticated, session_of
from crownhead.server.accounts.choices import Scope
from crownhead.server.accounts.models import User
from crownhead.server.accounts.security import passkeys, sessions, throttle
from crownhead.server.accounts.security.access import has_proven_factor
from crownhead.server.accounts.security.selectors import standing
from crownhead.server.accounts.tokens import selectors
from crownhead.server.accounts.tokens import services as token_services
from crownhead.server.accounts.validators import check_address
from crownhead.server.core import clock
from crownhead.server.core.http import site_address, whole_number
from crownhead.server.core.limits import address, seconds_to_wait, spend
from crownhead.server.core.problems import NotFound, Problem, TooMany

_TOKEN_ONCE = "new-api-token"
_LONGEST_LOGIN = 254
_PAGES_PER_CHALLENGE = 25  # of what guests may ask for: it is kept for minutes


@never_cache
@login_required
def overview(request: HttpRequest) -> HttpResponse:
    """Show how the account is protected, with links to each part."""
    context = {"standing": standing(_user(request))}
    return render(request, "account/security.html", context)


@never_cache
@require_safe
@login_required
def second_factor_required(request: HttpRequest) -> HttpResponse:
    """Tell staff of a club that requires it how to get a second factor, or ask for the one that they have.

    Others find their security page.
    """
    user = _user(request)
    if not user.is_staff or user.acts_as_staff:
        return redirect("admin:index" if user.acts_as_staff else "account_security")
    kept = standing(user)
    if kept.has_second_factor:  # which this session has not shown yet
        page = reverse("mfa_reauthenticate" if kept.has_app else "mfa_reauthenticate_webauthn")
        return redirect(f"{page}?next={reverse('admin:index')}")
    return render(request, "account/second_factor_required.html")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def my_sessions(request: HttpRequest) -> HttpResponse:
    """List where the user is signed in; they can end each session, or all others."""
    user, key = _user(request), request.session.session_key or ""
    if request.method != "POST":
        rows = sessions.sessions_of(user=user, key=key)
        context = {"sessions": rows, "others": sum(not session.is_this for session in rows)}
        return render(request, "account/sessions.html", context)
    if "others" in request.POST:
        count = sessions.end_others(user=user, key=key)
        message = ngettext(
            "%(count)d other session was ended.", "%(count)d other sessions were ended.", count
        )
        messages.success(request, message % {"count": count})
    else:
        _end_one(request, user)
    return redirect("account_sessions")


def _send_unlock_link(request: HttpRequest, login: str) -> None:
    user, adapter = throttle.user_of(login), get_adapter(request)
    if user is not None and user.is_active and user.email:
        link = site_address(request) + reverse("account_unlock_link", args=[throttle.unlock_token(user)])
        to = login.strip().lower() if "@" in login else user.email  # never to another one of theirs
        adapter.send_mail("account/email/unlock", to, {"user": user, "link": link})
        return
    with suppress(ValidationError):  # an address without an account makes as much work
        check_address(login)
        link = site_address(request) + reverse("account_signup")
        adapter.send_mail("account/email/unknown_account", login.lower(), {"signup_url": link})


def _end_one(request: HttpRequest, user: User) -> None:
    try:
        sessions.end(user=user, session_id=whole_number(request.POST.get("end", "")) or 0)
        messages.success(request, _("That browser is signed out."))
    except NotFound:
        messages.info(request, _("That browser was already signed out."))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unlock(request: HttpRequest) -> HttpResponse:
    """Ask for a name or address, and send a link by which this browser becomes known to it.

    The answer is the same whether there is such an account.
    """
    if request.method == "POST":
        with suppress(TooMany):
            spend(scope="password", who=address(request))
            _send_unlock_link(request, request.POST.get("login", "")[:_LONGEST_LOGIN])
    return render(request, "account/unlock.html", {"sent": request.method == "POST"})


def reset_password(request: HttpRequest, **key: str) -> HttpResponseBase:
    """Set a password by the link of a mail; tries of others don't count for this browser any more."""
    response: HttpResponseBase = password_reset_from_key(request, **key)
    throttle.remember_if_noted(request=request, response=response)
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unlock_link(request: HttpRequest, token: str) -> HttpResponse:
    """Make this browser known to the user of a link, so that the tries of others do not count for it."""
    user = throttle.user_of_unlock(token)
    if user is None or request.method != "POST":
        context = {"link": True, "known": user}
        return render(request, "account/unlock.html", context, status=200 if user else 404)
    response = redirect("account_login")
    throttle.remember_device(request=request, response=response, user=user)
    return response


@never_cache
def passkey_login(request: HttpRequest) -> HttpResponse:
    """Sign in by a passkey: allauth's view, whose challenges anybody may have so many of.

    An answer without a challenge looks no keys up.
    """
    is_answer = request.method == "POST" and not request.user.is_authenticated
    if is_answer and not passkeys.has_challenge(request.session):
        messages.error(request, _("That took too long. Please try again."))
        return redirect("account_login")
    is_too_many = request.method != "POST" and seconds_to_wait(
        scope="pages", who=address(request), amount=_PAGES_PER_CHALLENGE
    )
    view = respond_429 if is_too_many else import_string("allauth.mfa.webauthn.views.login_webauthn")
    answer: HttpResponse = view(request)
    return answer


@never_cache
@login_required
def my_tokens(request: HttpRequest) -> HttpResponse:
    """List the user's API tokens; a new one is shown only once."""
    context = {
        "tokens": selectors.tokens_of(_user(request)),
        "new": request.session.pop(_TOKEN_ONCE, ""),
        "longest": token_services.LONGEST_NAME,
        "scopes": [(scope, scope in token_services.USUAL) for scope in Scope],
        "days": settings.TOKEN_DAYS,
        "most_days": token_services.MAX_DAYS,
        "now": clock.now(),
    }
    return render(request, "account/tokens.html", context)


@recently_authenticated()
def new_token(request: HttpRequest) -> HttpResponse:
    """Create a token; after entering the password again, the user finds the button."""
    if request.method == "POST":
        user, days = _user(request), request.POST.get("days", "")
        try:
            request.session[_TOKEN_ONCE] = token_services.new_token(
                user=user,
                now=clock.now(),
                name=request.POST.get("name", ""),
                scopes=[scope for scope in Scope if scope in request.POST.getlist("scopes")],
                days=(whole_number(days) or 0) if days else None,
                by=session_of(request),
                with_factor=has_proven_factor(request.session, user),
            )
            token_services.announce(request=request, user=user)
        except Problem as problem:
            messages.error(request, problem.message)
    return redirect("account_tokens")


@login_required
@require_POST
def end_token(request: HttpRequest) -> HttpResponse:
    """Revoke one token, or all."""
    user = _user(request)
    if "all" in request.POST:
        token_services.end_tokens(user=user)
        messages.success(request, _("All your tokens are revoked."))
        return redirect("account_tokens")
    try:
        token_services.end_token(user=user, token_id=whole_number(request.POST.get("end", "")) or 0)
        messages.success(request, _("The token is revoked."))
    except NotFound:
        messages.info(request, _("That token was already revoked."))
    return redirect("account_tokens")


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user
