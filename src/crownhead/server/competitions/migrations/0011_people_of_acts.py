"""The log of a tournament knows whom it names, who may have another name or have left."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """The version before this one writes nothing into the new column."""

    dependencies = [("competitions", "0010_players_told_of_the_end")]

    operations = [
        migrations.AddField(
            model_name="directoraction",
            name="people",
            field=models.JSONField(
                blank=True, help_text="keys of users by their names in the text", null=True
            ),
        ),
    ]
