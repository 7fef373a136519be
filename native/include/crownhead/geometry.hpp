// Where the squares of a board lie in a word, and what a step in each direction does to a set of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "crownhead/bits.hpp"
#include "crownhead/rules.hpp"

namespace crownhead {

// On a checkered board every second row is followed by a ghost, a bit that is no square, so that a diagonal
// step is a shift by the same distance from every square, and one off the side of the board ends on a ghost.
// 8 × 8, indented (numbers 1 … 32 at their bits; # ghosts):
//
//        .  0  .  1  .  2  .  3          up-left    -5        up-right   -4
//        4  .  5  .  6  .  7  .   # 8    down-left  +4        down-right +5
//        .  9  . 10  . 11  . 12
//       13  . 14  . 15  . 16  .   # 17   35 bits; 10 × 10 takes 54, 12 × 12 takes 77
//        . 18  . 19  . 20  . 21
//       22  . 23  . 24  . 25  .   # 26
//        . 27  . 28  . 29  . 30
//       31  . 32  . 33  . 34  .
//
// On the other grids each square is the bit below its number. A step that would lead round an edge there, or
// along a line that is not drawn, is masked out; so are steps sideways on a checkered board.
template <Board B>
struct Geometry {
    static constexpr bool checkered = B.grid == Grid::checkered;
    static_assert(!checkered || B.width % 2 == 0, "on odd widths a step is no constant shift in this layout");

    static constexpr int half = B.width / 2;
    static constexpr int columns = checkered ? half : B.width;
    static constexpr int squares = columns * B.height;

    static constexpr int row_start(int row) {
        return row * columns + (checkered ? (row + (B.indented ? 0 : 1)) / 2 : 0);
    }
    static constexpr int bits = row_start(B.height - 1) + columns;
    static_assert(bits <= 128);

    using Word = std::conditional_t<(bits <= 64), std::uint64_t, Wide>;
    using Set = Squares<Word>;

    static constexpr Square square(int number) {
        return static_cast<Square>(row_start((number - 1) / columns) + (number - 1) % columns);
    }

    // The number of each bit, 0 for a ghost.
    static constexpr auto numbers = [] {
        std::array<std::uint8_t, static_cast<std::size_t>(bits)> table{};
        for (int number = 1; number <= squares; ++number) {
            table[static_cast<std::size_t>(square(number))] = static_cast<std::uint8_t>(number);
        }
        return table;
    }();

    static constexpr std::uint8_t number(Square square) { return numbers[static_cast<std::size_t>(square)]; }

    // Row and file as the numbers see them; the empty set where no square is.
    static constexpr Set at(int row, int file) {
        if (row < 0 || row >= B.height || file < 0 || file >= B.width) { return {}; }
        if constexpr (checkered) {
            bool const indented = (row % 2 == 0) == B.indented;
            if ((file % 2 == 1) != indented) { return {}; }
            return Set{static_cast<Square>(row_start(row) + file / 2)};
        } else {
            return Set{static_cast<Square>(row_start(row) + file)};
        }
    }

    static constexpr Set row(int row) {
        Set set;
        for (int file = 0; file < B.width; ++file) { set |= at(row, file); }
        return set;
    }

    static constexpr Set board = [] {
        Set set;
        for (int i = 0; i < B.height; ++i) { set |= row(i); }
        return set;
    }();

    // The corners and the four squares in the middle.
    static constexpr Set corners_and_middle = at(0, 0) | at(0, B.width - 1) | at(B.height - 1, 0) |
                                              at(B.height - 1, B.width - 1) | at(B.height / 2 - 1, half - 1) |
                                              at(B.height / 2 - 1, half) | at(B.height / 2, half - 1) |
                                              at(B.height / 2, half);

    static constexpr bool rises(Colour colour) { return (colour == Colour::white) == B.white_lowers; }

    static constexpr int rows_down(Direction direction) {
        constexpr std::array rows{-1, -1, -1, 0, 0, 1, 1, 1};
        return rows[static_cast<std::size_t>(direction)];
    }
    static constexpr int files_right(Direction direction) {
        constexpr std::array files{-1, 0, 1, -1, 1, -1, 0, 1};
        return files[static_cast<std::size_t>(direction)];
    }
    static constexpr bool diagonal(Direction direction) {
        return rows_down(direction) != 0 && files_right(direction) != 0;
    }

