"""The outbox: events, written in the transaction in which they happened."""

from django.db import models


class Outbox(models.Model):
    """An event for the listeners of a topic; `id` is its position in the stream and never reused."""

    id = models.BigAutoField(primary_key=True)
    topic = models.CharField(max_length=40)
    kind = models.CharField(max_length=20)
    payload = models.JSONField()
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        indexes = [models.Index(fields=["topic", "id"], name="outbox_topic_id")]

    def __str__(self) -> str:
        return f"{self.id} {self.topic} {self.kind}"
