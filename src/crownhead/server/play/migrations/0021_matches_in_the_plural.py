"""The back office says "matches"."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('play', '0020_lists_by_state'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='match',
            options={'verbose_name_plural': 'matches'},
        ),
    ]
