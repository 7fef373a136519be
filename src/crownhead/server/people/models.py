"""Archives of users' data while they can be downloaded, and who was invited to the club."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from crownhead.server.core.ids import new_id, new_secret


class Archive(models.Model):
    """All that the club knows of one person, in one file; ``ready_at`` is empty while it is being made.

    ``failed``: it could not be made, and is not tried again.
    """

    public_id = models.CharField(max_length=32, unique=True, default=new_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="archives")
    asked_at = models.DateTimeField()
    begun_at = models.DateTimeField(null=True)
    ready_at = models.DateTimeField(null=True)
    failed = models.BooleanField(default=False)
    tries = models.PositiveSmallIntegerField(default=0, db_default=0)
    size = models.PositiveBigIntegerField(default=0)  # bytes
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("user",), condition=Q(ready_at=None, failed=False), name="one_archive_in_the_making"
            ),
        )

    def __str__(self) -> str:
        return self.public_id


class Piece(models.Model):
    """A part of an archive; it is stored in the database, where every process finds it."""

    archive = models.ForeignKey(Archive, on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("archive", "number"), name="one_piece_of_a_number"),)

    def __str__(self) -> str:
        return f"{self.archive_id} {self.number}"


class ToldFriend(models.Model):
    """Somebody without an account who was invited to the club; only the hash of the address is stored."""

    token = models.CharField(max_length=32, unique=True, default=new_secret, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)
    told_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "digest"), name="a_friend_is_told_once"),)

    def __str__(self) -> str:
        return self.token
