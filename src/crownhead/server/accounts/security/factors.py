"""The pages that change second factors: allauth's, which write with the row of their member held.

What was sent is checked, and a refused form shown again, before that: others wait while a row is held.
They are imported when they are asked for, and cryptography with them.
"""

from __future__ import annotations

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as webauthn
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.generic.edit import FormMixin

from crownhead.server.accounts.access import hold_member, leading_to_sign_in, session_of, signed_in
from crownhead.server.accounts.models import SECOND_FACTORS
from crownhead.server.accounts.security import passkeys
from crownhead.server.accounts.security.access import has_second_factor, note_proven
from crownhead.server.accounts.security.sessions import end_others
from crownhead.server.core.problems import NotSignedIn


class Held(FormMixin[Form]):
    """Changes nothing where access has ended, or what there is has changed, since the request began."""

    request: HttpRequest

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Note what there is while the form is checked."""
        super().setup(request, *args, **kwargs)  # type: ignore[misc]
        self._before = _factors(request)

    def form_valid(self, form: Form) -> HttpResponse:
        """Do what was asked for, of all that act for the member at this moment one after the other."""
        with leading_to_sign_in(self.request), transaction.atomic():
            self._hold()
            if _factors(self.request) == self._before:
                had_one = has_second_factor(signed_in(self.request).pk)
                answer = super().form_valid(form)
                if self._note_added() and not had_one:
                    self._end_sessions_without_factor()
                return answer
        messages.error(self.request, _("Your second factors have changed meanwhile. Please try again."))
        return redirect("account_security")

    def _note_added(self) -> bool:
        """Note that this session has shown a factor that is new, with what was sent; whether there is one."""
        user = signed_in(self.request)
        factors = Authenticator.objects.filter(user=user, type__in=SECOND_FACTORS)
        added = list(factors.exclude(pk__in=self._before))
        for factor in added:
            note_proven(self.request, user, factor)
        return bool(added)

    def _end_sessions_without_factor(self) -> None:
        """With the first factor on, other sessions end: they were opened with the password alone."""
        if end_others(user=signed_in(self.request), key=self.request.session.session_key or ""):
            messages.info(self.request, _("Your other devices have been signed out."))

    def _hold(self) -> None:
        try:
            hold_member(signed_in(self.request), by=session_of(self.request))
        except NotSignedIn:
            self.request.session.flush()  # checking a key has changed it: none is there to be stored
            raise


class AddPasskey(Held, webauthn.AddWebAuthnView):  # type: ignore[misc]
    """A new key."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Tell who has no room for one before their device makes it."""
        try:
            passkeys.expect_room(signed_in(request))
        except ValidationError as problem:
            messages.error(request, problem.message)
            return redirect("mfa_list_webauthn")
        answer: HttpResponse = super().get(request, *args, **kwargs)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """With the form that was refused, which allauth would check again."""
        return {**super().get_context_data(**kwargs), **kwargs}


class NamePasskey(Held, webauthn.EditWebAuthnView):  # type: ignore[misc]
    """Another name for a key."""


class RemovePasskey(Held, webauthn.RemoveWebAuthnView):  # type: ignore[misc]
    """A key less."""


class ActivateApp(Held, totp.ActivateTOTPView):  # type: ignore[misc]
    """An authenticator app."""


class DeactivateApp(Held, totp.DeactivateTOTPView):  # type: ignore[misc]
    """None any more."""


class RenewCodes(Held, codes.GenerateRecoveryCodesView):  # type: ignore[misc]
    """Recovery codes in place of others."""


def _factors(request: HttpRequest) -> list[int]:
    """The keys of what a member has, by which changes show."""
    rows = Authenticator.objects.filter(user_id=request.user.pk).order_by("pk")
    return list(rows.values_list("pk", flat=True)) if request.method == "POST" else []


activate_app = ActivateApp.as_view()
add_passkey = AddPasskey.as_view()
deactivate_app = DeactivateApp.as_view()
name_passkey = NamePasskey.as_view()
remove_passkey = RemovePasskey.as_view()
renew_codes = RenewCodes.as_view()
