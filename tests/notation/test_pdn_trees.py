"""Game trees: annotations, variations, mid-game setups and clocks are read and written back."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crownhead import NotationError, Position, pdn
from crownhead.notation.pdn import Clock, GameTree, Node, PdnError, PdnInfo, PdnWarning, Style
from crownhead.notation.pdn.lexer import DEEPEST, MAX_MOVES, MAX_TAGS


def trees(text: str, variant: str = "american") -> tuple[list[GameTree], list[PdnError], list[PdnWarning]]:
    """Return the trees of a text, its errors and its warnings."""
    bad: list[PdnError] = []
    messages: list[PdnWarning] = []
    reader = pdn.read_trees(
        io.StringIO(text), variant=variant, on_error=bad.append, on_warning=messages.append
    )
    return list(reader), bad, messages


def tree(text: str, variant: str = "american") -> GameTree:
    """Return the only tree of a text without errors and warnings."""
    found, bad, messages = trees(text, variant)
    assert (bad, messages) == ([], [])
    (only,) = found
    assert trees(pdn.write_tree(only)) == ([only], [], [])
    return only


def texts(start: Position, line: list[Node]) -> list[str]:
    """A line as move texts."""
    found, position = [], start
    for node in line:
        found.append("setup" if node.move is None else position.notation(node.move))
        position = node.position
    return found


def main(text: str, variant: str = "american") -> list[str]:
    """Return the main line of the only tree of a text, ignoring warnings."""
    (only,), bad, _ = trees(text, variant)
    assert bad == []
    return texts(only.start, only.line)


def test_all_that_is_said_is_kept() -> None:
    read = tree(
        '[Event "x"]\n{before} 1. 11-15! $3 {good} {really} 22-18?! '
        "(22-17 {or} 2. 8-11 (9-13) 17-13) ({this} 23-19 $5) 2. 15x22 25x18 {end} 0-1"
    )
    assert read.comments == ["before"]
    assert texts(read.start, read.line) == ["11-15", "22-18", "15x22", "25x18"]
    first, second, _, last = read.line
    assert (first.strength, first.nags, first.comments) == ("!", [3], ["good", "really"])
    assert (second.strength, last.comments) == ("?!", ["end"])
    one, other = second.variations
    assert texts(first.position, one) == ["22-17", "8-11", "17-13"]
    assert texts(one[0].position, one[1].variations[0]) == ["9-13"]
    assert (other[0].before, other[0].nags) == (["this"], [5])
    assert (read.result, read.tags["Event"]) == ("0-1", "x")


def test_comments_to_the_end_of_a_line_are_kept() -> None:
    read = tree('% by {me}\n[Event "x"]\n; hm\n1. 11-15 % good\n%\n22-18 (22-17 ; or\n) 15x22 ;;\n *')
    assert read.comments == ["by (me)", "hm"]
    assert [node.comments for node in read.line] == [["good"], [], [";"]]
    assert read.line[1].variations[0][0].comments == ["or"]


def test_a_tree_tells_its_main_line_as_a_game() -> None:
    game = tree('[Event "x"]\n1. 11-15 (11-16) 22-18 *').game()
    assert game.notations() == ("11-15", "22-18")
    assert game.tags["Event"] == "x"
    assert tree('[Variant "pro"]\n1. 9-13 21-17 2. 5-9 25-21 *').game().opening_plies == 3


def test_a_position_put_up_within_the_moves_is_a_node() -> None:
    read = tree('1. 11-15 /FEN "B:WK5:B1,12"/ 12-16 (/FEN "W:WK5:B12"/ 5-1) *')
    assert texts(read.start, read.line) == ["11-15", "setup", "12-16"]
    assert read.line[1].position.fen() == "B:WK5:B1,12"
    assert texts(read.line[1].position, read.line[2].variations[0]) == ["setup", "5-1"]
    assert read.game().notations() == ("11-15",)


def test_a_position_put_up_before_the_moves_is_the_start() -> None:
    assert tree('/FEN "W:WK5:B12."/ 5-1 *').tags["FEN"] == "W:WK5:B12"


@pytest.mark.parametrize(
    ("comment", "clock"),
    [
        ("[%clk 1:02:03]", Clock(clk=3723)),
        ("late [%emt 0:05] [%egt 0:0:3.25]", Clock(emt=300, egt=3.25)),
        ("[%mct 0:00:07]", Clock(mct=7)),
        ("[%clock w0:01:10 B0:01:05]", Clock(white=70, black=65)),
        ("[%drgnode 1 2]", None),
    ],
)
def test_clocks_are_read_from_comments(comment: str, clock: Clock | None) -> None:
    assert tree(f"1. 11-15 {{{comment}}} *").line[0].clock == clock


class TestEdgeCases:
    """Those of the collection of real files, one by one."""

    def test_1_results_and_moves_look_alike(self) -> None:
        assert main("1. 1-0") == []
        assert main('[FEN "B:WK32:BK1,K2"]\n1. 1-5 32-28 1-1') == ["1-5", "32-28"]
        assert main('[GameType "20"][FEN "B:W50:BK1"]\n1... 1-12 *') == ["1-12"]

    def test_2_a_star_ends_or_praises(self) -> None:
        read = tree("1. 11-15* 22-18*")
        assert (read.line[0].nags, read.line[1].nags, read.result) == ([7], [], "*")

    def test_3_blanks_within_moves_and_lines_between_number_and_move(self) -> None:
        assert main("1.\n11- 15 22 -18 2.\r\n15x 22 *") == ["11-15", "22-18", "15x22"]

    def test_4_the_separator_does_not_decide(self) -> None:
        assert main("1. 11x15 22:18 2. 15-22 25–18 *") == ["11-15", "22-18", "15x22", "25x18"]

    def test_5_full_paths_short_captures_and_jumps_one_by_one(self) -> None:
        for text in ("1x10x19", "1x19", "1-19", "1x10 10x19"):
            assert main(f'[FEN "B:W6,15,32:B1,28"]\n{text} *') == ["1x19"]
        for text in ("1x10", "1x10 32-27", "1x10 10x17"):
            assert len(trees(f'[FEN "B:W6,15,32:B1,28"]\n{text} *')[1]) == 1

    def test_6_later_moves_settle_a_capture_and_that_is_reported(self) -> None:
        fen = '[FEN "B:W14,15,18,21,22,23,30:B6,7,8,10,12,13"]\n'
        (read,), _, (note,) = trees(f"{fen}1. 10x26 30x23 *")
        assert texts(read.start, read.line) == ["10x19x26", "30x23"]
        assert isinstance(note, PdnInfo)
        assert (note.line, note.column) == (2, 4)

    def test_6_a_capture_that_nothing_settles_ends_what_is_known(self) -> None:
        fen = '[FEN "B:W9,17,18,25,26,32:B6,14,27,28"]\n'  # 14x30 by way of 21 or 23
        text = f"{fen}{{a}} 1. 14x30! {{b [%clk 0:1]}} (27-31 {{c}}) 32x23 $3 1-0"
        (read,), bad, (warning,) = trees(text)
        assert (read.line, read.result, bad) == ([], "1-0", [])
        assert read.comments == ["a", "14x30! (b [clk 0:1]) (27-31 (c)) 32x23 $3"]
        assert type(warning) is PdnWarning
        (read,), bad, (warning,) = trees(f"{fen}1. 14x23x30 (14x30 32x23) 32x23 *")
        assert (texts(read.start, read.line), bad) == (["14x23x30", "32x23"], [])
        assert type(warning) is PdnWarning

    @pytest.mark.parametrize("text", ["gf4 fe5 cb4", "GF4 FE5 CB4", "G3-F4 F6-E5 C3-B4", "g3f4 f6e5 c3b4"])
    def test_7_the_short_russian_manner(self, text: str) -> None:
        assert main(f"1. {text} *", "russian") == ["g3-f4", "f6-e5", "c3-b4"]

    @pytest.mark.parametrize(
        ("result", "means"),
        [("2-0", "1-0"), ("1/2", "1/2-1/2"), ("1/2:1/2", "1/2-1/2"), ("0:1", "0-1"), ("½–½", "1/2-1/2")],
    )
    def test_8_results_of_every_manner(self, result: str, means: str) -> None:
        (game,) = pdn.read(io.StringIO(f'[GameType "25"][Result "{result}"]\n1. c3-d4 {result}'))
        assert game.result == means

    def test_8_a_result_of_points_ends_the_moves(self) -> None:
        (read,), bad, (warning,) = trees('[Result "4-6"]\n1. 11-15 4-6')
        assert (texts(read.start, read.line), read.result, bad) == (["11-15"], "4-6", [])
        assert "a result such as '1-0'" in str(warning)

    def test_8_a_tag_that_contradicts_the_end_is_reported(self) -> None:
        (read,), _, (note,) = trees('[Result "1-0"]\n1. 11-15 0-1')
        assert read.result == "1-0"
        assert isinstance(note, PdnInfo)

    def test_9_loose_tags_and_ends_that_are_missing(self) -> None:
        text = '[Bianco "A"]\n[Round "11.1]\n[Empty]\n[ [Event "x"]\n[Event "y"]\n11-15\n[Event "z"]\n9-13'
        (first, second), bad, messages = trees(text)
        assert (first.tags["Bianco"], first.tags["Round"], first.tags["Event"]) == ("A", "11.1", "x")
        assert (texts(second.start, second.line), bad) == (["9-13"], [])
        assert any("between games" in str(warning) for warning in messages)

    def test_10_breaks_written_as_letters_do_not_part_games(self) -> None:
        assert main('[Event "x"]\\r\\n\n[Site "y"]\\r\\n\n1. 11-15 *') == ["11-15"]

    def test_11_words_in_brackets_are_comments(self) -> None:
        read = tree("1. 11-15 (Black wins) 22-18{so} 15x22 25x18 (26x17 (or not) 9-13) *")
        assert (read.line[0].comments, read.line[1].comments) == (["Black wins"], ["so"])
        ((other, _),) = read.line[3].variations
        assert other.comments == ["or not"]

    @pytest.mark.parametrize("text", ["1. 11-15 {a {b} c} *", "1. 11-15 } *", "1. 11-15 {a *"])
    def test_11_braces_within_braces_are_refused(self, text: str) -> None:
        assert len(trees(text)[1]) == 1

    def test_12_strengths_in_brackets_and_variations_with_numbers(self) -> None:
        read = tree("1. 11-15(?) 22-18 (!?!!!) 2. 15x22 25x18 *")
        assert [node.strength for node in read.line] == ["?", "!?!!!", "", ""]
        assert len(tree("1. 11-15 22-18 (1... 24-20) *").line[1].variations) == 1

    @pytest.mark.parametrize(
        "text", ["1. - - 2. - - 1-0", "1. 0-2", "1. 11-15 . 22-18 *", "1. 11-15 22-18 2. *"]
    )
    def test_13_moves_that_are_missing_are_doubted(self, text: str) -> None:
        found, bad, messages = trees(text)
        assert (len(found), bad, [type(warning) for warning in messages]) == (1, [], [PdnWarning])

    def test_14_positions_alone(self) -> None:
        assert tree('[FEN "W:WK5:B1"]\n[Result "1-0"]\n1-0').line == []
        assert len(trees('[FEN "W:WK5:B1"]\n*\n[FEN "W:WK5:B2"]\n*')[0]) == 2

    @pytest.mark.parametrize(
        "fen",
        ["W:W21:B1.", "W:W21:B1. ", "W:W021:B01", "W:B1:W21", "W:W21:B1:H0:F1", "W : W21 : B1"],
    )
    def test_15_positions_as_they_are_met(self, fen: str) -> None:
        assert tree(f'[FEN "{fen}"]\n*').tags["FEN"] == "W:W21:B1"

    @pytest.mark.parametrize(
        ("tags", "fen", "start"),
        [
            ("", "W:W18,K15,1:BK30,K26,2", "W:WK1,K15,18:B2,K26,K30"),
            ("", "B:WK31:B32,K5", "B:WK31:BK5,K32"),
            ('[GameType "25"]', "W:Wb8:Bh2", "W:WKb8:Bh2"),
            ('[GameType "40"]', "W:W5:B50,7", "W:WK5:B7,K50"),
        ],
    )
    def test_15_a_man_where_men_are_crowned_is_read_as_a_king_and_that_is_reported(
        self, tags: str, fen: str, start: str
    ) -> None:
        (read,), bad, (note,) = trees(f'{tags}[FEN "{fen}."]\n1-0')
        assert (read.start.fen(), bad, isinstance(note, PdnInfo)) == (start, [], True)
        assert "where men are crowned" in str(note)
        assert read.tags["FEN"] != start  # the record keeps what it says
        assert trees(pdn.write_tree(read))[0] == [read]

    def test_15_other_nonsense_is_no_position(self) -> None:
        for fen in ("W:W18,18:B1", "W:W33:B1", '[Variant "parachute"]W:WPb6:Ba1'):
            assert len(trees(f'[FEN "{fen}"]\n1-0')[1]) == 1

    def test_16_encodings_and_pictures(self) -> None:
        text = '[Event "Café"]\r\n1. 11-15\n22-18 *'
        for encoding in ("utf-8", "latin-1"):
            (read,) = pdn.read_trees(io.BytesIO(text.encode(encoding)))
            assert read.tags["Event"] == "Café"
        bad: list[PdnError] = []
        assert list(pdn.read_trees(io.BytesIO(b"PDN3\0\1\2"), on_error=bad.append)) == []
        assert len(bad) == 1

    def test_17_squares_by_name_are_seen_from_the_side_that_begins(self) -> None:
        assert main("1. e3-d4 d6c5 *") == ["10-15", "23-19"]
        assert main("1. g3-f4 *", "russian") == main("1. 24-19 *", "russian")


def test_a_variation_that_is_not_legal_is_cut_and_reported() -> None:
    (read,), bad, messages = trees("1. 11-15 (9-13 22-18 5-1) (3-4) 22-18 *")
    assert (bad, [(warning.column, "legal move" in str(warning)) for warning in messages]) == (
        [],
        [(22, True), (28, True)],
    )
    assert [texts(read.start, line) for line in read.line[0].variations] == [["9-13", "22-18"]]


def test_an_unknown_variant_is_reported_and_the_others_are_read() -> None:
    found, bad, _ = trees('[GameType "0"]\n1. e2-e4 *\n\n[GameType "21"]\n1. 11-15 *')
    assert (len(found), len(bad)) == (1, 1)
    assert "GameType 0" in str(bad[0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. 11-15 " + "(11-16 " * (DEEPEST + 1) + ")" * (DEEPEST + 1), f"at most {DEEPEST} deep"),
        ("11-15 " * (MAX_MOVES + 1), f"at most {MAX_MOVES} moves"),
        ('[A ""]' * (MAX_TAGS + 1), f"at most {MAX_TAGS} tags"),
        ("1. 11-15 (11-16", "a variation that closes"),
    ],
)
def test_hostile_records_are_refused(text: str, message: str) -> None:
    _, (bad,), _ = trees(text)
    assert message in str(bad)


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "text", ["( * ", "(" * 10 + "*" + ")" * 10, "{ * ", "11-15 (3-4) * ", "5-4 *\n", "[A x\n"]
)
def test_what_is_repeated_without_end_takes_no_longer_each_time(text: str) -> None:
    trees(text * (60_000 // len(text)))


def test_of_many_remarks_on_a_game_the_first_are_reported() -> None:
    _, bad, messages = trees("1. 11-15" + " ." * 5000 + " *")
    assert (bad, len(messages)) == ([], 101)
    assert "at most 100 messages about a game, got 5000" in str(messages[-1])


@pytest.mark.parametrize(
    ("style", "body"),
    [
        (Style.NATIVE, "1. c3-d4 f6-e5 2. d4:f6 g7:e5"),
        (Style.NUMERIC, "1. 22-18 11-15 2. 18:11 8:15"),
        (Style.SHORT, "1. cd4 fe5 2. df6 ge5"),
    ],
)
def test_moves_are_written_in_the_style_asked_for(style: Style, body: str) -> None:
    read = tree("1. c3-d4 f6-e5 2. d4xf6 g7xe5 *", "russian")
    assert f"{body} *" in pdn.write_tree(read, style=style)


def test_what_the_grammar_cannot_hold_is_not_written() -> None:
    read = tree("1. 11-15 *")
    read.line[0].comments.append("a } brace")
    with pytest.raises(NotationError, match="without braces"):
        pdn.write_tree(read)
    read.line[0].comments.clear()
    read.line[0].strength = "*"
    with pytest.raises(NotationError, match="a strength"):
        pdn.write_tree(read)


def test_visitors_see_games_without_replaying_them() -> None:
    class Counter(pdn.Visitor):
        def __init__(self) -> None:
            self.moves = 0

        def move(self, text: str, at: int) -> None:  # noqa: ARG002
            self.moves += 1

    counts = [visitor.moves for visitor in pdn.visit("1. 99-99 (1-2) 98-98 *\n1. 12-16 *\n", Counter)]
    assert counts == [2, 1]


@settings(deadline=None)
@given(st.text('[]"(){}*%;/\\ \n.0123456789-x:!?$abEFNcdefgh'))
def test_any_text_that_is_read_as_trees_comes_back_the_same(text: str) -> None:
    for read in trees(text)[0]:
        assert trees(pdn.write_tree(read))[0] == [read]
