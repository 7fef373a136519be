"""Whole conversations are deleted by a note of how far; a job marks their messages."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('social', '0006_kinds_of_reports'),
    ]

    operations = [
        migrations.AddField(
            model_name='side',
            name='cleared_to',
            field=models.BigIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='side',
            name='deleted_to',
            field=models.BigIntegerField(db_default=0, default=0),
        ),
        migrations.AddIndex(
            model_name='side',
            index=models.Index(condition=models.Q(('deleted_to__gt', models.F('cleared_to'))), fields=['user'], name='conversations_to_clear'),
        ),
    ]
