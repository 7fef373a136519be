"""Invitations keep their answer and who made them; directors accept before they direct."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Case, Value, When


def keep_answers(apps: Any, schema_editor: Any) -> None:
    """Tell from the columns before what was answered; directors who direct already have accepted."""
    database = schema_editor.connection.alias
    invitations = apps.get_model("competitions", "Invitation").objects.using(database)
    entered = apps.get_model("competitions", "Entrant").objects.filter(
        tournament=models.OuterRef("tournament"), user=models.OuterRef("user")
    )
    invitations.update(
        answer=Case(
            When(models.Exists(entered), then=Value("accepted")),
            When(declined=True, then=Value("declined")),
            default=Value("open"),
        )
    )
    apps.get_model("competitions", "Director").objects.using(database).update(accepted=True)


class Migration(migrations.Migration):
    """One column of the answer instead of one that says it was no."""

    dependencies = [
        ("competitions", "0003_director_actions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField("director", "accepted", models.BooleanField(default=False)),
        migrations.AddField(
            "invitation",
            "answer",
            models.CharField(
                choices=[("open", "not answered yet"), ("accepted", "accepted"), ("declined", "declined")],
                default="open",
                max_length=16,
            ),
        ),
        migrations.AddField("invitation", "answered_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField(
            "invitation",
            "by",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            "invitation",
            "place",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="competitions.entrant",
            ),
        ),
        migrations.AddField("invitation", "reason", models.TextField(blank=True, default="")),
        migrations.RunPython(keep_answers, migrations.RunPython.noop),
        migrations.RemoveField("invitation", "declined"),
        migrations.AddConstraint(
            "invitation",
            models.CheckConstraint(
                condition=models.Q(answer__in=["open", "accepted", "declined"]), name="invitation_answer_known"
            ),
        ),
    ]
