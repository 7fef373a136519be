// The layout of boards in words, up to those that need 128 bits.
#include "crownhead/geometry.hpp"

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
Place place_of(int number) {
    if (B.grid != Grid::checkered) { return {(number - 1) / B.width, (number - 1) % B.width}; }
    int const row = (number - 1) / (B.width / 2);
    int const column = (number - 1) % (B.width / 2);
    bool const starts_one_file_in = (row % 2 == 0) == B.indented;
    return {row, 2 * column + (starts_one_file_in ? 1 : 0)};
}

// Every step from every square, against rows and files.
template <Board B, Direction D>
void expect_steps(int down, int right) {
    using G = Geometry<B>;
    bool const along_drawn_lines = B.grid == Grid::lines && down != 0 && right != 0;
    for (int from = 1; from <= G::squares; ++from) {
        auto const [row, file] = place_of<B>(from);
        auto const reached = G::template step<D>(typename G::Set{G::square(from)}) & G::board;
        Place const wanted{row + down, file + right};
        bool const exists = wanted.row >= 0 && wanted.row < B.height && wanted.file >= 0 &&
                            wanted.file < B.width && (!along_drawn_lines || (row + file) % 2 == 0);
        expect_equal(reached.count(), exists ? 1 : 0);
        if (exists) { expect(place_of<B>(G::number(reached.first())) == wanted); }
    }
}

template <Board B>
void expect_all_steps() {
    // Straight on, the next square of a checkered board is two rows or files away.
    constexpr int straight = B.grid == Grid::checkered ? 2 : 1;
    expect_steps<B, Direction::up_left>(-1, -1);
    expect_steps<B, Direction::up_right>(-1, 1);
    expect_steps<B, Direction::down_left>(1, -1);
    expect_steps<B, Direction::down_right>(1, 1);
    expect_steps<B, Direction::up>(-straight, 0);
    expect_steps<B, Direction::down>(straight, 0);
    expect_steps<B, Direction::left>(0, -straight);
    expect_steps<B, Direction::right>(0, straight);
}

// Every slide over an empty board reaches the edge, and stops before an obstacle.
template <Board B, Direction D>
void expect_slides() {
    using G = Geometry<B>;
    for (auto from : G::board) {
        typename G::Set reached;
        for (auto at = G::template step<D>(from) & G::board; at; at = G::template step<D>(at) & G::board) {
            reached |= at;
        }
        expect(G::template slide<D>(from, G::board) == reached);
        for (auto obstacle : reached) {
            auto const before = reached & G::template slide<reverse(D)>(obstacle, G::board);
            expect(G::template slide<D>(from, G::board - obstacle) == before);
        }
    }
}

template <Board B>
void expect_all_slides() {
    expect_slides<B, Direction::up_left>();
    expect_slides<B, Direction::up_right>();
    expect_slides<B, Direction::down_left>();
    expect_slides<B, Direction::down_right>();
    expect_slides<B, Direction::up>();
    expect_slides<B, Direction::down>();
    expect_slides<B, Direction::left>();
    expect_slides<B, Direction::right>();
}

void steps_are_shifts_on_every_board() {
    expect_all_steps<board_8>();
    expect_all_steps<board_8_corner>();
    expect_all_steps<board_10>();
    expect_all_steps<board_12>();
    expect_all_steps<checkered(10, 8)>();
    expect_all_steps<every_square>();
    expect_all_steps<lines>();
}

void slides_end_before_the_first_obstacle() {
    expect_all_slides<board_8>();
    expect_all_slides<board_8_corner>();
    expect_all_slides<board_10>();
    expect_all_slides<board_12>();
    expect_all_slides<every_square>();
    expect_all_slides<lines>();
}

void boards_take_the_fewest_bits() {
    expect_equal(Geometry<board_8>::bits, 35);
    expect_equal(Geometry<board_10>::bits, 54);
    expect_equal(Geometry<board_12>::bits, 77);
    expect_equal(Geometry<every_square>::bits, 64);
    expect_equal(Geometry<lines>::bits, 25);
    expect_equal(sizeof(Geometry<board_10>::Word), std::size_t{8});
    expect_equal(sizeof(Geometry<board_12>::Word), std::size_t{16});
}

template <Board B>
void expect_numbers() {
    using G = Geometry<B>;
    int number = 0;
    for (auto one : G::board) { expect_equal(int{G::number(one.first())}, ++number); }
    expect_equal(number, G::squares);
}

void numbers_ascend_with_the_bits() {
    expect_numbers<board_8>();
    expect_numbers<board_8_corner>();
    expect_numbers<board_12>();
    expect_numbers<every_square>();
    expect_numbers<lines>();
}

template <Rules R>
void expect_crown_squares(int white, int black, int count) {
    using White = Side<R, Colour::white>;
    using Black = Side<R, Colour::black>;
    expect_equal(int{White::Board::number(White::crown_squares.first())}, white);
    expect_equal(int{Black::Board::number(Black::crown_squares.first())}, black);
    expect_equal(White::crown_squares.count(), count);
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
    expect(Side<crowned(Crowning::never), Colour::white>::crown_squares.empty());
}

void wide_sets_reach_beyond_64_bits() {
    using Set = Squares<Wide>;
    auto const high = Set{static_cast<Square>(100)};
    auto const both = high | Set{static_cast<Square>(3)};
    expect_equal(both.count(), 2);
    expect_equal(index(both.first()), 3);
    expect_equal(index((both - Set{static_cast<Square>(3)}).first()), 100);
    expect(shift<-90>(high) == Set{static_cast<Square>(10)});
}

}  // namespace

int main() {
    return run({
        {"steps are shifts on every board", steps_are_shifts_on_every_board},
        {"slides end before the first obstacle", slides_end_before_the_first_obstacle},
        {"boards take the fewest bits", boards_take_the_fewest_bits},
        {"numbers ascend with the bits", numbers_ascend_with_the_bits},
        {"each colour is crowned on its crown squares", each_colour_is_crowned_on_its_crown_squares},
        {"wide sets reach beyond 64 bits", wide_sets_reach_beyond_64_bits},
    });
}
