"""Real-world PDN files: what is read, what is skipped, and what is reported where."""

from __future__ import annotations

import gzip
import io
import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crownhead import Colour, NotationError, Outcome, Termination, UnknownVariant, pdn
from crownhead.notation.pdn import PdnError, PdnInfo, PdnWarning
from tests.notation.files import PDN

START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
TWO_GAMES = """[Event "First"]
[Result "1-0"]
1. 11-15 24-20 2. 8-11 28-24 1-0

[Event "Second"]
[Result "0-1"]
1. 9-13 22-18 0-1
"""


def games(text: str, variant: str = "american") -> list[list[str]]:
    """Return the moves of each game of a text without errors."""
    reader = pdn.read(io.StringIO(text), variant=variant)
    found = [list(game.notations()) for game in reader]
    assert reader.errors == []
    return found


def faults(text: str, variant: str = "american") -> list[PdnError]:
    """Return the messages about a text."""
    found: list[PdnError] = []
    for _ in pdn.read(io.StringIO(text), variant=variant, on_error=found.append):
        pass
    return found


def test_games_come_in_order_with_their_tags_moves_and_results() -> None:
    first, second = pdn.read(io.StringIO(TWO_GAMES))
    assert first.tags == {"Event": "First", "Result": "1-0"}
    assert first.notations() == ("11-15", "24-20", "8-11", "28-24")
    assert first.result == "1-0"
    assert second.outcome() == Outcome(Colour.WHITE, Termination.UNKNOWN)


@pytest.mark.parametrize(
    "body",
    [
        "1. 11-15 22-18 2. 15x22 25x18 *",
        "1.11-15 22-18 2.15x22 25x18*",
        "11-15 22-18 15x22 25x18",
        "1. 11-15 1... 22-18 2. 15x22 2. ... 25x18 *",
        "1.\n11-15\n22-18\n2.\n15x22\n25x18\n*",
        "1. 11- 15 22 -18 2. 15x 22 25 x 18 *",
        "1. 11x15 22x18 2. 15-22 25-18 *",
        "1. 11-15! 22-18?! 2. 15x22(?) 25x18 (!?!!!) *",
        "1. 11-15* 22-18 2. 15x22* 25x18 *",
        "1. 11-15 $7 22-18 $1 $2 2. 15x22 25x18 *",
        "1. 11-15 {best} 22-18{so, so [%clock w0:01 B0:02]} 2. 15x22 {} 25x18 {1-0 (} *",
        "1. 11-15 (11-16 24-20 {or (22-18} (23-18 1. 8-11) 16-19) 22-18 2. 15x22 (Black wins) 25x18 *",
        "% exported\n1. 11-15 22-18 % {\n2. 15x22 25x18 ; done\n*",
        "1. 11-15 22-18 . 2. 15x22 25x18 3.",
        "{before} 1. 11-15 22-18 2. 15x22 25x18 * {behind}",
        '[Event "x"] 1. 11-15 22-18 2. 15x22 25x18 *',
        '[Event "x"]\\r\\n\n[Site "y"]\\r\\n\n1. 11-15 22-18 2. 15x22 25x18 *',
        f'/FEN "{START}"/ 1. 11-15 22-18 2. 15x22 25x18 *',
        "1. 11-15 22-18 2. 15x22 25x18 1-1",
        "1. 11-15 22-18 2. 15x22 25x18 ½-½",
    ],
)
def test_everything_but_the_moves_is_passed_over(body: str) -> None:
    assert games(body) == [["11-15", "22-18", "15x22", "25x18"]]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('[Event "a \\"quoted\\" word"]', 'a "quoted" word'),
        ('[Event "back\\\\slash"]', "back\\slash"),
        ('[Event "C:\\temp"]', "C:\\temp"),
        ('[Event "11.1]', "11.1"),
        ('[Event "The "Big" one"]', 'The "Big" one'),
        ("[Event]", ""),
        ('[ [Event "x"]', "x"),
        ('[Event   "x"  ]', "x"),
        ('[Event "x"]\n[Event "again"]', "x"),
        ('[Event "[brackets] {braces} % *"]', "[brackets] {braces} % *"),
        ('[&#1057; "z"]\n[Event "Сергей 高文龙"]', "Сергей 高文龙"),
    ],
)
def test_tags_are_read_as_they_are_met(line: str, value: str) -> None:
    (game,) = pdn.read(io.StringIO(f"{line}\n1. 11-15 *"))
    assert game.tags["Event"] == value
    assert game.notations() == ("11-15",)


