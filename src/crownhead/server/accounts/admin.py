"""Players in the back office, and the rows that open their accounts."""

from copy import copy
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.admin import EmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.admin import AuthenticatorAdmin
from allauth.mfa.models import Authenticator
from allauth.usersessions.admin import UserSessionAdmin
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm, UserChangeForm
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.validators import validate_email
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters

from crownhead.server.accounts.access import expect_recently_authenticated, store_password
from crownhead.server.accounts.addresses.services import old_addresses_told
from crownhead.server.accounts.events import AccountShut
from crownhead.server.accounts.models import FormerName, User
from crownhead.server.accounts.problems import name_that_may_be_taken
from crownhead.server.accounts.selectors import name_is_taken
from crownhead.server.accounts.services import letters
from crownhead.server.accounts.services.closing import rename
from crownhead.server.accounts.services.revocation import end_sessions
from crownhead.server.accounts.validators import NAME_IS_TAKEN, check_address
from crownhead.server.core import clock
from crownhead.server.core.admin import (
    CHANGED_SINCE,
    AsShownAdmin,
    AsShownForm,
    BoundedAdmin,
    ByServiceAdmin,
    LoggedByKeyAdmin,
)
from crownhead.server.core.events import emit
from crownhead.server.core.problems import NotSignedIn


class ConfirmedAdmin(AsShownAdmin, LoggedByKeyAdmin, BoundedAdmin):
    """Rows that open accounts or give rights: staff give their password or second factor before a change.

    Only who has all rights gives some, and acts on the accounts of those who have some: nobody takes over an
    account that may do more than theirs.
    """

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save what was confirmed."""
        expect_recently_authenticated(request)
        super().save_model(request, obj, form, change)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Delete likewise."""
        expect_recently_authenticated(request)
        super().delete_model(request, obj)

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:  # type: ignore[override]
        """Act likewise on what was selected in the list."""
        expect_recently_authenticated(request)
        return super().response_action(request, queryset)


_RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")
_OF_STAFF = Q(user__is_staff=True) | Q(user__is_superuser=True)
_ADDED_BY_NAME = _("Once they are added, you can set their password and e-mail address.")


class FormerNameInline(admin.TabularInline[FormerName, User]):
    """The names that a player gave up."""

    model = FormerName
    fields = readonly_fields = ("name", "kept_until")
    extra = 0
    can_delete = False

    def has_add_permission(self, *_: Any) -> bool:
        return False


class _NamedForm(forms.ModelForm):  # type: ignore[type-arg] # no class takes arguments at run time
    """A player, whose name is nobody else's and does not look like it."""

    def clean_username(self) -> str:
        name = str(self.cleaned_data["username"])
        before = None if self.instance.pk is None else self.instance
        if name != self.instance.username and name_is_taken(name, clock.now(), by_other_than=before):
            raise ValidationError(NAME_IS_TAKEN)
        return name


class NewMemberForm(_NamedForm):
    """A member whom the staff add, by name: to hash a password takes longer than others should wait to write.

    It is set on its own page, which hashes it before anything is written.
    """

    class Meta:
        model = User
        fields = ("username",)

    def save(self, commit: bool = True) -> Any:
        """Save them without a password, which opens nothing."""
        self.instance.set_unusable_password()
        return super().save(commit=commit)


