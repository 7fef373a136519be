"""The queue of reports comes from indexes, however many were ever made."""

from django.conf import settings
from django.db import migrations, models

from crownhead.server.core.queries.migrating import hold_table


class Migration(migrations.Migration):

    dependencies = [
        ('social', '0008_bans_of_shut_accounts'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        hold_table('social_report'),
        migrations.AddIndex(
            model_name='report',
            index=models.Index(condition=models.Q(('decided_at', None)), fields=['reporter'], name='reports_waiting'),
        ),
        migrations.AddIndex(
            model_name='report',
            index=models.Index(fields=['decision', 'reported_at', '-id'], name='reports_open_first'),
        ),
        migrations.AddIndex(
            model_name='report',
            index=models.Index(condition=models.Q(('decided_at__isnull', False)), fields=['-decided_at', '-id'], name='reports_decided_last'),
        ),
        migrations.RemoveIndex(
            model_name='report',
            name='reports_open',
        ),
    ]
