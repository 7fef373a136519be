// The layout of boards in words, up to those that need 128 bits: as constants and at run time.
#include "crownhead/rule_source.hpp"

#include "rule_sets.hpp"
#include "testing.hpp"

using namespace crownhead;
using namespace crownhead::testing;

namespace {

struct Place {
    int row;
    int file;
    friend bool operator==(Place, Place) = default;
};

template <Board B>
using Constants = Fixed<on(B, short_kings)>;

// Row and file of a square, by counting those that are played on.
Place place_of(Board const& board, int number) {
    for (int row = 0; row < board.height; ++row) {
        for (int file = 0; file < board.width; ++file) {
            bool const is_played = board.grid != Grid::checkered || ((row + file) % 2 == 1) == board.indented;
            if (is_played && --number == 0) { return {row, file}; }
        }
    }
    return {-1, -1};
}

// Every slide over an empty board reaches the edge, and stops before an obstacle.
template <class R, class At>
void expect_slides(R rules, At direction) {
    auto const board = rules.board().board;
    for (auto from : board) {
        typename R::Set reached;
        for (auto at = rules.step(direction, from) & board; at; at = rules.step(direction, at) & board) {
            reached |= at;
        }
        expect(rules.slide(direction, from, board) == reached);
        for (auto obstacle : reached) {
            auto const before = reached & rules.slide(reverse(direction), obstacle, board);
            expect(rules.slide(direction, from, board - obstacle) == before);
        }
    }
}

// Every step from every square, against rows and files.
template <Board B, Direction D, class R>
void expect_steps(R rules, int down, int right) {
    using Set = typename R::Set;
    auto const& board = rules.board();
    auto const direction = [] {
        if constexpr (R::is_fixed) {
            return Constant<D>{};
        } else {
            return D;
        }
    }();
    bool const along_drawn_lines = B.grid == Grid::lines && down != 0 && right != 0;
    for (int from = 1; from <= board.squares; ++from) {
        auto const [row, file] = place_of(B, from);
        auto const reached = rules.step(direction, Set{board.square(from)}) & board.board;
        Place const wanted{row + down, file + right};
        bool const exists = wanted.row >= 0 && wanted.row < B.height && wanted.file >= 0 &&
                            wanted.file < B.width && (!along_drawn_lines || (row + file) % 2 == 0);
        expect_equal(reached.count(), exists ? 1 : 0);
        if (exists) { expect(place_of(B, board.number(reached.first())) == wanted); }
    }
    expect_slides(rules, direction);
}

template <Board B, class R>
void expect_directions(R rules) {
    // Straight on, the next square of a checkered board is two rows or files away.
    constexpr int straight = B.grid == Grid::checkered ? 2 : 1;
    expect_steps<B, Direction::up_left>(rules, -1, -1);
    expect_steps<B, Direction::up_right>(rules, -1, 1);
    expect_steps<B, Direction::down_left>(rules, 1, -1);
    expect_steps<B, Direction::down_right>(rules, 1, 1);
    expect_steps<B, Direction::up>(rules, -straight, 0);
    expect_steps<B, Direction::down>(rules, straight, 0);
    expect_steps<B, Direction::left>(rules, 0, -straight);
    expect_steps<B, Direction::right>(rules, 0, straight);
}

template <Board B>
void expect_board() {
    RuleTable<typename Constants<B>::Word> const table{on(B, short_kings)};
    RuleTable<Wide> const wide{on(B, short_kings)};
    expect_directions<B>(Constants<B>{});
    expect_directions<B>(Generic{table});
    expect_directions<B>(Generic{wide});
}

void steps_and_slides_go_where_rows_and_files_say() {
    expect_board<board_8>();
    expect_board<board_8_corner>();
    expect_board<board_10>();
    expect_board<board_12>();
    expect_board<checkered(10, 8)>();
    expect_board<checkered(6, 9, false)>();
    expect_board<checkered(16, 14)>();
    expect_board<every_square>();
    expect_board<Board{11, 11, Grid::full, false, true}>();
    expect_board<Board{16, 8, Grid::full, false, true}>();
    expect_board<lines>();
}

void checkered_boards_may_be_odd() {
    expect_board<checkered(9, 9)>();
    expect_board<checkered(9, 9, false)>();
    expect_board<checkered(9, 8)>();
    expect_board<checkered(5, 16, false)>();
    expect_board<checkered(15, 16)>();
    expect_equal(Constants<checkered(9, 9)>::table.board.squares, 40);
    expect_equal(Constants<checkered(9, 9, false)>::table.board.squares, 41);
    expect_equal(Constants<checkered(9, 8)>::table.board.squares, 36);
}

void boards_take_the_fewest_bits() {
    expect_equal(Layout{board_8}.bits(), 35);
    expect_equal(Layout{board_10}.bits(), 54);
    expect_equal(Layout{board_12}.bits(), 77);
    expect_equal(Layout{checkered(9, 9)}.bits(), 40);
    expect_equal(Layout{every_square}.bits(), 64);
    expect_equal(Layout{lines}.bits(), 25);
    expect_equal(sizeof(Constants<board_10>::Word), std::size_t{8});
    expect_equal(sizeof(Constants<board_12>::Word), std::size_t{16});
}

template <Board B>
void expect_numbers() {
    auto const& board = Constants<B>::board();
    int number = 0;
    for (auto one : board.board) {
        expect_equal(int{board.number(one.first())}, ++number);
        expect(board.square(number) == one.first());
    }
    expect_equal(number, board.squares);
}

void numbers_ascend_with_the_bits() {
    expect_numbers<board_8>();
    expect_numbers<board_8_corner>();
    expect_numbers<board_12>();
    expect_numbers<every_square>();
    expect_numbers<lines>();
}

template <Rules Value>
void expect_crown_squares(int white, int black, int count) {
    using R = Fixed<Value>;
    auto const number = [](auto squares) { return int{R::board().number(squares.first())}; };
    expect_equal(number(R::template crown_squares<Colour::white>()), white);
    expect_equal(number(R::template crown_squares<Colour::black>()), black);
    expect_equal(R::template crown_squares<Colour::white>().count(), count);
}

constexpr Rules crowned(Crowning crowning, bool one_way = false) {
    auto rules = short_kings;
    rules.crowning = crowning;
    rules.one_way = one_way;
    return rules;
}

void each_colour_is_crowned_on_its_crown_squares() {
    expect_crown_squares<short_kings>(1, 29, 4);
    expect_crown_squares<on(board_12, short_kings)>(1, 67, 6);
    expect_crown_squares<on(checkered(8, 8, false, false), short_kings)>(29, 1, 4);
    expect_crown_squares<crowned(Crowning::far_corner)>(1, 28, 2);
    expect_crown_squares<crowned(Crowning::far_row, true)>(1, 1, 4);
    expect(Fixed<crowned(Crowning::never)>::crown_squares<Colour::white>().empty());
}

void wide_sets_reach_beyond_64_bits() {
    using Set = Squares<Wide>;
    auto const high = Set{static_cast<Square>(100)};
    auto const both = high | Set{static_cast<Square>(3)};
    expect_equal(both.count(), 2);
    expect_equal(index(both.first()), 3);
    expect_equal(index((both - Set{static_cast<Square>(3)}).first()), 100);
    expect(shift(high, -90) == Set{static_cast<Square>(10)});
    expect(rotate(high, 38) == Set{static_cast<Square>(10)});
    expect(rotate(both, 0) == both);
}

}  // namespace

int main() {
    return run({
        {"steps and slides go where rows and files say", steps_and_slides_go_where_rows_and_files_say},
        {"checkered boards may be odd", checkered_boards_may_be_odd},
        {"boards take the fewest bits", boards_take_the_fewest_bits},
        {"numbers ascend with the bits", numbers_ascend_with_the_bits},
        {"each colour is crowned on its crown squares", each_colour_is_crowned_on_its_crown_squares},
        {"wide sets reach beyond 64 bits", wide_sets_reach_beyond_64_bits},
    });
}