class AddressForm(AsShownForm):
    """An address that letters can be sent to, or one from before such were refused, which stays as it is."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._stays: set[str] = set()
        if (field := self.fields.get("email")) is not None:
            field.validators = [check for check in field.validators if check is not validate_email]

    def clean_email(self) -> str:
        text = str(self.cleaned_data["email"])
        if not text:
            return text
        try:
            check_address(text)
        except ValidationError:
            if "email" in self.changed_data:
                raise
            self._stays = {"email"}
        return text

    def _get_validation_exclusions(self) -> set[str]:
        """Return what the row does not check again."""
        return self._stays | set(super()._get_validation_exclusions())  # type: ignore[misc]


class NamedForm(_NamedForm, AddressForm, UserChangeForm[User]):
    """A member, with all that the staff change."""

    shown = (
        *("username", "email", "password", "is_active", "is_staff", "is_superuser"),
        *("groups", "user_permissions"),
    )


class NewPasswordForm(AdminPasswordChangeForm):  # type: ignore[type-arg]
    """A password that the staff set, or take away; its owner gets a mail."""

    def save(self, commit: bool = True) -> User:
        """Save it alone, and tell the owner; raises ``NotSignedIn`` if the account has changed meanwhile."""
        before = copy(self.user)
        user: User = super().save(commit=False)
        if commit:
            store_password(user, before=before)
        if user.email:
            with letters.in_words_for(user):
                get_adapter().send_mail("account/email/password_set_by_staff", user.email, {"user": user})
        return user


@admin.register(User)
class UserAdmin(ByServiceAdmin, ConfirmedAdmin, DjangoUserAdmin):  # type: ignore[type-arg]
    """A player's name, address, rights and dates."""

    list_display = ("username", "email", "is_active", "is_staff", "date_joined")
    search_fields = ("username", "email")
    readonly_fields = ("last_login", "last_seen_at", "date_joined", "closed_at")
    form = NamedForm
    add_form = NewMemberForm
    add_fieldsets = ((None, {"fields": ("username",), "description": _ADDED_BY_NAME}),)
    change_password_form = NewPasswordForm
    inlines = (FormerNameInline,)
    fieldsets = (
        (None, {"fields": ("username", "email", "password", "as_shown")}),
        (_("Rights"), {"fields": ("is_active", *_RIGHTS)}),
        (_("Dates"), {"fields": ("last_login", "last_seen_at", "date_joined", "closed_at")}),
    )

    def get_inlines(self, request: HttpRequest, obj: User | None) -> Any:
        """Return what belongs to a member; who is added has given up no name yet."""
        return super().get_inlines(request, obj) if obj is not None else ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Return the members; a guest who plays is none, and nobody can make them one here."""
        members: QuerySet[User] = super().get_queryset(request)
        return members.filter(is_guest=False)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Whether they may change a member: nobody opens a closed account again."""
        if obj is not None and (obj.closed_at is not None or not _may_act_on(request, obj)):
            return False
        return super().has_change_permission(request, obj)

    def has_delete_permission(self, *_: Any) -> bool:
        """Members close their accounts: a row stays for their games, and nothing is deleted all at once."""
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Return what is only shown; one's own address changes where the old one is asked to agree."""
        own = ("email",) if obj is not None and obj.pk == request.user.pk else ()
        return (*self.readonly_fields, *own, *(() if _has_all_rights(request) else _RIGHTS))

    @method_decorator(sensitive_post_parameters())
    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        """Set another's password; one's own is changed where the old one is asked for."""
        user = self.get_object(request, unquote(id))
        if self.has_change_permission(request, user):
            if user is not None and user.pk == request.user.pk:
                return redirect("account_change_password")
            expect_recently_authenticated(request)
        try:
            answer: HttpResponse = super().user_change_password(request, id, form_url)
        except NotSignedIn:
            messages.error(request, CHANGED_SINCE)
            answer = redirect(request.path)
        return answer

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Find a renamed player by the old name, too, and tell the old address of another one.

        An account that is shut here is opened by nothing but the staff.
        """
        if not change:
            with name_that_may_be_taken():
                super().save_model(request, obj, form, change)
            return
        name, obj.username = obj.username, form.initial["username"]
        with old_addresses_told(request=request, user_ids=[obj.pk], now=clock.now()):
            super().save_model(request, obj, form, change)
        if "is_active" in form.changed_data and not obj.is_active:
            emit(AccountShut(user_id=obj.pk))
        if name != obj.username:
            rename(user=obj, name=name, now=clock.now())


class OfMembersAdmin(ConfirmedAdmin):
    """Rows of which each belongs to somebody."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows of those on whose accounts one may act."""
        rows: QuerySet[Any] = super().get_queryset(request)
        return rows if _has_all_rights(request) else rows.exclude(_OF_STAFF)