def test_a_tag_that_does_not_close_ends_with_its_line() -> None:
    (game,) = pdn.read(io.StringIO('[Event "A"]\n[Site "B\n[Date "C"]\n1. 11-15 *'))
    assert game.tags == {"Event": "A", "Site": "B", "Date": "C"}


@pytest.mark.parametrize("separator", ["*", "1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0"])
def test_games_without_tags_are_parted_by_results(separator: str) -> None:
    assert games(f"1. 11-15 {separator} 1. 9-13 24-20 {separator} 1. 12-16") == [
        ["11-15"],
        ["9-13", "24-20"],
        ["12-16"],
    ]


def test_a_tag_begins_a_game_where_the_result_is_missing() -> None:
    assert games('[Event "a"]\n1. 11-15\n\n[Event "b"]\n1. 9-13 [Event "c"] 10-14') == [
        ["11-15"],
        ["9-13"],
        ["10-14"],
    ]


def test_a_record_may_have_no_moves() -> None:
    (game,) = pdn.read(io.StringIO('[FEN "W:WK5:B1"]\n[Result "1-0"]\n1-0\n'))
    assert game.start.fen() == "W:WK5:B1"
    assert (game.moves, game.result) == ((), "1-0")


@pytest.mark.parametrize("text", ["", "\n\n", "% nothing\n", "{nothing}\n", "; nothing"])
def test_where_there_is_no_game_none_is_read(text: str) -> None:
    assert games(text) == []


@pytest.mark.parametrize(
    ("tag", "end", "result"),
    [
        ('[Result "1-0"]', "*", "1-0"),
        ('[Result "1-0"]', "0-1", "1-0"),
        ('[Result "*"]', "0-1", "0-1"),
        ('[Result "?"]', "1/2-1/2", "1/2-1/2"),
        ('[Result "4-6"]', "", "*"),
        ('[Result "2-0"]', "2-0", "1-0"),
        ('[Result "0:1"]', "", "0-1"),
        ('[Result "1/2"]', "", "1/2-1/2"),
        ('[Result "0-0"]', "0-0", "*"),
        ("", "1-1", "1/2-1/2"),
    ],
)
def test_the_result_tag_goes_before_the_end_of_the_moves(tag: str, end: str, result: str) -> None:
    (game,) = pdn.read(io.StringIO(f"{tag}\n1. 11-15 {end}"))
    assert game.result == result


def test_a_position_that_decides_goes_before_the_record() -> None:
    (game,) = pdn.read(io.StringIO('[FEN "B:W18:B15"]\n[Result "1/2-1/2"]\n1. 15x22 1/2-1/2'))
    assert game.outcome() == Outcome(Colour.BLACK, Termination.NO_PIECES)


@pytest.mark.parametrize(
    ("result", "reason", "termination"),
    [
        ("1-0", "resignation", Termination.RESIGNATION),
        ("1-0", "time", Termination.TIME),
        ("1/2-1/2", "agreement", Termination.AGREEMENT),
        ("1/2-1/2", "adjudication", Termination.ADJUDICATION),
        ("1-0", "agreement", Termination.UNKNOWN),
        ("1/2-1/2", "resignation", Termination.UNKNOWN),
        ("1-0", "no-pieces", Termination.UNKNOWN),
        ("1-0", "Normal", Termination.UNKNOWN),
    ],
)
def test_a_reason_is_believed_where_it_goes_with_the_result(
    result: str, reason: str, termination: Termination
) -> None:
    text = f'[Result "{result}"]\n[Termination "{reason}"]\n1. 11-15 {result}'
    (game,) = pdn.read(io.StringIO(text))
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.termination is termination


