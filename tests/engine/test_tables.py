"""Endgame tables: the published counts, agreement with plain retrograde analysis, and files that are none."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from crownhead import VARIANTS, Position
from crownhead.engine.tables import (
    MEMORY,
    SHIPPED,
    BadTable,
    Counts,
    Projection,
    Result,
    Stage,
    Tables,
    Verdict,
    build,
    folder_in,
    project,
    users_folder,
    verify,
)
from crownhead.rules.errors import CrownheadError
from crownhead.rules.schema import Colour, PieceKind
from crownhead.rules.setup import Piece, Setup
from tests.engine.retrograde import values

SUITE = Path(__file__).parents[2] / "suites" / "endgames" / "american.txt"
_SIGNS = {Result.WIN: 1, Result.DRAW: 0, Result.LOSS: -1}
# The tables in the package that CI builds again, and those that make nightly does.
_BUILT, _BUILT_AT_NIGHT = ("american",), ("russian", "brazilian", "international")
TABLED = [key for key in VARIANTS if not VARIANTS[key].rules.jumps_only]


def published() -> dict[int, tuple[int, ...]]:
    """By pieces: positions, wins, losses, draws, the longest win."""
    rows = [line.split() for line in SUITE.read_text("utf-8").splitlines() if line and line[0].isdigit()]
    return {int(row[0]): tuple(map(int, row[1:])) for row in rows}


def counts(tables: Tables, pieces: int) -> Counts:
    total = Counts()
    for held in tables.held:
        total = total.plus(held.counts) if held.pieces == pieces else total
    return total


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


def opened(folder: Path, variant: str, pieces: int) -> Tables:
    build(variant, pieces, folder)
    return Tables.open(folder, variant)


@pytest.mark.parametrize("pieces", [2, 3])
def test_the_counts_are_those_that_others_found(folder: Path, pieces: int) -> None:
    found = counts(opened(folder, "american", 3), pieces)
    assert (found.positions, *found[:4]) == published()[pieces]


@pytest.mark.nightly  # CI knows it from the shipped ones, which are those that are built
def test_the_counts_of_four_pieces_are_those_that_others_found(folder: Path) -> None:
    found = counts(opened(folder, "american", 4), 4)
    assert (found.positions, *found[:4]) == published()[4]


def test_the_tables_that_are_shipped_have_the_published_counts() -> None:
    tables = Tables.shipped("american")
    assert tables.most == 4
    for pieces, row in published().items():
        found = counts(tables, pieces)
        assert (found.positions, *found[:4]) == row


def test_every_folder_of_shipped_tables_is_compared_with_what_is_built() -> None:
    assert {path.name for path in SHIPPED.iterdir()} == {*_BUILT, *_BUILT_AT_NIGHT}


@pytest.mark.slow
@pytest.mark.parametrize(
    "variant", [*_BUILT, *(pytest.param(key, marks=pytest.mark.nightly) for key in _BUILT_AT_NIGHT)]
)
def test_the_tables_that_are_shipped_are_those_that_are_built(variant: str, tmp_path: Path) -> None:
    build(variant, 4, tmp_path, threads=2)
    built = sorted((tmp_path / variant).iterdir())
    assert [path.name for path in built] == sorted(path.name for path in (SHIPPED / variant).iterdir())
    for path in built:
        assert path.read_bytes() == (SHIPPED / variant / path.name).read_bytes()


@pytest.mark.parametrize(
    ("variant", "material"),
    [
        ("american", "k-m"),
        pytest.param("american", "km-k", marks=pytest.mark.nightly),
        ("international", "k-m"),
        ("russian", "m-m"),
        ("anti", "m-m"),
        ("poddavki", "k-m"),
        ("italian", "k-m"),
        ("breakthrough", "m-m"),
        ("turkish", "m-m"),
        pytest.param("one-way", "m-m", marks=pytest.mark.nightly),
        ("corner", "m-m"),
        ("parachute", "m-x"),
        ("mule", "m-x"),
        ("alquerque", "mm-m"),
        pytest.param("dameo", "m-m", marks=pytest.mark.nightly),
        pytest.param("gothic", "m-m", marks=pytest.mark.nightly),
        ("frisian", "k-k"),
    ],
)
def test_tables_agree_with_plain_retrograde_analysis(folder: Path, variant: str, material: str) -> None:
    tables = opened(folder, variant, len(material) - 1)
    worked_out = values(variant, material)
    for position, (sign, plies) in worked_out.items():
        verdict = tables.probe(position)
        if verdict is None:
            assert not (_squares(position, Colour.BLACK) and _squares(position, Colour.WHITE))
            continue
        assert (_SIGNS[verdict.result], verdict.plies or 0) == (sign, plies), position.fen()


def _squares(position: Position, colour: Colour) -> list[int]:
    return [square for square, piece in position.pieces.items() if piece.colour is colour]


def random_positions(variant: str, pieces: int, count: int) -> Iterator[Position]:
    """Positions with few pieces, wherever they may stand."""
    dice = random.Random(f"{variant} {pieces}")
    row = VARIANTS[variant]
    kinds = [PieceKind.MAN, PieceKind.KING, *([] if row.rules.marked is None else [row.rules.marked])]
    while count:
        squares = dice.sample(range(1, row.board.squares + 1), pieces)
        placed = {square: Piece(dice.choice(list(Colour)), dice.choice(kinds)) for square in squares}
        try:
            position = Position.from_setup(Setup(variant, dice.choice(list(Colour)), placed))
        except CrownheadError:
            continue
        if len({piece.colour for piece in placed.values()}) == 2:
            count -= 1
            yield position


@pytest.mark.parametrize("variant", TABLED)
def test_every_verdict_follows_from_those_of_its_successors(folder: Path, variant: str) -> None:
    tables = opened(folder, variant, 3 if VARIANTS[variant].board.squares <= 50 else 2)
    known = 0
    for position in random_positions(variant, tables.most, 300):
        verdict = tables.probe(position)
        if verdict is None:
            continue
        known += 1
        outcome = position.outcome()
        if outcome is not None:
            expected = Verdict(Result.WIN if outcome.winner is position.turn else Result.LOSS, 0)
            assert verdict == expected, position.fen()
            continue
        assert verdict == tables.moves(position)[0][1], position.fen()
    assert known


@pytest.mark.parametrize("variant", ["american", "antidraughts", "mule", "makhos"])
def test_tables_verify_themselves(tmp_path: Path, variant: str) -> None:
    build(variant, 3, tmp_path, threads=2)
    stages: list[Stage] = []
    assert verify(variant, 3, tmp_path, on_stage=stages.append) == 0
    held = Tables.open(tmp_path, variant).held
    assert sum(stage.checked for stage in stages if stage.finished) == sum(
        one.counts.positions for one in held
    )


def test_variants_whose_endings_are_alike_share_their_tables(folder: Path) -> None:
    assert folder_in(folder, "pro") == folder_in(folder, "american")
    assert folder_in(folder, "anti") != folder_in(folder, "american")
    fen = "B:WK29:BK14,K19"
    position, same = Position.from_fen(fen, "pro"), Position.from_fen(fen, "american")
    assert Tables.shipped("pro").probe(position) == Tables.shipped("american").probe(same)
    with pytest.raises(ValueError, match="another's"):
        Tables.shipped("american").probe(Position.from_fen(fen, "anti"))


def test_where_every_move_is_a_jump_there_are_no_tables(folder: Path) -> None:
    jumping = next(key for key in VARIANTS if VARIANTS[key].rules.jumps_only)
    with pytest.raises(CrownheadError, match="every move there is a jump"):
        build(jumping, 2, folder)


def test_where_runs_of_kings_count_there_are_tables_of_kings_alone(folder: Path) -> None:
    tables = opened(folder, "frisian", 3)
    assert [held.material for held in tables.held] == ["k-k", "kk-k"]
    assert tables.probe(Position.from_fen("W:WK1:BK10,40", "frisian")) is None


def test_nothing_is_known_of_more_pieces_or_of_one_side_alone(tmp_path: Path) -> None:
    tables = opened(tmp_path, "american", 2)
    assert tables.probe(Position.start("american")) is None
    assert tables.probe(Position.from_fen("W:WK1,K5:BK32")) is None
    assert tables.probe(Position.from_fen("W:WK1:B")) is None
    assert tables.best_moves(Position.start("american")) == ()


def test_the_same_folder_answers_any_number_of_threads(folder: Path) -> None:
    tables = opened(folder, "american", 3)
    positions = list(random_positions("american", 3, 200))
    alone = [tables.probe(position) for position in positions]
    with ThreadPoolExecutor(4) as pool:
        assert all(list(pool.map(tables.probe, positions)) == alone for _ in range(3))


# ------------------------------------------------------------------------------------- files


def test_what_is_finished_is_not_built_again(folder: Path) -> None:
    build("american", 3, folder)
    before = {path: path.stat().st_mtime_ns for path in (folder / "american").iterdir()}
    stages: list[Stage] = []
    build("american", 3, folder, on_stage=stages.append)
    finished = [stage for stage in stages if stage.finished]
    assert all(stage.was_there for stage in finished)
    assert finished[-1].done == finished[-1].total
    assert {path: path.stat().st_mtime_ns for path in (folder / "american").iterdir()} == before


def test_a_build_that_was_stopped_is_resumed(tmp_path: Path) -> None:
    def stop(stage: Stage) -> None:
        if stage.finished and stage.done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build("american", 3, tmp_path, on_stage=stop)
    stages: list[Stage] = []
    build("american", 3, tmp_path, on_stage=stages.append)
    finished = [stage for stage in stages if stage.finished]
    assert [stage.was_there for stage in finished] == [True] * 4 + [False] * (len(finished) - 4)
    assert verify("american", 3, tmp_path) == 0


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A file of a small set of tables, to be broken."""
    build("american", 2, tmp_path)
    return tmp_path / "american" / "k-m.results"