    static constexpr int distance(Direction direction) {
        int const down = rows_down(direction);
        int const right = files_right(direction);
        if (!checkered) { return down * B.width + right; }
        if (diagonal(direction)) { return down * half + (down + right) / 2; }
        return down * (2 * half + 1) + right;
    }

    // The squares that a step in direction D can lead to.
    template <Direction D>
    static constexpr Set reached = [] {
        constexpr int stride = checkered && !diagonal(D) ? 2 : 1;
        Set set;
        for (int i = 0; i < B.height; ++i) {
            for (int j = 0; j < B.width; ++j) {
                bool const drawn = B.grid != Grid::lines || !diagonal(D) || (i + j) % 2 == 0;
                if (drawn && !at(i, j).empty()) {
                    set |= at(i + stride * rows_down(D), j + stride * files_right(D));
                }
            }
        }
        return set;
    }();

    // No step in direction D leads round an edge, so that it needs no mask.
    template <Direction D>
    static constexpr bool clean = (shift<distance(D)>(board) & board) == reached<D>;

    // The result may hold ghosts; the caller intersects with squares of the board.
    template <Direction D>
    static constexpr Set step(Set set) {
        if constexpr (clean<D>) {
            return shift<distance(D)>(set);
        } else {
            return shift<distance(D)>(set) & reached<D>;
        }
    }

    static constexpr int longest_slide = std::max(B.width, B.height) - 1;

    // The squares of `through` that are reached from `set` in direction D without leaving `through`.
    template <Direction D>
    static constexpr Set slide(Set set, Set through) {
        constexpr int one = distance(D);
        if constexpr (!clean<D>) { through &= reached<D>; }
        set = shift<one>(set) & through;
        set |= shift<one>(set) & through;
        through &= shift<one>(through);
        set |= shift<2 * one>(set) & through;
        through &= shift<2 * one>(through);
        set |= shift<4 * one>(set) & through;
        if constexpr (longest_slide > 8) {
            through &= shift<4 * one>(through);
            set |= shift<8 * one>(set) & through;
        }
        return set;
    }

    // The directions of a set, in ascending order of what a step adds to a square.
    template <Directions Wanted>
    static constexpr auto in_order = [] {
        std::array<Direction, static_cast<std::size_t>(std::popcount(Wanted))> list{};
        std::size_t count = 0;
        for (int i = 0; i < 8; ++i) {
            auto const direction = static_cast<Direction>(i);
            if ((Wanted & mask(direction)) != 0) { list[count++] = direction; }
        }
        std::ranges::sort(list, {}, &Geometry::distance);
        return list;
    }();
};

// What the side to move makes of its rules on its board.
template <Rules R, Colour Us>
struct Side {
    using Board = Geometry<R.board>;
    using Set = typename Board::Set;

    static constexpr bool rises = Board::rises(R.one_way ? Colour::white : Us);
    static constexpr int far = rises ? 0 : R.board.height - 1;
    static constexpr Set far_row = Board::row(far);

    static constexpr Set crown_squares = [] {
        switch (R.crowning) {
            case Crowning::far_row: return far_row;
            case Crowning::far_corner: {
                bool const left = Board::at(far, 0).empty();
                int const file = left ? 0 : R.board.width - 1;
                return Board::at(far, file + (left ? 1 : -1)) | Board::at(far + (rises ? 1 : -1), file);
            }
            case Crowning::never: break;
        }
        return Set{};
    }();

    static constexpr Directions seen(Directions set) { return rises ? set : upside_down(set); }

    static constexpr auto const& man_steps = Board::template in_order<seen(R.man_steps)>;
    static constexpr auto const& man_captures = Board::template in_order<seen(R.man_captures)>;
    static constexpr auto const& man_goes_on = Board::template in_order<seen(R.man_goes_on)>;
    static constexpr auto const& parachutist_captures = Board::template in_order<seen(diagonals_down)>;
};

// A king sees the board alike from either side.
template <Rules R>
struct Kings {
    static_assert(R.king_steps == upside_down(R.king_steps));
    static_assert(R.king_captures == upside_down(R.king_captures));

    static constexpr auto const& steps = Geometry<R.board>::template in_order<R.king_steps>;
    static constexpr auto const& captures = Geometry<R.board>::template in_order<R.king_captures>;
};

}  // namespace crownhead
