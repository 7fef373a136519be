"""A game that was to be rated, and is not in the end, says why; of those from before nobody knows."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('play', '0022_rated_games_of_two_players'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='unrated_because',
            field=models.CharField(blank=True, choices=[('pair', 'the two have played enough rated games that day'), ('left', 'its loser has left several games early'), ('won', 'its winner has won several games that others left early')], max_length=8, null=True),
        ),
    ]
