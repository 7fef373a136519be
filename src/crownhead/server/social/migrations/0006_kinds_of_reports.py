"""The back office calls what a report is about its kind."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('social', '0005_markdown_html'),
    ]

    operations = [
        migrations.AlterField(
            model_name='report',
            name='kind',
            field=models.CharField(choices=[('message', 'a message'), ('player', 'a player'), ('chat', 'a line in the chat of a game'), ('game', 'a game'), ('post', "a message on a team's board"), ('staff', 'a message to the staff')], max_length=8, verbose_name='kind'),
        ),
    ]
