"""The back office says "trophies"."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('competitions', '0006_markdown_html'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='trophy',
            options={'verbose_name_plural': 'trophies'},
        ),
    ]
