"""Users, their preferences and contacts, and their API tokens."""

import hashlib
from collections.abc import Collection
from datetime import datetime
from typing import Any, ClassVar

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as DjangoUserManager
from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from crownhead.server.accounts.choices import (
    AfterSubmit,
    Appearance,
    Invitations,
    Motion,
    MoveEntry,
    Names,
    Numbers,
    Scope,
    Sound,
    Submitting,
    Theme,
    Turned,
    Visibility,
)
from crownhead.server.accounts.validators import LONGEST, NAME_IS_TAKEN, check_name, folded, player_likeness
from crownhead.server.core.markup.stored import MarkdownHtml
from crownhead.server.core.texts import FoldedField, LineField

SECOND_FACTORS = ["totp", "webauthn"]  # of allauth, without the recovery codes that come with them


class UserManager(DjangoUserManager["User"]):
    """Finds users by name, ignoring case."""

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(folded=folded(username or ""))


class User(AbstractUser):
    """A person, or a program that plays as one.

    `username` is shown everywhere; `likeness` keeps names apart that look alike. `email` is the address in
    use; allauth's table of addresses tells whether it was confirmed, and lets only one account confirm it.
    `folded` is the name without its case, by which people are found and sought. `last_seen_at` is kept to the
    minute. A closed account keeps its row, for the games that were played, under a name that says so.
    ``is_guest``: somebody who plays without an account. Such a row is never active: nobody can sign in to it,
    find it or write to it, and `guests.access` alone finds it, by the session of the browser.
    `kept_tokens` is for who changes the password: the keys of the tokens that stay.
    """

    kept_tokens: Collection[int] = ()

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = models.CharField(
        _("name"),
        max_length=LONGEST,
        unique=True,
        validators=[check_name],
        error_messages={"unique": NAME_IS_TAKEN},
    )
    likeness = models.CharField(max_length=LONGEST, unique=True, editable=False)
    folded = FoldedField(max_length=LONGEST, unique=True, editable=False)
    email = models.EmailField(_("e-mail address"), blank=True, db_index=True)
    last_seen_at = models.DateTimeField(_("last seen"), null=True, editable=False, db_index=True)
    closed_at = models.DateTimeField(_("closed"), null=True, editable=False)
    is_guest = models.BooleanField(_("guest"), default=False, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    class Meta(AbstractUser.Meta):
        constraints = (
            models.CheckConstraint(
                condition=~models.Q(is_guest=True, is_active=True), name="no_guest_is_active"
            ),
        )
        indexes = (
            models.Index(
                fields=("last_seen_at",),
                condition=models.Q(is_guest=True, closed_at=None),
                name="guests_by_time",
            ),
            models.Index(
                fields=("closed_at",),
                condition=models.Q(is_guest=False, closed_at__isnull=False),
                name="accounts_by_closing",
            ),
        )

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.likeness, self.folded = player_likeness(self.username), folded(self.username)
        if (named := kwargs.get("update_fields")) is not None and "username" in named:
            kwargs["update_fields"] = {*named, "likeness", "folded"}
        super().save(*args, **kwargs)

    def check_password(self, raw_password: str | None) -> bool:
        """Whether this is the password; if its hash is renewed, that never replaces a newer password."""

        def store(raw: str) -> None:
            before, self.password = self.password, make_password(raw)
            type(self).objects.filter(pk=self.pk, password=before).update(password=self.password)

        return check_password(raw_password, self.password, store)

    @cached_property
    def acts_as_staff(self) -> bool:
        """Whether they may do what staff may: where the club requires it, only with a second factor."""
        if not (self.is_active and self.is_staff):
            return False
        return not settings.STAFF_SECOND_FACTOR or is_mfa_enabled(self, SECOND_FACTORS)

    def act_as_member(self) -> None:
        """Have them be a member like any other in what follows, as where they have not shown their factor."""
        self.acts_as_staff = False

    @property
    def has_rights(self) -> bool:
        """Whether they are of the staff, or have all rights: only who has all acts on their account."""
        return self.is_staff or self.is_superuser

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username


class ApiToken(models.Model):
    """A key with which a program acts for its owner; stored as a hash. ``name``: given by the owner.

    ``scopes``: what it allows, values of `Scope` with spaces between them. ``expires_at``: None for never.
    ``with_factor``: whether who made it had shown a second factor, and has lost none since.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    digest = models.CharField(max_length=64, unique=True)
    name = LineField(max_length=60, blank=True, default="")
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    scopes = models.CharField(max_length=60, default=" ".join(Scope.values))
    expires_at = models.DateTimeField(null=True)
    with_factor = models.BooleanField(default=False, db_default=False, editable=False)

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"{self.user.username} {self.created_at:%Y-%m-%d}"

    @property
    def granted(self) -> list[Scope]:
        """What the token allows."""
        return [scope for scope in Scope if scope in self.scopes.split()]

    def has_expired(self, now: datetime) -> bool:
        """Return whether its time is over."""
        return self.expires_at is not None and self.expires_at <= now


class EmailChange(models.Model):
    """A change of somebody's e-mail address, from the question until it can't be undone any more.

    ``old``: empty if it never was confirmed, and so has no say. ``agreed_at``: when the old address agreed;
    ``done_at``: when the new one was confirmed. The session and the tokens that are kept stay signed in.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="email_changes")
    old = models.EmailField(blank=True)
    new = models.EmailField()
    asked_at = models.DateTimeField()
    agreed_at = models.DateTimeField(null=True)
    done_at = models.DateTimeField(null=True)
    kept_session = models.CharField(max_length=40, blank=True)
    kept_tokens = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"{self.user_id} {self.old} {self.new}"


