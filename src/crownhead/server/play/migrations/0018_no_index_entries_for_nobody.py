"""Games without an invited player or a director need no entries in the indexes of these columns."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from crownhead.server.core.queries.migrating import hold_table

# By their names, for to alter the columns SQLite would copy the whole table.
_OLD = {"invited_id": "play_game_invited_id_e1e779bb", "adjudicated_by_id": "play_game_adjudicated_by_id_ca56315a"}


def _without_index() -> models.ForeignKey:  # type: ignore[type-arg]
    return models.ForeignKey(
        blank=True,
        db_index=False,
        null=True,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to=settings.AUTH_USER_MODEL,
    )


class Migration(migrations.Migration):

    dependencies = [
        ("play", "0017_games_of_two_players"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        hold_table("play_game"),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("invited__isnull", False)), fields=["invited"], name="game_of_invited"
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("adjudicated_by__isnull", False)),
                fields=["adjudicated_by"],
                name="game_adjudicated",
            ),
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    f'DROP INDEX IF EXISTS "{name}"', f'CREATE INDEX "{name}" ON "play_game" ("{column}")'
                )
                for column, name in _OLD.items()
            ],
            state_operations=[
                migrations.AlterField(model_name="game", name="invited", field=_without_index()),
                migrations.AlterField(model_name="game", name="adjudicated_by", field=_without_index()),
            ],
        ),
    ]
