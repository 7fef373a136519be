"""The log of the back office names mutes, bans and reports by their keys: it stays, the names of players may not."""

from typing import Any

from django.db import migrations
from django.db.models import Value
from django.db.models.functions import Concat


def name_by_keys(apps: Any, _editor: Any) -> None:
    """Replace the names that the log has kept until now."""
    rows = apps.get_model('admin', 'LogEntry').objects
    named = rows.filter(content_type__app_label='social', content_type__model__in=['mute', 'ban', 'report'])
    named.update(object_repr=Concat(Value('#'), 'object_id'))


class Migration(migrations.Migration):

    dependencies = [
        ('admin', '0003_logentry_add_action_flag_choices'),
        ('contenttypes', '0002_remove_content_type_name'),
        ('social', '0010_answered_guests_forgotten'),
    ]

    operations = [migrations.RunPython(name_by_keys, migrations.RunPython.noop, elidable=True)]
