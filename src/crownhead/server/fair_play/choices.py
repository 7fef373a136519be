"""The choices of columns in this app's models."""

from __future__ import annotations

from django.db import models


class Trace(models.TextChoices):
    """What a member was seen with."""

    ADDRESS = "address", "address"
    DEVICE = "device", "device"
