"""Lists of games come along an index in each state, and those of a player and a contest by their keys."""

from django.conf import settings
from django.db import migrations, models

from crownhead.server.core.queries.migrating import hold_table


class Migration(migrations.Migration):

    dependencies = [
        ('play', '0019_unplayed_games_by_end'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    # The new ones first: the club may be running.
    operations = [
        hold_table('play_game'),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('hidden', True), ('status', 'playing')), fields=['-created_at', '-id'], name='game_hidden_on'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('status', 'finished')), fields=['-created_at', '-id'], name='game_newest_over'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('contest_event', ''), _negated=True), fields=['contest_event', 'id'], name='game_in_contest'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['first_player', 'status', 'turn', 'deadline_at', 'id'], name='game_as_first'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['second_player', 'status', 'turn', 'deadline_at', 'id'], name='game_as_second'),
        ),
        migrations.RemoveIndex(model_name='game', name='game_newest'),
        migrations.RemoveIndex(model_name='game', name='game_of_first'),
        migrations.RemoveIndex(model_name='game', name='game_of_second'),
    ]
