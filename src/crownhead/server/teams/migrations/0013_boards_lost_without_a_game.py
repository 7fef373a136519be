"""Boards of team matches that a side loses without a game."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("teams", "0012_posts_of_a_member")]

    operations = [
        migrations.AddField(
            model_name="board",
            name="lost_by",
            field=models.CharField(
                blank=True,
                choices=[("home", "home"), ("away", "away")],
                db_default="",
                default="",
                help_text="without a game, because their player did not play",
                max_length=8,
            ),
        ),
    ]
