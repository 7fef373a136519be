from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('play', '0007_games_by_date'),
    ]

    operations = [
        migrations.CreateModel(
            name='HouseVariant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=32, unique=True)),
                ('fingerprint', models.CharField(max_length=16)),
                ('rules', models.TextField(help_text='what the fingerprint is made of, to compare with the file')),
            ],
        ),
    ]
