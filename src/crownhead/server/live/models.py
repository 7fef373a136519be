"""The outbox: events, written in the transaction in which they happened."""

from django.db import models


class Outbox(models.Model):
    """An event for the listeners of a topic.

    ``position``: its place in the stream, given once it has committed, for ids are in the order of writing;
    never below the id. On SQLite, which has one writer at a time, the id is the position and this is empty.
    """

    id = models.BigAutoField(primary_key=True)
    position = models.BigIntegerField(null=True, default=None, unique=True)
    topic = models.CharField(max_length=40)
    kind = models.CharField(max_length=20)
    payload = models.JSONField()
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        indexes = [
            models.Index(fields=["topic", "id"], name="outbox_topic_id"),
            models.Index(fields=["id"], name="outbox_unnumbered", condition=models.Q(position=None)),
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.topic} {self.kind}"
