"""Games that ended some days ago are packed, and read the same in every way."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from random import Random
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from hypothesis import given
from hypothesis import strategies as st

import crownhead
from crownhead import VARIANTS
from crownhead.notation.moves import write_full
from crownhead.rules.variants import STOCK
from crownhead.server.accounts.models import User
from crownhead.server.core import clock, exports
from crownhead.server.ops import checking as ops_checking
from crownhead.server.play.choices import Status
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.selectors import replay
from crownhead.server.play.games.services import packing
from crownhead.server.play.models import Game
from crownhead.server.play.models.packed import pack, short_start, unpack
from crownhead.server.play.staff.services import annul
from crownhead.server.ratings.models import PlayerRating
from crownhead.server.ratings.services import recount_waiting
from tests.server.conftest import Api
from tests.server.play.factories import DAY, NOW, fresh, make_game, make_game_from, play_moves

MOVES = ("11-15", "23-18", "8-11", "27-23")
LATER = NOW + 10 * DAY
# Of all variants of the package when games were packed for the first time; later ones are not among them.
_PACKED_KEYS = (
    "alquerque altdeutsche american anti antidraughts armenian brainking-turkish brazilian "
    "breakthrough canadian corner crowded czech dameo frisian frysk gothic hawaiian international "
    "italian jamaican killer makhos mule one-way parachute poddavki pool portuguese pro russian "
    "spanish spantsiretti sparse thai turkish "
).split()
_PACKED_STARTS = "60710968ef716b3fba2e5011d3a7434436d676be06f910feca6a2d454acde4b7"
# The tables of tests are made without migrations, so without a record of them.
_MIGRATIONS = (
    "CREATE TABLE IF NOT EXISTS django_migrations (id int, app text, name text, applied timestamptz)"
)


def moves_of(variant: str, dice: Random, plies: int = 60) -> str:
    """Random legal moves as rows keep them."""
    game = crownhead.Game(variant)
    tokens: list[str] = []
    while len(tokens) < plies and game.outcome() is None:
        move = dice.choice(game.position.legal_moves())
        tokens.append(write_full(game.position, move))
        game.push(move)
    return " ".join(tokens)


@given(variant=st.sampled_from(sorted(STOCK)), seed=st.integers(0, 10**6))
def test_moves_of_every_variant_read_as_they_were_packed(variant: str, seed: int) -> None:
    moves = moves_of(variant, Random(seed), plies=40)
    packed = pack(moves)
    assert packed is not None
    assert unpack(packed) == moves
    assert len(packed) <= len(moves) / 2 + 4
    assert "\0" not in packed  # which a text of PostgreSQL cannot hold


@given(
    st.lists(
        st.tuples(
            st.sampled_from("-x:"),
            st.lists(st.sampled_from(["1", "9", "50", "122"]), min_size=1, max_size=40),
        ),
        min_size=1,
    )
)
def test_any_moves_are_packed_faithfully_or_not_at_all(plies: list[tuple[str, list[str]]]) -> None:
    moves = " ".join(sign.join(squares) for sign, squares in plies)
    packed = pack(moves)
    assert packed is None or unpack(packed) == moves


@pytest.mark.parametrize(
    "moves", ["", "11-15  22-18", "11-150", "a1-b130", "1x2 3:4", "hello", "1-2-", "\x01"]
)
def test_what_has_no_short_form_is_left(moves: str) -> None:
    assert pack(moves) is None


def test_arrays_have_a_short_form_which_stands_for_the_same_for_ever() -> None:
    """Rows hold these keys: were an array of the package changed, packed games would change with it."""
    starts = "\n".join(f"{key} {crownhead.Position.start(key).fen()}" for key in _PACKED_KEYS)
    assert sha256(starts.encode()).hexdigest() == _PACKED_STARTS
    assert len({short_start(key, crownhead.Position.start(key).fen()) for key in STOCK}) == len(STOCK)
    assert short_start("american", "B:W32:B1") == "B:W32:B1"
    assert short_start("house", crownhead.Position.start("american").fen()).startswith("B:W")


@pytest.fixture(autouse=True)
def long_ago(request: pytest.FixtureRequest) -> None:
    """The tables have been as they are for long, where it is recorded at all."""
    if "alice" in request.fixturenames:
        request.getfixturevalue("db")
        recorder = MigrationRecorder(connection)
        if recorder.has_table():
            recorder.migration_qs.update(applied=NOW - 99 * DAY)


@pytest.fixture
def over(alice: User, bob: User) -> Game:
    game = play_moves(make_game(alice, bob, rated=True), *MOVES)
    resign(user=alice, game_id=game.public_id, now=NOW)
    return fresh(game)


def raw(game: Game) -> tuple[str, str]:
    """The columns as the database has them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT start_fen, moves FROM play_game WHERE id = %s", [game.pk])
        found: tuple[str, str] = cursor.fetchone()
    return found


