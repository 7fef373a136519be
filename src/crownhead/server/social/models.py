"""Conversations, reports to the staff, and news."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import models
from django.db.models import F, Q
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from crownhead.server.core.background.write_buffers import ONE_BY_ONE, WriteBuffer
from crownhead.server.core.ids import new_id
from crownhead.server.core.markup.stored import MarkdownHtml
from crownhead.server.core.texts import LineField
from crownhead.server.social.choices import About, Decision, Verb

LONGEST_SUBJECT, LONGEST_TEXT = 80, 5000
LONGEST_REASON, LONGEST_QUOTE = 2000, 20_000
LONGEST_TITLE, LONGEST_NEWS = 120, 50_000


class Conversation(models.Model):
    """The messages of two players under one subject; one conversation of each pair has no subject.

    ``first`` is the one with the lower key.
    """

    public_id = models.CharField(max_length=32, unique=True, default=new_id, editable=False)
    first = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    subject = LineField(max_length=LONGEST_SUBJECT, blank=True)
    begun_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="conversation_of_two_in_order"),
            models.UniqueConstraint(
                fields=("first", "second"), condition=Q(subject=""), name="one_conversation_without_subject"
            ),
        )

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.public_id} {self.subject}"


class Message(models.Model):
    """A message of one player to the other.

    If it is not ``delivered``, the recipient had blocked the sender: they never see it, and the sender does
    not learn of that. Each deletes their own copy; what neither sees is deleted. See ``Side.deleted_to``.
    """

    public_id = models.CharField(max_length=32, unique=True, default=new_id, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="messages")
    sender = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    recipient = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    text = models.TextField(max_length=LONGEST_TEXT)
    sent_at = models.DateTimeField()
    delivered = models.BooleanField(default=True)
    deleted_by_sender = models.BooleanField(default=False)
    deleted_by_recipient = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=~Q(sender=F("recipient")), name="nobody_writes_to_himself"),
        )
        indexes = (
            models.Index(fields=("conversation", "id"), name="messages_of_conversation"),
            models.Index(fields=("sender", "-id"), name="messages_sent"),
            models.Index(fields=("recipient", "-id"), name="messages_received"),
        )

    def __str__(self) -> str:
        """What the back office calls it."""
        return self.public_id


class Side(models.Model):
    """One player's side of a conversation: the last message they see, how many are unread.

    ``last_at`` is null if they see none: the conversation is then in no list of theirs. ``deleted_to`` is the
    key of the last message that they deleted together with all before it; a repeated job marks the messages
    themselves as deleted, and has done so up to ``cleared_to``.
    """

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="sides")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    last = models.ForeignKey(Message, on_delete=models.SET_NULL, related_name="+", null=True)
    last_at = models.DateTimeField(null=True)
    unread = models.PositiveIntegerField(default=0)
    read_to = models.BigIntegerField(default=0)  # the key of the last message that they have read
    deleted_to = models.BigIntegerField(default=0, db_default=0)
    cleared_to = models.BigIntegerField(default=0, db_default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("conversation", "user"), name="one_side_each"),
            models.CheckConstraint(condition=~Q(user=F("other")), name="side_of_two_people"),
        )
        indexes = (
            models.Index(fields=("user", "-last_at", "-id"), name="conversations_of_user"),
            models.Index(fields=("user",), condition=Q(unread__gt=0), name="conversations_not_read"),
            models.Index(
                fields=("user",), condition=Q(deleted_to__gt=F("cleared_to")), name="conversations_to_clear"
            ),
        )

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.conversation_id} {self.user_id}"


class Report(models.Model):
    """A report to the staff about a message, a profile or a game, or a letter to them.

    ``quoted`` is what was reported, as it was then; ``about`` who wrote it. ``reporter`` is null for a guest,
    who may leave an address. ``note`` is shown to the reporter when the staff have decided.
    """

    public_id = models.CharField(max_length=32, unique=True, default=new_id, editable=False)
    kind = models.CharField(_("kind"), max_length=8, choices=About)
    key = models.CharField(max_length=64, blank=True)  # of what is reported, within its kind
    about = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        verbose_name=_("player reported"),
    )
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    address = models.EmailField(_("e-mail address"), blank=True)
    reason = models.TextField(_("reason"), max_length=LONGEST_REASON)
    quoted = models.TextField(_("as reported"), max_length=LONGEST_QUOTE, blank=True)
    link = models.CharField(max_length=200, blank=True)
    reported_at = models.DateTimeField()
    decision = models.CharField(max_length=8, choices=Decision, blank=True)
    note = models.TextField(_("note to the reporter"), max_length=LONGEST_REASON, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    decided_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("reporter", "kind", "key"),
                condition=Q(decided_at=None) & ~Q(kind=About.STAFF),
                name="one_open_report_of_a_thing",
            ),
            models.CheckConstraint(
                condition=Q(decided_at=None, decision="") | Q(decided_at__isnull=False) & ~Q(decision=""),
                name="report_decided_at_a_time",
            ),
        )
        indexes = (
            models.Index(fields=("reporter", "-id"), name="reports_of_user"),
            models.Index(fields=("reporter",), condition=Q(decided_at=None), name="reports_waiting"),
            models.Index(fields=("decision", "reported_at", "-id"), name="reports_open_first"),
            models.Index(
                fields=("-decided_at", "-id"),
                condition=Q(decided_at__isnull=False),
                name="reports_decided_last",
            ),
        )

    def __str__(self) -> str:
        """What the back office calls it."""
        who = self.about or self.reporter or _("guest")  # no address: logs keep this
        return f"{capfirst(self.get_kind_display())}: {who}, {date_format(self.reported_at)}"


class Mute(models.Model):
    """A player who may not write to others, until a time or until it is lifted."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    until = models.DateTimeField(null=True, blank=True, help_text=_("empty: until it is lifted"))
    reason = models.TextField(max_length=LONGEST_REASON, help_text=_("shown to the player"))
    muted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    muted_at = models.DateTimeField()

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.user} {self.until or '…'}"