def refusal(path: Path) -> str:
    with pytest.raises(BadTable) as refused:
        Tables.open(path.parents[1], "american")
    assert str(path) in str(refused.value)
    return str(refused.value)


def test_a_file_with_one_bit_changed_is_refused(broken: Path) -> None:
    data = bytearray(broken.read_bytes())
    data[len(data) // 2] ^= 4
    broken.write_bytes(data)
    assert "damaged" in refusal(broken)


@pytest.mark.parametrize("kept", [0, 5, 40, 200, -8])
def test_a_file_that_is_cut_off_is_refused(broken: Path, kept: int) -> None:
    broken.write_bytes(broken.read_bytes()[:kept])
    assert refusal(broken)


def test_a_file_of_something_else_is_refused(broken: Path) -> None:
    broken.write_bytes(b"GIF89a" + bytes(200))
    assert "does not begin as one" in refusal(broken)


def test_a_file_of_other_rules_is_refused(broken: Path, folder: Path) -> None:
    build("anti", 2, folder)
    shutil.copy(folder / "anti" / broken.name, broken)
    assert "made for other rules" in refusal(broken)


def test_a_file_under_another_name_is_refused(broken: Path) -> None:
    shutil.copy(broken.with_name("k-k.results"), broken)
    assert "something else than its name says" in refusal(broken)


def test_a_file_of_another_version_is_refused(broken: Path) -> None:
    data = bytearray(broken.read_bytes())
    data[16] += 7
    broken.write_bytes(data)
    assert "version 8 instead of 1" in refusal(broken)


def test_a_damaged_file_is_built_again(broken: Path) -> None:
    whole = broken.read_bytes()
    broken.write_bytes(whole[:-16])
    build("american", 2, broken.parents[1])
    assert broken.read_bytes() == whole


def test_a_table_without_distances_tells_results_alone(tmp_path: Path) -> None:
    tables = opened(tmp_path, "american", 3)
    position = Position.from_fen("W:WK32:BK18,K19")
    exact = tables.probe(position)
    for path in (tmp_path / "american").glob("*.plies"):
        path.unlink()
    bare = Tables.open(tmp_path, "american").probe(position)
    assert exact is not None
    assert bare == Verdict(exact.result)
    assert exact.plies


@pytest.mark.parametrize("variant", ["american", "frisian", "mule", "anti"])
def test_results_alone_verify_themselves(tmp_path: Path, variant: str) -> None:
    build(variant, 3, tmp_path, distances=2, threads=2)
    stages: list[Stage] = []
    assert verify(variant, 3, tmp_path, on_stage=stages.append) == 0
    tables = Tables.open(tmp_path, variant)
    assert [held.distances for held in tables.held] == [held.pieces == 2 for held in tables.held]
    assert sum(stage.checked for stage in stages if stage.finished) == sum(
        held.counts.positions for held in tables.held
    )


def test_a_build_of_results_alone_that_was_stopped_is_resumed(tmp_path: Path) -> None:
    def stop(stage: Stage) -> None:
        if stage.finished and stage.done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build("american", 3, tmp_path, distances=0, on_stage=stop)
    build("american", 3, tmp_path, distances=0)
    assert verify("american", 3, tmp_path) == 0
    found = counts(Tables.open(tmp_path, "american"), 3)
    assert (found.positions, *found[:3]) == published()[3][:4]


@pytest.mark.slow
def test_the_counts_of_four_pieces_are_the_same_without_distances(tmp_path: Path) -> None:
    build("american", 4, tmp_path, distances=0, threads=2)
    found = counts(Tables.open(tmp_path, "american"), 4)
    assert (found.positions, *found[:3]) == published()[4][:4]


@pytest.mark.nightly
def test_five_pieces_without_distances_say_what_those_with_distances_say(tmp_path: Path) -> None:
    build("american", 5, tmp_path / "exact", threads=2)
    build("american", 5, tmp_path / "bare", distances=4, threads=2)
    exact, bare = (Tables.open(tmp_path / name, "american") for name in ("exact", "bare"))
    assert [held.counts[:3] for held in exact.held] == [held.counts[:3] for held in bare.held]
    for position in random_positions("american", 5, 100_000):
        with_plies, without = exact.probe(position), bare.probe(position)
        assert with_plies is not None
        assert without == Verdict(with_plies.result), position.fen()


def test_what_a_build_takes_is_projected(tmp_path: Path) -> None:
    bare = project("american", 6, tmp_path, distances=5)
    assert 2_600_000_000 < bare.positions < 2_800_000_000
    assert bare.memory < MEMORY
    assert bare.disk < 200_000_000
    assert bare.seconds > 0
    seven = project("american", 7, tmp_path)
    assert bare.memory < seven.memory < MEMORY
    build("american", 2, tmp_path)
    assert project("american", 2, tmp_path) == Projection(0, 0, 0, 0, 0.0)


def test_a_folder_that_cannot_be_written_raises_an_error(tmp_path: Path) -> None:
    (tmp_path / "american").write_text("a file where a folder should be")
    with pytest.raises(OSError, match="american"):
        build("american", 2, tmp_path)


@pytest.mark.parametrize("pieces", [1, 8])
def test_a_number_of_pieces_that_cannot_be_is_refused(tmp_path: Path, pieces: int) -> None:
    with pytest.raises(ValueError, match="expected tables of 2 to 7 pieces"):
        build("american", pieces, tmp_path)


def test_a_users_folder_is_what_the_environment_says() -> None:
    assert users_folder({"CROWNHEAD_TABLES": "/srv/tables"}) == Path("/srv/tables")
    assert users_folder({"XDG_DATA_HOME": "/srv/data"}) == Path("/srv/data/crownhead/tables")
    assert users_folder({"XDG_DATA_HOME": "data"}) == Path.home() / ".local/share/crownhead/tables"
