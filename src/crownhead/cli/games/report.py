"""Statistics of games as text tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crownhead.cli.games.figures import Figures
from crownhead.cli.games.tally import Score
from crownhead.cli.tables import bar, clipped, counted, percent, table

_WIDEST_NAME = 44
_MAX_YEARS = 25  # more are shown by decade


def report(figures: Figures, top: int) -> Iterator[str]:
    """Yield the lines of the report, with ``top`` rows per table of names."""
    years = [year for year, _ in figures.by_year()]
    span = f", {years[0]}–{years[-1]}" if years else ""
    yield f"{counted(figures.games, 'game')}{span}"
    if not figures.is_exact:
        yield "Counts of rare names are incomplete, because there are too many names."
    if not figures.games:
        return
    first, second = sides(figures)
    yield from _results(figures, first, second)
    yield from _lengths(figures)
    won = (f"{first} won", f"{second} won")
    yield from _named("Openings", figures.openings.by_games(), won, top)
    yield from _named("Players", figures.players.by_games(), ("won", "lost"), top)
    yield from _named("Events", figures.events.by_games(), won, top)
    yield from _named("Years", periods(figures), won, len(years))
    yield from _named("Variants", figures.variants.by_games(), won, top)


def sides(figures: Figures) -> tuple[str, str]:
    """Return the names of the two sides: their colours if the same colour always begins."""
    if len(figures.beginners) != 1:
        return "first", "second"
    (colour,) = figures.beginners
    return colour.value.capitalize(), colour.opponent.value.capitalize()


def periods(figures: Figures) -> list[tuple[str, Score]]:
    """Return the scores by year, or by decade if there are many years."""
    years = figures.by_year()
    if len(years) <= _MAX_YEARS:
        return years
    decades: dict[str, Score] = {}
    for year, score in years:
        decades.setdefault(f"{year[:3]}0s", Score()).take(score)
    return list(decades.items())


def _results(figures: Figures, first: str, second: str) -> Iterator[str]:
    score = figures.score
    counts = {
        f"{first} won": score.wins,
        "drawn": score.draws,
        f"{second} won": score.losses,
        "both lost": figures.both_lost,
        "unknown": figures.unknown,
    }
    rows = [
        (name, str(count), percent(count, figures.games), bar(count, figures.games))
        for name, count in counts.items()
        if count or name in list(counts)[:3]
    ]
    yield ""
    yield from table(("Results", "games", "", ""), rows, right=(1, 2))


def _lengths(figures: Figures) -> Iterator[str]:
    bins = figures.bins()
    if not bins:
        return
    most = max(games for _, _, games in bins)
    rows = [(f"{low}–{high} moves", str(games), bar(games, most)) for low, high, games in bins]
    yield ""
    yield from table(("Lengths", "games", ""), rows, right=(0, 1))
    yield (
        f"shortest {figures.length_at(0)}, median {figures.length_at(0.5)}, "
        f"mean {figures.mean_length:.1f}, longest {figures.length_at(1)}"
    )


def _named(title: str, scores: Sequence[tuple[str, Score]], won: tuple[str, str], top: int) -> Iterator[str]:
    best = scores[:top]
    if not best:
        return
    rows = [
        (
            clipped(name, _WIDEST_NAME),
            str(score.games),
            percent(score.wins, score.known),
            percent(score.draws, score.known),
            percent(score.losses, score.known),
        )
        for name, score in best
    ]
    yield ""
    yield from table((title, "games", won[0], "drawn", won[1]), rows, right=(1, 2, 3, 4))
    if len(scores) > len(best):
        yield f"and {len(scores) - len(best)} more"
