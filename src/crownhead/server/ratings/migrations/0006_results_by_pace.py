"""Changes of ratings know by what kind of clock a game was played, and whether time ended it."""

from typing import Any

from django.db import migrations, models
from django.db.models import Exists, Max, OuterRef

CHUNK = 20_000  # keys of changes that are looked at together


def note_pace(apps: Any, schema_editor: Any) -> None:
    """What the games of the changes so far say; each is found by its public id."""
    changes = apps.get_model("ratings", "Change").objects
    games = apps.get_model("play", "Game").objects.filter(public_id=OuterRef("game_id"))
    last = changes.aggregate(last=Max("id"))["last"] or 0
    for after in range(0, last, CHUNK):
        part = changes.filter(id__gt=after, id__lte=after + CHUNK)
        part.filter(Exists(games.filter(pace="live"))).update(live=True)
        part.filter(Exists(games.filter(termination="time"))).update(on_time=True)


class Migration(migrations.Migration):

    dependencies = [
        ("play", "0016_links_for_friends"),
        ("ratings", "0005_provisional_ratings"),
    ]

    operations = [
        migrations.AddField(
            model_name="change",
            name="live",
            field=models.BooleanField(default=False, help_text="by a live clock, not by days per move or a bank of hours"),
        ),
        migrations.AddField(
            model_name="change",
            name="on_time",
            field=models.BooleanField(default=False, help_text="the game ended because time ran out"),
        ),
        migrations.RunPython(note_pace, migrations.RunPython.noop),
    ]
