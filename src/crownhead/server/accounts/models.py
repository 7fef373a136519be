"""Users and their API tokens: columns, constraints, indexes."""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as DjangoUserManager
from django.db import models
from django.utils.translation import gettext_lazy as _

from crownhead.server.accounts.names import LONGEST, check_name, likeness


class UserManager(DjangoUserManager["User"]):
    """Finds people by name without regard to case."""

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(username__iexact=username)


class User(AbstractUser):
    """A person, or a program that plays as one.

    `username` is shown everywhere; `likeness` keeps names apart that look alike. `email` is the address in
    use; allauth's table of addresses tells whether it was confirmed, and lets only one account confirm it.
    """

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = models.CharField(
        _("name"),
        max_length=LONGEST,
        unique=True,
        validators=[check_name],
        error_messages={"unique": _("This name, or one that looks like it, is taken.")},
    )
    likeness = models.CharField(max_length=LONGEST, unique=True, editable=False)
    email = models.EmailField(_("e-mail address"), blank=True)

    objects: ClassVar[UserManager] = UserManager()

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.likeness = likeness(self.username)
        super().save(*args, **kwargs)

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username


class ApiToken(models.Model):
    """A key with which a program acts for its owner; only the key's hash is kept."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"{self.user.username} {self.created_at:%Y-%m-%d}"