class Ban(models.Model):
    """A player who cannot sign in, until a time or until it is lifted.

    ``reopens``: whether their account is open again then; the host may have shut it before.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    until = models.DateTimeField(
        null=True, blank=True, db_index=True, help_text=_("empty: until it is lifted")
    )
    reason = models.TextField(max_length=LONGEST_REASON, help_text=_("the player gets it by e-mail"))
    banned_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    banned_at = models.DateTimeField()
    reopens = models.BooleanField(default=False, db_default=True, editable=False)  # True: of older rows

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.user} {self.until or '…'}"


class News(models.Model):
    """An announcement of the host, in Markdown; a draft until it is published."""

    public_id = models.CharField(max_length=32, unique=True, default=new_id, editable=False)
    title = LineField(_("title"), max_length=LONGEST_TITLE)
    text = models.TextField(_("text"), max_length=LONGEST_NEWS, help_text=_("in Markdown"))
    html = MarkdownHtml(trusted=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    written_at = models.DateTimeField()
    published_at = models.DateTimeField(null=True)
    changed_at = models.DateTimeField()

    class Meta:
        verbose_name = verbose_name_plural = _("news")
        indexes = (
            models.Index(
                fields=("-published_at", "-id"), condition=Q(published_at__isnull=False), name="news_by_time"
            ),
        )

    def __str__(self) -> str:
        """What the back office calls it."""
        return self.title


class NewsRead(models.Model):
    """Until when a user has seen the news."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    until = models.DateTimeField()

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.user_id} {self.until}"


def _write_read(read: Mapping[int, datetime]) -> None:
    members = get_user_model().objects.filter(pk__in=read, closed_at=None)  # who have not left since
    for user_id in members.order_by("pk").values_list("pk", flat=True):
        NewsRead.objects.update_or_create(user_id=user_id, defaults={"until": read[user_id]})


NEWS_READ = WriteBuffer("news that was read", _write_read, at_once=ONE_BY_ONE)


class ModeratorAction(models.Model):
    """The log of what the staff did, with the reason; it is never changed."""

    staff = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    verb = models.CharField(max_length=12, choices=Verb)
    about = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True)
    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="actions", null=True)
    words = models.TextField(blank=True)
    done_at = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "social_moderatoract"

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.done_at:%Y-%m-%d %H:%M} {self.verb}"
