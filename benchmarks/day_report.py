"""The part of results/ that tells how many people a club carries."""

from __future__ import annotations

from day_people import MEMBER, THINKS, Step
from day_scene import GUESTS, Scene
from sections import DAY, provenance, table, write_section

HEADS = [
    "people",
    "requests a second",
    "p50",
    "p99",
    "known already",
    "refused",
    "server",
    "client",
    "CPU each",
]


def line(step: Step) -> list[str]:
    """What was measured with one number of people."""
    count = max(len(step.all_waits), 1)
    return [
        f"{step.people:,}",
        f"{step.each_second:.0f}",
        f"{step.within(0.5) * 1000:.0f} ms",
        f"{step.p99 * 1000:.0f} ms",
        f"{step.unchanged / count:.0%}",
        f"{step.refused}",
        f"{step.server:.2f} cores",
        f"{step.client:.2f} cores",
        f"{step.server / step.each_second * 1000:.0f} ms" if step.each_second else "–",
    ]


def kinds(step: Step) -> list[list[str]]:
    """How long each kind of page took with one number of people, the most frequent first."""
    rows = []
    for kind, waits in sorted(step.waits.items(), key=lambda item: -len(item[1])):
        ordered = sorted(waits)
        middle, late = ordered[len(ordered) // 2], ordered[int(0.99 * len(ordered))]
        rows.append([kind, f"{len(waits)}", f"{middle * 1000:.0f} ms", f"{late * 1000:.0f} ms"])
    return rows


def write(steps: list[Step], *, scene: Scene, workers: int, load: float, goal: float) -> None:
    """Put the section where the last one was."""
    well = [step for step in steps if step.p99 < goal]
    carried = max(well, key=lambda step: step.people, default=None)
    most = max(steps, key=lambda step: step.each_second)
    capacity = "nobody" if carried is None else f"**{carried.people:,} people** at once"
    parts = [
        f"""{provenance("day.py")}
A club of {scene.size} on SQLite, {workers} workers; the visitors share the machine, whose load was {load:.1f}
when it began. {GUESTS:.0%} of the people are guests, all follow events, and each asks every
{THINKS:.0f} seconds (median) for one of {len(MEMBER) + 1} kinds.
Most requests a second: {most.each_second:.0f}.
With 99 of a hundred answers within {goal * 1000:.0f} ms it serves {capacity}.""",
        table(HEADS, [line(step) for step in steps]),
    ]
    if carried is not None:
        parts += [f"With {carried.people:,} people:", table(["", "requests", "p50", "p99"], kinds(carried))]
    write_section(DAY, "\n\n".join(parts))
