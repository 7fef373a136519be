"""Offers that came to nothing are found by their end, to delete them later."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('play', '0018_no_index_entries_for_nobody'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('status__in', ['withdrawn', 'declined', 'expired'])), fields=['ended_at'], name='game_unplayed'),
        ),
    ]