@pytest.mark.parametrize(
    ("tags", "variant"),
    [
        ("", "american"),
        ('[GameType "21"]', "american"),
        ('[GameType "20,W,10,10,N1,0"]', "international"),
        ('[GameType "25,W,8,8,A1,0"]', "russian"),
        ('[GameType "26"]', "brazilian"),
        ('[GameType "22"]', "italian"),
        ('[GameType "?"]', "american"),
        ('[GameType "21"][Variant "mule"]', "mule"),
        ('[Variant "Crowded"]', "crowded"),
        ('[GameType "20"][Variant "Standard"]', "international"),
    ],
)
def test_the_tags_tell_the_variant(tags: str, variant: str) -> None:
    (game,) = pdn.read(io.StringIO(f'{tags}[Event "x"] *'))
    assert game.variant.key == variant


def test_a_game_that_names_no_variant_is_of_the_one_asked_for() -> None:
    assert games("1. c3-d4 b6-a5", "russian") == [["c3-d4", "b6-a5"]]
    (game,) = pdn.read(io.StringIO('[GameType "21"]\n1. 11-15'), variant="anti")
    assert game.variant.key == "anti"


@pytest.mark.parametrize("tag", ['[GameType "99"]', '[GameType "0"]', '[Variant "Lasca"]'])
def test_a_variant_that_is_not_known_is_reported(tag: str) -> None:
    (fault,) = faults(f"{tag}\n1. 11-15")
    assert isinstance(fault.cause, UnknownVariant)


def test_a_variant_that_nobody_knows_cannot_be_asked_for() -> None:
    with pytest.raises(UnknownVariant):
        pdn.read(io.StringIO(""), variant="lasca")


@pytest.mark.parametrize(
    ("bad", "line", "column", "message"),
    [
        ("1. 11-15 24-20 2. 15-20 1-0", 6, 19, "the piece on 15"),
        ("1. 11-15 24-20\n2. #yz 1-0", 7, 4, "expected a move, a comment or a result, got '#yz'"),
        ("1. 11-15 24-20\n2. x 1-0", 7, 4, "expected a move, a comment or a result, got 'x'"),
        ("1. 11-15 {nested {comment}} 1-0", 6, 10, "expected a comment that closes, without braces in it"),
        ("1. 11-15 } 1-0", 6, 10, "got '}'"),
        ("1. 11-15 (12-16 1-0", 6, 10, "a variation that closes"),
        ("1. 11-15 ({12-16) 1-0", 6, 11, "comments that open and close"),
        ("1. 11-15 ) 1-0", 6, 10, "got ')'"),
        ("1. 11-15 22 1-0", 6, 10, "got '22'"),
        ('1. 11-15 /FEN "B:W1:B2"/ 1-0', 6, 10, "a position can be set up only once"),
        ('[FEN "B:W99:B1"]\n1-0', 5, 1, "a square of the board"),
        ('[FEN "B:W21:B1"]\n1. 11-15 1-0', 7, 4, "there is no piece on 11"),
        ("1. 11-15 {never closed", 6, 10, "got '{never'"),
    ],
)
def test_a_bad_game_is_reported_and_the_others_are_yielded(
    bad: str, line: int, column: int, message: str
) -> None:
    text = TWO_GAMES.replace("\n\n", f'\n\n[Event "Bad"]\n{bad}\n\n')
    found: list[PdnError] = []
    reader = pdn.read(io.StringIO(text), on_error=found.append)
    assert [game.tags["Event"] for game in reader] == ["First", "Second"]
    (fault,) = found
    assert (fault.number, fault.line, fault.column, fault.event) == (2, line, column, "Bad")
    assert message in str(fault.cause)
    assert str(fault).startswith(f"game 2 (Bad), line {line}, column {column}: expected")
    assert (reader.good, reader.bad, reader.errors) == (2, 1, [])


def test_bad_games_are_kept_and_logged_where_nobody_asks_for_them(caplog: pytest.LogCaptureFixture) -> None:
    reader = pdn.read(io.StringIO("1. 11-15 5-4 *"))
    with caplog.at_level(logging.WARNING):
        assert list(reader) == []
    assert [fault.number for fault in reader.errors] == [1]
    assert "game 1, line 1, column 10" in caplog.text


def test_after_a_game_that_cannot_be_read_the_next_result_parts() -> None:
    reader = pdn.read(io.StringIO("1. 11-15 ### 24-20 * 1. 9-13 *"), on_error=lambda _: None)
    assert [list(game.notations()) for game in reader] == [["9-13"]]
    assert reader.bad == 1


