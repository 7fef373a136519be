"""Rated games of two players within a day are counted by an index: before each one begins, and at some ends."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('play', '0021_matches_in_the_plural'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('rated', True)), fields=['first_player', 'second_player', 'started_at'], name='game_rated_between'),
        ),
    ]
