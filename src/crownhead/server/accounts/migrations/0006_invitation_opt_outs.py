"""Call an address that gets no invitations an opt-out; its table stays as it is."""

from django.db import migrations


class Migration(migrations.Migration):
    """Both operations change only the state: the table keeps its name."""

    dependencies = [("accounts", "0005_plain_labels")]

    operations = [
        migrations.AlterModelTable(name="silentaddress", table="accounts_silentaddress"),
        migrations.RenameModel(old_name="SilentAddress", new_name="InvitationOptOut"),
    ]
