"""Call a knock a join request; its table stays as it is."""

from django.db import migrations


class Migration(migrations.Migration):
    """Both operations change only the state: the table keeps its name."""

    dependencies = [("teams", "0001_teams_and_matches")]

    operations = [
        migrations.AlterModelTable(name="knock", table="teams_knock"),
        migrations.RenameModel(old_name="Knock", new_name="JoinRequest"),
    ]
