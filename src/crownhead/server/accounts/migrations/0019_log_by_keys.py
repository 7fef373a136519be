"""The log of the back office names accounts, and what opens them, by their keys: it stays for ever."""

from typing import Any

from django.conf import settings
from django.db import migrations
from django.db.models import Q, Value
from django.db.models.functions import Concat


def name_by_keys(apps: Any, _editor: Any) -> None:
    """Replace the names and e-mail addresses that the log has kept until now."""
    named = Q(content_type__app_label='accounts', content_type__model='user')
    named |= Q(content_type__app_label='account') | Q(content_type__app_label='mfa')
    named |= Q(content_type__app_label='social', content_type__model='report', object_repr__contains='@')
    rows = apps.get_model('admin', 'LogEntry').objects.filter(named)
    keys = list(rows.values_list('pk', flat=True))
    for first in range(0, len(keys), 500):
        some = apps.get_model('admin', 'LogEntry').objects.filter(pk__in=keys[first : first + 500])
        some.update(object_repr=Concat(Value('#'), 'object_id'))


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0018_accounts_by_closing'),
        ('admin', '0003_logentry_add_action_flag_choices'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [migrations.RunPython(name_by_keys, migrations.RunPython.noop, elidable=True)]