class AddressAdmin(OfMembersAdmin, EmailAddressAdmin):  # type: ignore[misc]
    """The addresses of others; one's own changes where the old one is asked to agree."""

    form = AddressForm

    def get_queryset(self, request: HttpRequest) -> QuerySet[EmailAddress]:
        """Return all addresses but one's own."""
        rows: QuerySet[EmailAddress] = super().get_queryset(request)
        return rows.exclude(user=request.user.pk)

    def save_model(self, request: HttpRequest, obj: EmailAddress, form: Any, change: bool) -> None:
        """Save none for oneself."""
        if obj.user_id == request.user.pk or not _may_act_on(request, obj.user):
            raise PermissionDenied
        owners = {obj.user_id, form.initial.get("user", obj.user_id)}
        with old_addresses_told(request=request, user_ids=owners, now=clock.now()):
            super().save_model(request, obj, form, change)

    def delete_model(self, request: HttpRequest, obj: EmailAddress) -> None:
        """Delete it, and tell it."""
        with old_addresses_told(request=request, user_ids=[obj.user_id], now=clock.now()):
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[EmailAddress]) -> None:
        """Delete several likewise."""
        owners = set(queryset.values_list("user_id", flat=True))
        with old_addresses_told(request=request, user_ids=owners, now=clock.now()):
            super().delete_queryset(request, queryset)

    @admin.action(description=EmailAddressAdmin.make_verified.short_description)
    def make_verified(self, request: HttpRequest, queryset: QuerySet[EmailAddress]) -> None:
        """Confirm several, and tell those that were confirmed before."""
        owners = set(queryset.values_list("user_id", flat=True))
        with old_addresses_told(request=request, user_ids=owners, now=clock.now()):
            super().make_verified(request, queryset)


class KeysAdmin(OfMembersAdmin):
    """What opens accounts can be taken away here, and is neither made nor shown."""

    exclude = ("data", "session_key")

    def has_add_permission(self, *_: Any) -> bool:
        return False

    def has_change_permission(self, *_: Any) -> bool:
        return False


class SecondFactorAdmin(KeysAdmin, AuthenticatorAdmin):  # type: ignore[misc]
    """Second factors, without their secrets."""


class SessionAdmin(KeysAdmin, UserSessionAdmin):  # type: ignore[misc]
    """Sessions, without the keys that open them; to delete one ends it, with the pages that are open."""

    def delete_model(self, request: HttpRequest, obj: UserSession) -> None:
        """End it."""
        expect_recently_authenticated(request)
        end_sessions(user_id=obj.user_id, keys=[obj.session_key])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[UserSession]) -> None:  # noqa: ARG002
        """End several."""
        keys: dict[int, list[str]] = {}
        for user_id, key in queryset.values_list("user_id", "session_key"):
            keys.setdefault(user_id, []).append(key)
        for user_id, theirs in keys.items():
            end_sessions(user_id=user_id, keys=theirs)


class RightsAdmin(ConfirmedAdmin, GroupAdmin):
    """Rights that many have: for who has all of them."""

    def has_add_permission(self, request: HttpRequest, *_: Any) -> bool:
        return _has_all_rights(request)

    def has_change_permission(self, request: HttpRequest, *_: Any) -> bool:
        return _has_all_rights(request)

    def has_delete_permission(self, request: HttpRequest, *_: Any) -> bool:
        return _has_all_rights(request)


def _has_all_rights(request: HttpRequest) -> bool:
    return bool(request.user.is_superuser)


def _may_act_on(request: HttpRequest, user: User) -> bool:
    """Whether somebody's account is theirs to change."""
    return _has_all_rights(request) or not user.has_rights


_CONFIRMED = {
    EmailAddress: AddressAdmin,
    Authenticator: SecondFactorAdmin,
    UserSession: SessionAdmin,
    Group: RightsAdmin,
}
admin.site.unregister(list(_CONFIRMED))
for _model, _page in _CONFIRMED.items():
    admin.site.register(_model, _page)