def test_later_moves_decide_an_ambiguous_capture() -> None:
    text = '[FEN "B:W14,15,18,21,22,23,30:B6,7,8,10,12,13"]\n1. 10x26 30x23 *'
    (game,) = pdn.read(io.StringIO(text))  # by way of 17 the man on 23 would stand in the way
    assert game.notations() == ("10x19x26", "30x23")


UNDECIDED = "B:W9,17,18,25,26,32:B6,14,27,28"  # 14x30 by way of 21 or 23


@pytest.mark.parametrize(("rest", "kind"), [("", PdnInfo), (" 32x23", PdnWarning)])
def test_a_game_is_kept_up_to_a_capture_that_nothing_decides(rest: str, kind: type[PdnWarning]) -> None:
    told: list[PdnWarning] = []
    text = f'[FEN "{UNDECIDED}"]\n[Result "0-1"]\n1. 14x30{rest} 0-1'
    (game,) = pdn.read(io.StringIO(text), variant="american", on_warning=told.append)
    assert (game.notations(), game.result) == ((), "0-1")
    assert [type(warning) for warning in told] == [kind]
    assert "expected later moves that distinguish 14x21x30 from 14x23x30" in str(told[0])
    assert (told[0].line, told[0].column) == (3, 4)


def test_a_capture_that_no_reading_continues_from_is_reported() -> None:
    (fault,) = faults('[FEN "B:W14,15,18,21,22,23,30:B6,7,8,10,12,13"]\n1. 10x26 32-28 *')
    assert "expected one move, got '10x26' for 10x17x26, 10x19x26" in str(fault.cause)


def test_players_may_continue_after_a_draw_by_rule() -> None:
    shuffle = "2-7 49-43 7-2 43-49 " * 4
    text = f'[GameType "20"]\n[FEN "W:WK2,31:BK49,6"]\n{shuffle} 31-27 1-1'
    (game,) = pdn.read(io.StringIO(text))
    assert len(game.moves) == 17
    assert game.result == "1/2-1/2"


def test_a_ballot_at_the_start_is_not_the_players_own() -> None:
    (game,) = pdn.read(io.StringIO('[Variant "pro"]\n1. 9-13 21-17 2. 5-9 25-21 *'))
    assert (game.opening_plies, len(game.moves)) == (3, 4)


