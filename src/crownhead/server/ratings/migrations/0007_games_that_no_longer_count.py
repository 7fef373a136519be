"""The back office says what these rows are."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0006_results_by_pace'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='takenback',
            options={'verbose_name': 'game that no longer counts', 'verbose_name_plural': 'games that no longer count'},
        ),
    ]
