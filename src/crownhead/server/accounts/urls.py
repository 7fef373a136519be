"""The pages of an account: those of allauth that a club uses, and those that keep it safe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.account import views
from django.http import HttpRequest, HttpResponseBase
from django.urls import path, re_path
from django.utils.module_loading import import_string

from crownhead.server.accounts.access import by_all_factors, confirmation_noted, recently_authenticated
from crownhead.server.accounts.addresses import views as address_views
from crownhead.server.accounts.security import views as security_views
from crownhead.server.accounts.views import signup


def _mfa(package: str, name: str) -> Callable[..., HttpResponseBase]:
    """A view for second factors, which is imported when it is asked for, and cryptography with it."""
    return _late(f"allauth.mfa.{package}.views.{name}")


def _changing(name: str) -> Callable[..., HttpResponseBase]:
    """Such a view, which changes what opens an account."""
    return _late(f"crownhead.server.accounts.security.factors.{name}")


def _late(path: str) -> Callable[..., HttpResponseBase]:
    @confirmation_noted
    def view(request: HttpRequest, **arguments: Any) -> HttpResponseBase:
        answer: HttpResponseBase = import_string(path)(request, **arguments)
        return answer

    return view


urlpatterns = [
    path("signup/", signup, name="account_signup"),
    path("login/", views.login, name="account_login"),
    path("unlock/", security_views.unlock, name="account_unlock"),
    path("unlock/<str:token>/", security_views.unlock_link, name="account_unlock_link"),
    path("logout/", views.logout, name="account_logout"),
    path("inactive/", views.account_inactive, name="account_inactive"),
    path("reauthenticate/", views.reauthenticate, name="account_reauthenticate"),
    path("email/", recently_authenticated(to_look=False)(address_views.email), name="account_email"),
    path("email/change/<str:token>/", address_views.email_change, name="account_email_change"),
    path("confirm-email/", views.email_verification_sent, name="account_email_verification_sent"),
    re_path(r"^confirm-email/(?P<key>[-:\w]+)/$", views.confirm_email, name="account_confirm_email"),
    path("password/change/", by_all_factors(views.password_change), name="account_change_password"),
    path("password/set/", recently_authenticated()(views.password_set), name="account_set_password"),
    path("password/reset/", views.password_reset, name="account_reset_password"),
    path("password/reset/done/", views.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        security_views.reset_password,
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/key/done/",
        views.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("security/", security_views.overview, name="account_security"),
    path("security/", security_views.overview, name="mfa_index"),  # where allauth goes back to
    path(
        "security/staff/",
        security_views.second_factor_required,
        name="account_second_factor_required",
    ),
    path("sessions/", security_views.my_sessions, name="account_sessions"),
    path("tokens/", security_views.my_tokens, name="account_tokens"),
    path("tokens/new/", security_views.new_token, name="account_new_token"),
    path("tokens/end/", security_views.end_token, name="account_end_token"),
    path("second-factor/", _mfa("base", "authenticate"), name="mfa_authenticate"),
    path("second-factor/again/", _mfa("base", "reauthenticate"), name="mfa_reauthenticate"),
    path("second-factor/app/", _changing("activate_app"), name="mfa_activate_totp"),
    path("second-factor/app/off/", _changing("deactivate_app"), name="mfa_deactivate_totp"),
    path("recovery-codes/", _mfa("recovery_codes", "view_recovery_codes"), name="mfa_view_recovery_codes"),
    path(
        "recovery-codes/new/",
        _changing("renew_codes"),
        name="mfa_generate_recovery_codes",
    ),
    path(
        "recovery-codes/file/",
        _mfa("recovery_codes", "download_recovery_codes"),
        name="mfa_download_recovery_codes",
    ),
    path("passkeys/", _mfa("webauthn", "list_webauthn"), name="mfa_list_webauthn"),
    path("passkeys/add/", _changing("add_passkey"), name="mfa_add_webauthn"),
    path("passkeys/login/", security_views.passkey_login, name="mfa_login_webauthn"),
    path("passkeys/again/", _mfa("webauthn", "reauthenticate_webauthn"), name="mfa_reauthenticate_webauthn"),
    path("passkeys/<int:pk>/remove/", _changing("remove_passkey"), name="mfa_remove_webauthn"),
    path("passkeys/<int:pk>/name/", _changing("name_passkey"), name="mfa_edit_webauthn"),
]
