"""Notifications, their deliveries, and what users have chosen."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q

from crownhead.server.core.background.write_buffers import RowsBuffer
from crownhead.server.core.ids import new_id
from crownhead.server.core.queries.prepared import PreparedUpdate
from crownhead.server.core.texts import LineField
from crownhead.server.notices.kinds import Channel, Timing, kind_choices


class Notice(models.Model):
    """A notification of a user; ``key`` makes it unique for them.

    ``about`` is its subject (``game:…``): notifications about one subject are sent together. One that is no
    longer true is withdrawn: it is not shown and not sent. ``on_site``: the user wants it on the site.
    """

    public_id = models.CharField(max_length=32, unique=True, default=new_id, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,  # the constraint begins with it
    )
    kind = models.CharField(max_length=16, choices=kind_choices)
    key = models.CharField(max_length=120)
    about = models.CharField(max_length=80, blank=True, default="")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )
    subject = LineField(max_length=200, copied=True)
    text = models.TextField(blank=True, default="")
    link = models.CharField(max_length=200)
    on_site = models.BooleanField(default=True)
    created_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """One row for a key; an index for each frequent query."""

        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="notice_told_once"),
        ]
        indexes = [
            models.Index(
                fields=["user", "-created_at", "-id"],
                condition=Q(on_site=True, withdrawn_at__isnull=True),
                name="notice_of_user",
            ),
            models.Index(
                fields=["user", "-created_at", "-id"],
                condition=Q(on_site=True, read_at__isnull=True, withdrawn_at__isnull=True),
                name="notice_unread_of_user",
            ),
            models.Index(
                fields=["user", "link"],
                condition=Q(read_at__isnull=True, withdrawn_at__isnull=True),
                name="notice_unread",
            ),
            models.Index(fields=["about", "user"], condition=~Q(about=""), name="notice_about"),
            models.Index(fields=["created_at"], name="notice_age"),
            models.Index(
                fields=["created_at"], condition=Q(withdrawn_at__isnull=False), name="notice_withdrawn"
            ),
        ]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.kind} {self.public_id}"


class State(models.TextChoices):
    """How far the delivery of a notification has come."""

    WAITING = "waiting", "waiting"
    CLAIMED = "claimed", "in the hands of a worker"
    SENDING = "sending", "leaving now"
    SENT = "sent", "sent"
    DROPPED = "dropped", "not sent: read, withdrawn, or not wanted any more"
    FAILED = "failed", "given up"


class Delivery(models.Model):
    """A notification to be sent on a channel; ``kind`` is the one whose setting sends it.

    A worker takes due rows by writing its ``claim`` into waiting ones. What is ``sending`` when a worker
    dies may have been sent; it is sent again under the same key.
    """

    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    channel = models.CharField(max_length=8, choices=Channel.choices)
    kind = models.CharField(max_length=16, choices=kind_choices)
    timing = models.CharField(max_length=8, choices=Timing.choices)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    due_at = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    claim = models.CharField(max_length=32, blank=True, default="")
    claimed_at = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    trouble = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        """One row for a channel; what is due is found by an index."""

        verbose_name_plural = "deliveries"
        constraints = [
            models.UniqueConstraint(fields=["notice", "channel"], name="delivery_once_a_way"),
            models.CheckConstraint(
                condition=Q(channel__in=[Channel.MAIL, Channel.PUSH]), name="delivery_goes_out"
            ),
            models.CheckConstraint(
                condition=Q(state__in=[State.CLAIMED, State.SENDING], claimed_at__isnull=False) & ~Q(claim="")
                | ~Q(state__in=[State.CLAIMED, State.SENDING]),
                name="delivery_claimed_by_somebody",
            ),
        ]
        indexes = [
            models.Index(fields=["channel", "due_at"], condition=Q(state=State.WAITING), name="delivery_due"),
            models.Index(
                fields=["user", "channel"], condition=Q(state=State.WAITING), name="delivery_waiting"
            ),
            models.Index(fields=["claim"], condition=~Q(claim=""), name="delivery_claim"),
        ]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.channel} {self.state}"


class OutgoingMail(models.Model):
    """A letter about an account, as it leaves: stored with what it is about, deleted once it has left.

    A worker takes it until ``claimed_until``; if it dies, another sends the same letter with the same
    Message-ID.
    """

    content = models.BinaryField()
    sender = models.TextField()
    recipients = models.JSONField()
    made_at = models.DateTimeField()
    due_at = models.DateTimeField(db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)
    claimed_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.pk}"


class LetterNote(models.Model):
    """What a letter about an account is about: a worker writes it, and an `OutgoingMail` takes its place."""

    note = models.JSONField()
    made_at = models.DateTimeField()
    due_at = models.DateTimeField(db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.pk}"


class Choice(models.Model):
    """A user's timing of one kind on one channel, where it differs from the default."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    kind = models.CharField(max_length=16, choices=kind_choices)
    channel = models.CharField(max_length=8, choices=Channel.choices)
    timing = models.CharField(max_length=8, choices=Timing.choices)

    class Meta:
        """One choice for each."""

        constraints = [
            models.UniqueConstraint(fields=["user", "kind", "channel"], name="notice_choice_once"),
            models.CheckConstraint(condition=Q(timing__in=Timing.values), name="notice_choice_known"),
        ]
        indexes = [models.Index(fields=["kind", "user"], name="notice_choice_of_kind")]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.kind} {self.channel} {self.timing}"


class Reader(models.Model):
    """A recipient: the hour of their daily digest, and an address that was refused."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", primary_key=True
    )
    digest_hour = models.PositiveSmallIntegerField(default=8, validators=[MaxValueValidator(23)])
    refused_address = models.EmailField(blank=True, default="")
    refused_at = models.DateTimeField(null=True, blank=True)
    refused_why = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        """A day has twenty-four hours."""

        constraints = [
            models.CheckConstraint(condition=Q(digest_hour__lte=23), name="notice_reader_hour_of_a_day")
        ]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"digest at {self.digest_hour}"


class Device(models.Model):
    """A browser that takes push messages for a user; ``digest`` is the hash of its long endpoint.

    ``credential``: the session or token that added it, with which it ends; of old rows empty.
    """

    public_id = models.CharField(max_length=32, unique=True, default=new_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    endpoint = models.TextField()
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    name = LineField(max_length=60, blank=True, default="")
    credential = models.CharField(max_length=60, blank=True, default="", editable=False)
    created_at = models.DateTimeField()
    last_sent_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.name} {self.public_id}"


Seen = Mapping[int, tuple[datetime, bool]]  # by notification: when, and whether the menu counts it


def _write_seen(by_user: Mapping[int, Seen]) -> None:
    every = {pk: at for seen in by_user.values() for pk, (at, _counted) in seen.items()}
    for pk, at in sorted(every.items()):
        _SEE.run(pk=pk, at=at)


_SEE = PreparedUpdate(
    lambda pk, at: (Notice.objects.filter(pk=pk, read_at__isnull=True), {"read_at": at}),
    pk=int,
    at=datetime,
)


def _join_seen(before: Seen, after: Seen) -> Seen:
    return {**after, **before}


SEEN = RowsBuffer("notifications that were seen", _write_seen, join=_join_seen)