class TestSources:
    def test_a_path(self, tmp_path: Path) -> None:
        path = tmp_path / "two.pdn"
        path.write_text(TWO_GAMES)
        assert len(list(pdn.read(path))) == 2

    @pytest.mark.parametrize("verb", [pdn.read, pdn.check, pdn.read_trees])
    @pytest.mark.parametrize(
        "name", ["two.pdn", "my games.PDN.gz", "/tmp/games", "c:\\games\\new", " a.txt\n"]
    )
    def test_the_name_of_a_file_is_no_text(
        self, verb: Callable[[str], object], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "two.pdn").write_text(TWO_GAMES)
        monkeypatch.chdir(tmp_path)
        with pytest.raises(NotationError) as caught:
            verb(name)
        wanted = f"expected PDN text, or pathlib.Path({name!r}) to read a file, got {name!r}"
        assert str(caught.value) == wanted
        with pytest.raises(NotationError, match="pathlib"):
            pdn.visit(name, pdn.Visitor)

    def test_something_else_is_no_source(self) -> None:
        with pytest.raises(NotationError, match="an open file, got 5"):
            pdn.read(5)  # type: ignore[arg-type]

    def test_a_packed_file(self, tmp_path: Path) -> None:
        path = tmp_path / "two.pdn.gz"
        path.write_bytes(gzip.compress(TWO_GAMES.encode()))
        assert len(list(pdn.read(path))) == 2

    def test_a_damaged_packed_file_is_an_error_of_the_system(self, tmp_path: Path) -> None:
        path = tmp_path / "two.pdn.gz"
        path.write_bytes(gzip.compress(TWO_GAMES.encode() * 100)[:-30])
        with pytest.raises(OSError, match="damaged"):
            list(pdn.read(path))

    def test_a_missing_file_is_an_error_of_the_system(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError):
            list(pdn.read(tmp_path / "none.pdn"))

    def test_text_itself(self) -> None:
        assert len(list(pdn.read(TWO_GAMES))) == 2
        assert len(list(pdn.read('[Event "x"] 1. 11-15'))) == 1
        assert len(list(pdn.read("1. 11-15 22-18 1/2-1/2"))) == 1
        assert len(list(pdn.read("1.c3d4"))) == 1
        assert list(pdn.read("")) == []

    def test_an_open_file_of_text_or_bytes_that_stays_open(self) -> None:
        file = io.BytesIO(TWO_GAMES.encode())
        assert len(list(pdn.read(file))) == 2
        assert not file.closed

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
    @pytest.mark.parametrize("newline", ["\n", "\r\n"])
    def test_encodings_and_line_ends(self, encoding: str, newline: str) -> None:
        text = TWO_GAMES.replace("First", "Café").replace("\n", newline)
        first, second = pdn.read(io.BytesIO(text.encode(encoding)))
        assert first.tags["Event"] == "Café"
        assert second.notations() == ("9-13", "22-18")

    def test_a_picture_is_no_text(self) -> None:
        found: list[PdnError] = []
        assert list(pdn.read(io.BytesIO(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" * 50), on_error=found.append)) == []
        assert found
        assert any("a text file" in str(fault.cause) for fault in found)

    def test_a_game_without_end_is_refused_and_those_behind_it_are_read(self) -> None:
        text = '[Event "Long"]\n' + "{a comment}\n" * 120_000 + "1. 11-15 *\n\n" + TWO_GAMES
        found: list[PdnError] = []
        reader = pdn.read(io.StringIO(text), on_error=found.append)
        assert [game.tags["Event"] for game in reader] == ["First", "Second"]
        assert ["at most 1048576 characters" in str(fault.cause) for fault in found] == [True]

    def test_many_games_without_tags_are_read_bit_by_bit(self) -> None:
        assert len(games("1. 11-15 24-20 *\n" * 5000)) == 5000


@given(st.text() | st.text('[]"(){}*%;/\\ \n\r.0123456789-x:abEFNventsult'))
def test_any_text_is_read_or_reported(text: str) -> None:
    reader = pdn.read(io.StringIO(text), on_error=lambda _: None)
    assert len(list(reader)) == reader.good


@given(st.binary())
def test_any_bytes_are_read_or_reported(data: bytes) -> None:
    reader = pdn.read(io.BytesIO(data), on_error=lambda _: None)
    assert len(list(reader)) == reader.good


def test_a_bad_game_keeps_its_legal_moves() -> None:
    texts = (
        "1. 11-15 24-20 2. 15-20 1-0",  # not legal
        "1. 11-15 24-20 ### 8-11",  # not PDN
        '1. 11-15 24-20 /FEN "B:W1:B2"/ *',
    )
    for text in texts:
        for verb in (pdn.read, pdn.check, pdn.read_trees):
            found: list[PdnError] = []
            for _ in verb(f'[Event "x"]\n{text}', on_error=found.append):
                pass
            (error,) = found
            assert error.game is not None
            assert error.game.notations() == ("11-15", "24-20")
            assert error.game.tags["Event"] == "x"
            assert error.game.result == "*"


def test_a_bad_game_without_a_start_position_has_no_moves() -> None:
    (error,) = faults('[FEN "B:W99:B1"]\n1. 11-15 *')
    assert error.game is None


def test_bare_words_among_the_moves_are_a_warning() -> None:
    warnings: list[PdnWarning] = []
    reader = pdn.read(PDN / "remarks.pdn", on_warning=warnings.append)
    assert [(len(game.moves), game.result) for game in reader] == [(3, "1-0"), (4, "1/2-1/2"), (5, "*")]
    assert reader.bad == 0
    assert [str(warning.cause) for warning in warnings] == [
        f"expected a move, or a remark in braces, got {words!r}"
        for words in (
            "White resigns",
            "draw agreed, both in time trouble",
            "best",
            "and now",
            "Weiß gibt auf",
        )
    ]
    first, *_ = pdn.read_trees(PDN / "remarks.pdn")
    assert first.line[-1].comments == ["White resigns"]


@pytest.mark.parametrize(
    "text", ["hello world", "Nothing of this is PDN. 11-15", "1. 11-15 l 24-20", "1. 11-15 O"]
)
def test_words_that_are_no_remark_are_a_fault(text: str) -> None:
    assert faults(text)
