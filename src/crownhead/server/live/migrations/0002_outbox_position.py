"""Events get positions in the order in which they commit; those that are there keep their ids."""

from typing import Any

from django.db import migrations, models
from django.db.models import F


def keep_ids(apps: Any, schema_editor: Any) -> None:
    """Pages that are open name these."""
    rows = apps.get_model("live", "Outbox").objects.using(schema_editor.connection.alias)
    if schema_editor.connection.vendor == "postgresql":
        rows.update(position=F("id"))


class Migration(migrations.Migration):

    dependencies = [
        ('live', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='outbox',
            name='position',
            field=models.BigIntegerField(default=None, null=True, unique=True),
        ),
        migrations.AddIndex(
            model_name='outbox',
            index=models.Index(condition=models.Q(('position', None)), fields=['id'], name='outbox_unnumbered'),
        ),
        migrations.RunPython(keep_ids, migrations.RunPython.noop),
    ]
