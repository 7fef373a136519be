"""The back office says "deliveries"."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('notices', '0007_letter_notes'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='delivery',
            options={'verbose_name_plural': 'deliveries'},
        ),
    ]
