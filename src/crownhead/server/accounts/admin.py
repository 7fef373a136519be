"""Players in the back office."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from crownhead.server.accounts.models import FormerName, User
from crownhead.server.accounts.selectors import name_is_taken
from crownhead.server.accounts.services.closing import rename
from crownhead.server.core import clock


class FormerNameInline(admin.TabularInline[FormerName, User]):
    """The names that a player gave up."""

    model = FormerName
    fields = readonly_fields = ("name", "kept_until")
    extra = 0
    can_delete = False

    def has_add_permission(self, *_: Any) -> bool:
        return False


class NamedForm(UserChangeForm[User]):
    """A player, whose name is nobody else's and does not look like it."""

    def clean_username(self) -> str:
        name = str(self.cleaned_data["username"])
        if name != self.instance.username and name_is_taken(name, clock.now(), by_other_than=self.instance):
            raise ValidationError(_("This name, or one very similar to it, is already taken."))
        return name


@admin.register(User)
class UserAdmin(DjangoUserAdmin):  # type: ignore[type-arg]
    """A player's name, address, rights and dates."""

    list_display = ("username", "email", "is_active", "is_staff", "date_joined")
    search_fields = ("username", "email")
    readonly_fields = ("last_login", "last_seen_at", "date_joined", "closed_at")
    form = NamedForm
    inlines = (FormerNameInline,)
    fieldsets = (
        (None, {"fields": ("username", "email", "password")}),
        (_("Rights"), {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Dates"), {"fields": ("last_login", "last_seen_at", "date_joined", "closed_at")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Return the members; a guest who plays is none, and nobody can make them one here."""
        members: QuerySet[User] = super().get_queryset(request)
        return members.filter(is_guest=False)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Find a renamed player by the old name, too."""
        if not change or "username" not in form.changed_data:
            super().save_model(request, obj, form, change)
            return
        name, obj.username = obj.username, form.initial["username"]
        super().save_model(request, obj, form, change)
        rename(user=obj, name=name, now=clock.now())
