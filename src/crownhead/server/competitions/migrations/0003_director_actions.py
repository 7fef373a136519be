"""Call an act of a director an action; its table stays as it is."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Every operation changes only the state: the table keeps its name."""

    dependencies = [("competitions", "0002_wording")]

    operations = [
        migrations.AlterModelTable(name="act", table="competitions_act"),
        migrations.RenameModel(old_name="Act", new_name="DirectorAction"),
        migrations.AlterField(
            model_name="directoraction",
            name="tournament",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="actions",
                to="competitions.tournament",
            ),
        ),
    ]