class Budget(models.Model):
    """What somebody has used up of a limit that all processes count together; ``who`` is a hash.

    ``begun``: the number of the span of time, of the length that the limit says.
    """

    scope = models.CharField(max_length=32)
    who = models.CharField(max_length=64)
    begun = models.BigIntegerField()
    spent = models.PositiveIntegerField(default=0)
    ends_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("scope", "who", "begun"), name="one_budget_at_a_time"),
        )

    def __str__(self) -> str:
        return f"{self.scope} {self.begun} {self.spent}"

    @staticmethod
    def hash_of(who: str) -> str:
        """What is stored instead of an address or a name."""
        return hashlib.sha256(who.strip().lower().encode("utf-8", "replace")).hexdigest()


class Profile(models.Model):
    """What a user writes about themselves; no row if they wrote nothing."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, primary_key=True, related_name="profile")
    text = models.TextField(blank=True)  # Markdown, as it was written
    html = MarkdownHtml()
    country = models.CharField(max_length=2, blank=True)  # ISO 3166-1

    class Meta:
        indexes = (
            models.Index(
                fields=("country", "-user"), condition=~models.Q(country=""), name="profiles_of_country"
            ),
        )

    def __str__(self) -> str:
        return self.user.username


class Preferences(models.Model):
    """A user's preferences; no row, and the defaults, if they never chose."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, primary_key=True, related_name="preferences")
    time_zone = models.CharField(max_length=64, blank=True)  # of the tz database; empty: UTC
    language = models.CharField(max_length=16, blank=True)  # empty: what the browser asks for
    appearance = models.CharField(max_length=8, choices=Appearance, default=Appearance.AUTO)
    theme = models.CharField(max_length=16, choices=Theme, default=Theme.TOURNAMENT)
    numbers = models.CharField(max_length=8, choices=Numbers, default=Numbers.INSIDE)
    names = models.CharField(max_length=12, choices=Names, default=Names.OWN)
    motion = models.CharField(max_length=4, choices=Motion, default=Motion.ON)
    sound = models.CharField(max_length=4, choices=Sound, default=Sound.LIVE)
    turned = models.CharField(max_length=8, choices=Turned, default=Turned.MINE)
    entry = models.CharField(max_length=8, choices=MoveEntry, default=MoveEntry.ANY)
    submit = models.CharField(max_length=8, choices=Submitting, default=Submitting.SLOW)
    then = models.CharField(max_length=8, choices=AfterSubmit, default=AfterSubmit.STAY)
    visibility = models.CharField(max_length=12, choices=Visibility, default=Visibility.EVERYBODY)
    show_here = models.BooleanField(default=True)  # among those who are here
    invitations = models.CharField(max_length=12, choices=Invitations, default=Invitations.EVERYBODY)
    guests = models.BooleanField(default=True)  # may take casual offers

    def __str__(self) -> str:
        return self.user.username


class Buddy(models.Model):
    """A player on the user's list of buddies, with a private note."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="buddies")
    buddy = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    note = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "buddy"), name="one_row_per_buddy"),
            models.CheckConstraint(condition=~models.Q(user=models.F("buddy")), name="nobody_his_own_buddy"),
        )

    def __str__(self) -> str:
        return f"{self.user_id} {self.buddy_id}"


class Ignored(models.Model):
    """A player whom the user has blocked."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="ignored")
    ignored = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "ignored"), name="one_row_per_ignored"),
            models.CheckConstraint(
                condition=~models.Q(user=models.F("ignored")), name="nobody_ignores_himself"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user_id} {self.ignored_id}"


class FormerName(models.Model):
    """A name that a user gave up: it leads to them, and nobody else can take it before `kept_until`."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="former_names")
    name = LineField(max_length=LONGEST, copied=True)
    folded = models.CharField(max_length=LONGEST, db_index=True)
    likeness = models.CharField(max_length=LONGEST, db_index=True)
    kept_until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.name} {self.user_id}"


class InvitationOptOut(models.Model):
    """An e-mail address whose owner opted out of invitations; only its hash is stored."""

    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()

    class Meta:
        db_table = "accounts_silentaddress"

    def __str__(self) -> str:
        return self.digest
