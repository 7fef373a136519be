"""The part of results/ that tells what the daily ways of members take, beside the same on lichess.org."""

from __future__ import annotations

from dataclasses import dataclass, field

from sections import JOURNEYS, provenance, table, write_section

# The same on lichess.org as its pages are known (not measured: they were not opened for this), in actions.
ELSEWHERE: dict[str, tuple[str, int]] = {
    "visitor: front page → first move": ("*Play against computer*, a side, a man, a square", 4),
    "sign-up → first move": (
        "*Sign up*, three fields, four agreements, *Register*, the link in the mail, then as a visitor",
        14,
    ),
    "my games → move → next game": ("a game, a man, a square, confirmation, the next by itself", 4),
    "offer → live game": ("*5 + 3* of the lobby's quick pairing", 1),
    "lost connection in a live game": ("a man, a square; sent when the connection is back", 2),
}


@dataclass(slots=True)
class Walk:
    """One way: its title and its steps, each with its actions and how long it took."""

    title: str
    steps: list[tuple[str, int, float]] = field(default_factory=list)

    def add(self, what: str, *, actions: int, seconds: float) -> None:
        """Note a step."""
        self.steps.append((what, actions, seconds))

    @property
    def kind(self) -> str:
        """The way itself, on whatever device."""
        return self.title.partition(",")[0]

    @property
    def actions(self) -> int:
        """How many actions it takes."""
        return sum(actions for _, actions, _ in self.steps)

    def summary(self) -> str:
        """The title, and each step with its milliseconds."""
        return f"{self.title}: {self.actions} actions; {self.written()}"

    def written(self) -> str:
        """The steps with their milliseconds."""
        return ", ".join(f"{what} ({1000 * seconds:.0f} ms)" for what, _, seconds in self.steps)


def write(walks: list[Walk], *, chromium: str, load: float) -> None:
    """Put the section where the last one was."""
    rows = []
    for walk in walks:
        way, actions = ELSEWHERE[walk.kind]
        rows.append([walk.title, walk.written(), str(walk.actions), str(actions), way])
    heads = ["way", "steps, with the time until the page follows", "actions", "lichess", "its way, on paper"]
    write_section(JOURNEYS, f"{_head(chromium, load=load)}\n\n{table(heads, rows)}")


def _head(chromium: str, *, load: float) -> str:
    return f"""{provenance("journeys.py")}
Chromium {chromium}; the club and its visitors share the machine, whose load was {load:.1f} when it
began. An action is a click, a touch or a field filled in; what stands in brackets is none. The column
*lichess* is counted on paper, from what its pages are known to ask for, and has no times. The slow
processor is one that Chromium slows down; every visitor comes for the first time, with nothing kept."""
