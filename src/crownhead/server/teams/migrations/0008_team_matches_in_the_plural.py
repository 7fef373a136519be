"""The back office says "team matches"."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('teams', '0007_likeness_across_alphabets'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='teammatch',
            options={'verbose_name_plural': 'team matches'},
        ),
    ]
