"""Files that do not name their variant are read without being told."""

from __future__ import annotations

import csv
import gzip
import io
import pickle
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from crownhead import VARIANTS, Position, pdn
from crownhead.notation.pdn import recognition
from crownhead.notation.pdn.game_type import named_variants
from crownhead.rules.schema import Variant
from tests.notation.files import PDN, PROJECT, data

UNNAMED = sorted(path for path in PDN.glob("*.pdn") if path.stem != "remarks")
AMERICAN = "1. 11-15 23-18 2. 8-11 27-23 *\n\n"
INTERNATIONAL = "1. 32-28 19-23 2. 28x19 14x23 *\n\n"


def keys(source: object) -> list[str]:
    """Return the variants of the games of a source; all must be good."""
    reader = pdn.read(source, on_error=complain)  # type: ignore[arg-type]
    return [game.variant.key for game in reader]


def complain(bad: pdn.PdnError) -> None:
    """Fail the test."""
    raise AssertionError(str(bad))


@pytest.mark.parametrize("path", UNNAMED, ids=lambda path: path.stem)
@pytest.mark.parametrize("verb", [pdn.read, pdn.check, pdn.read_trees])
def test_records_without_a_variant_are_read_and_the_choice_is_told(
    path: Path, verb: Callable[..., pdn.Reader[object]]
) -> None:
    (wanted,) = re.findall(r"variant: ([\w-]+)\.", path.read_text("utf-8").replace("\n%", ""))
    told: list[pdn.PdnWarning] = []
    reader = verb(path, on_error=complain, on_warning=told.append)
    for _ in reader:
        pass
    assert reader.recognised is not None
    assert reader.recognised.variant.key == wanted
    found = [message.cause for message in told if isinstance(message.cause, pdn.VariantRecognised)]
    assert found == [reader.recognised]
    assert type(told[0]) is pdn.PdnInfo
    assert told[0].number == 1


@pytest.mark.parametrize("folder", ["succeed", "fail"])
def test_every_file_of_the_standards_author_is_read_without_an_option(folder: str) -> None:
    bad = {}
    for path in data("pdn_conformance", "wiegerw", folder).glob("*.pdn"):
        reader = pdn.check(path, on_error=lambda _: None)
        for _ in reader:
            pass
        if reader.bad:
            bad[path.stem] = reader.bad
    assert bad == ({} if folder == "succeed" else {"Cat.C1": 1, "nested_comment": 1})


@pytest.mark.parametrize("key", ["international", "russian", "italian", "czech", "frisian"])
def test_numbered_games_of_real_collections_are_recognised(key: str) -> None:
    path = PROJECT / "suites" / "games" / f"{key}.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    text = "".join(f'[FEN "{row["start_fen"]}"]\n{row["moves"]} *\n\n' for row in rows)
    assert set(keys(text)) == {key}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("1. c3-d4 d6-c5", "russian"),
        ("1. cd4 dc5", "russian"),
        ("1. a3b4", "russian"),
        ("1. 32-28 19-23", "international"),
        ('[FEN "W:W31-50:B1-20"]\n*', "international"),
        ('[FEN "W:WK46,36:BK5,15:+0+2"]\n*', "frisian"),  # as lidraughts writes it
        ('[Event "Rated Frisian game"]\n1. 32-28 19-23', "frisian"),
        ('[Event "Rated Brazilian game"]\n1. c3-d4 d6-c5', "brazilian"),
        ('[Event "Campionato di Dama Internazionale"]\n[FEN "W:W32:B1"]\n*', "international"),
        ('[Event "Poddavki, final"]\n1. c3-d4 d6-c5', "poddavki"),
        ("1. 48-42 30-36", "canadian"),
        ("1. a3-a4 h6-h5", "turkish"),
        ("1. i3-j4 j6-i5", "spantsiretti"),
        ("1. 11-15 23-19", "american"),
        ('[FEN "B:W18:B11"]\n*', "american"),
        ('[Event "no move"]\n*', "american"),
        ('[Variant "From Position"]\n[FEN "W:W31-50:B1-20"]\n*', "international"),  # lidraughts
        ('[Variant "fromPosition"]\n[FEN "W:W31-50:B1-20"]\n*', "international"),  # its key
    ],
)
def test_squares_tags_and_moves_tell_the_variant(text: str, key: str) -> None:
    assert keys(text) == [key]
    assert keys(io.BytesIO(text.encode())) == [key]