def shown(game: Game) -> Iterator[Any]:
    """All that people who may see a game read of it."""
    cache.clear()
    replay._kept.clear()  # noqa: SLF001 - so that it is replayed again
    door, name = Api(), game.public_id
    for path in (f"/games/{name}", f"/games/{name}.pdn", "/games?limit=5", "/players/bob/games"):
        answer = door.get(path)
        assert answer.status_code == 200, path
        yield answer.content
    row = fresh(game)
    yield {
        field.attname: getattr(row, field.attname) for field in Game._meta.fields if field.name != "encoding"
    }
    yield list(Game.objects.filter(pk=game.pk).values_list("moves", "start_fen"))
    yield replay.write_pdn(row)
    yield replay.replay_game(row).position.fen()
    for name in exports.parts():
        if name.startswith("game"):
            yield b"".join(exports.pieces(name, row.first_player))


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_packed_game_reads_the_same(variant: str, alice: User, bob: User) -> None:
    game = make_game(alice, bob, variant=variant)
    moves = moves_of(variant, Random(variant)).split()
    if game.opening is not None:
        moves = game.moves.split()
    plain = " ".join(moves)
    Game.objects.filter(pk=game.pk).update(
        moves=plain,
        version=len(moves),
        status=Status.FINISHED,
        winner="first",
        termination="resignation",
        ended_at=NOW,
        turn=None,
        turn_since=None,
        deadline_at=None,
        remind_at=None,
        remind_of="",
    )
    before = list(shown(game))
    assert packing.pack_games(now=LATER) == 1
    assert raw(game)[1] != plain
    assert len(raw(game)[1]) < len(plain) / 2 + 3
    assert raw(game)[0] == f"={variant}"
    assert list(shown(game)) == before


def test_games_are_left_for_some_days(over: Game) -> None:
    assert packing.pack_games(now=NOW + packing.REST) == 0
    assert packing.pack_games(now=NOW + packing.REST + timedelta(seconds=1)) == 1
    assert packing.pack_games(now=LATER) == 0


def test_nothing_is_packed_on_the_day_of_an_upgrade(over: Game) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_MIGRATIONS)
    MigrationRecorder(connection).migration_qs.create(id=10**6, app="play", name="0099_any", applied=LATER)
    assert packing.pack_games(now=LATER + DAY / 2) == 0
    assert packing.pack_games(now=LATER + DAY) == 1


def test_games_in_progress_and_offers_are_left(alice: User, bob: User) -> None:
    play_moves(make_game(alice, bob), *MOVES)
    assert packing.pack_games(now=LATER) == 0


def test_a_start_of_its_own_is_kept(alice: User, bob: User) -> None:
    fen = "B:W32,31:B1,2,3"
    game = play_moves(make_game_from(fen, alice, bob), "1-5")
    resign(user=alice, game_id=game.public_id, now=NOW)
    assert packing.pack_games(now=LATER) == 1
    assert raw(game)[0] == fen
    assert fresh(game).moves == "1-5"


def test_a_game_without_a_short_form_is_asked_about_once(over: Game) -> None:
    Game.objects.filter(pk=over.pk).update(moves="11-15 no move")
    assert packing.pack_games(now=LATER) == 1
    assert fresh(over).moves == "11-15 no move"
    assert packing.pack_games(now=LATER) == 0


def test_a_game_that_changes_while_it_is_packed_stays_as_it_is(
    over: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanwhile(moves: str) -> str | None:
        Game.objects.filter(pk=over.pk).update(version=5, moves=f"{over.moves} 11-16")
        return pack(moves)

    monkeypatch.setattr(packing, "pack", meanwhile)
    assert packing.pack_games(now=LATER) == 0
    assert raw(over)[1] == f"{over.moves} 11-16"


def test_a_worker_that_dies_in_the_middle_leaves_each_game_whole(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [play_moves(make_game(alice, bob), *MOVES) for _ in range(4)]
    for game in games:
        resign(user=alice, game_id=game.public_id, now=NOW)
    monkeypatch.setattr(packing, "AT_ONCE", 2)
    calls: list[str] = []

    def dies(moves: str) -> str | None:
        calls.append(moves)
        if len(calls) == 4:
            raise SystemExit
        return pack(moves)

    monkeypatch.setattr(packing, "pack", dies)
    with pytest.raises(SystemExit):
        packing.pack_games(now=LATER)
    assert [fresh(game).moves for game in games] == [" ".join(MOVES)] * 4
    assert Game.objects.filter(encoding=None).count() == 2
    monkeypatch.undo()
    assert packing.pack_games(now=LATER) == 2
    assert [fresh(game).moves for game in games] == [" ".join(MOVES)] * 4


def test_a_packed_game_is_annulled_and_its_ratings_follow(over: Game, alice: User) -> None:
    packing.pack_games(now=LATER)
    assert PlayerRating.objects.get(user=alice).games == 1
    alice.is_staff = True
    alice.save()
    with clock.stopped(LATER):
        annul(staff=alice, game_id=over.public_id, reason="A test.", now=LATER)
        recount_waiting(now=LATER)
    assert fresh(over).annulled
    assert not PlayerRating.objects.filter(user=alice).exists()
    assert fresh(over).moves == " ".join(MOVES)
    assert raw(over)[1].startswith("\x01")


def test_a_packed_game_that_goes_on_is_written_as_text_and_packed_again(over: Game) -> None:
    packing.pack_games(now=LATER)
    row = fresh(over)
    row.moves += " 11-16"
    row.version, row.encoding = 5, None
    row.save()
    assert fresh(over).moves == f"{over.moves} 11-16"
    assert packing.pack_games(now=LATER) == 1
    assert fresh(over).moves == f"{over.moves} 11-16"


def test_the_check_reads_packed_games_and_finds_damaged_ones(over: Game) -> None:
    packing.pack_games(now=LATER)
    assert list(ops_checking.findings(repair=False)) == []
    Game.objects.filter(pk=over.pk).update(moves=raw(over)[1][:-1])
    (found,) = ops_checking.findings(repair=False)
    assert "cannot be replayed" in found.sentence