def test_a_variant_that_one_game_mentions_is_not_that_of_all() -> None:
    assert set(keys(f'[Event "suicide"]\n{AMERICAN}{AMERICAN}{AMERICAN}')) == {"american"}


def test_games_that_name_their_variant_need_no_recognition() -> None:
    reader = pdn.read(f'[GameType "20"]\n{INTERNATIONAL}', on_error=complain)
    assert [game.variant.key for game in reader] == ["international"]
    assert reader.recognised is None


def test_named_games_are_read_as_named_beside_others() -> None:
    named = f'[GameType "25"]\n1. c3-d4 d6-c5 *\n\n[Variant "anti"]\n{AMERICAN}'
    assert keys(f"{named}{AMERICAN}{named}") == ["russian", "anti", "american", "russian", "anti"]


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (AMERICAN * 3 + INTERNATIONAL + AMERICAN, ["american"] * 3 + ["international", "american"]),
        (INTERNATIONAL * 3 + AMERICAN, ["international"] * 3 + ["american"]),
        (AMERICAN * 40 + "1. 34-29 20-25 *\n\n", ["american"] * 40 + ["international"]),
    ],
)
def test_a_game_on_another_board_is_read_for_itself(text: str, wanted: list[str], *, binary: bool) -> None:
    assert keys(io.BytesIO(text.encode()) if binary else text) == wanted


def test_a_misprint_does_not_change_the_variant() -> None:
    reader = pdn.read(AMERICAN * 3 + "1. 11-15 23-18 2. 8-11 27-32 *\n\n" + AMERICAN)
    assert [game.variant.key for game in reader] == ["american"] * 4
    (error,) = reader.errors
    assert error.number == 4


def test_a_variant_that_is_given_is_not_questioned() -> None:
    reader = pdn.read(INTERNATIONAL, variant="american")
    assert list(reader) == []
    assert (reader.bad, reader.recognised) == (1, None)


def test_recognition_looks_at_the_beginning_and_at_few_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[tuple[int, str]] = []
    original = recognition._faults  # noqa: SLF001 - what must not be called often

    def noted(sample: str, row: Variant, *rest: object) -> object:
        tried.append((len(sample), row.key))
        return original(sample, row, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(recognition, "_faults", noted)
    reader = pdn.check(io.BytesIO(AMERICAN.encode() * 20_000))
    for _ in reader:
        pass
    assert reader.good == 20_000
    assert [key for _, key in tried] == ["american"]
    assert tried[0][0] <= recognition.SAMPLE


def test_text_in_which_nothing_replays_is_still_read_as_something() -> None:
    reader = pdn.read("1. 98-99 97-96 *\n" * 60)
    assert list(reader) == []
    assert reader.bad == 60
    assert reader.recognised is not None


def test_the_message_says_which_and_why_and_can_be_sent_to_another_process() -> None:
    reader = pdn.read(INTERNATIONAL * 2)
    assert len(list(reader)) == 2
    found = reader.recognised
    assert str(found) == (
        "no variant is named; read as International draughts (international): "
        "squares are numbered up to 32, the first 2 games replay"
    )
    again = pickle.loads(pickle.dumps(found))
    assert str(again) == str(found)


def _tags() -> list[tuple[str, str, str]]:
    with (PDN / "tags.tsv").open(encoding="utf-8", newline="") as file:
        return [(row["tag"], row["value"], row["variant"]) for row in csv.DictReader(file, delimiter="\t")]


@pytest.mark.parametrize(("tag", "value", "key"), _tags())
def test_tags_of_other_servers_are_understood(tag: str, value: str, key: str) -> None:
    assert named_variants({tag: value})[0].key == key
    start = Position.start(VARIANTS[key]).fen()
    (game,) = pdn.read(f'[{tag} "{value}"]\n[FEN "{start}"]\n*', on_error=complain)
    assert game.variant.key == key


def test_a_vague_name_yields_to_the_number() -> None:
    assert named_variants({"Variant": "Standard", "GameType": "25"})[0].key == "russian"
    assert named_variants({"GameType": "Draughts"}) == ()
