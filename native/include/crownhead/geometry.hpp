// Where the squares of a board lie in a word, and what a step in each direction does to a set of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "crownhead/bits.hpp"
#include "crownhead/rules.hpp"

namespace crownhead {

// In ascending order of what they add to a square, up being towards lower numbers.
enum class Direction : std::uint8_t { up_left, up_right, down_left, down_right };

inline constexpr std::array all_directions{Direction::up_left, Direction::up_right, Direction::down_left,
                                           Direction::down_right};

constexpr Direction reverse(Direction direction) {
    return static_cast<Direction>(3 - static_cast<int>(direction));
}

// Every second row is followed by a ghost, a bit that is no square, so that a step in a direction is a
// shift by the same distance from every square, and a step off the side of the board ends on a ghost.
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
template <Board B>
struct Geometry {
    static_assert(B.width % 2 == 0, "on odd widths a step is no constant shift in this layout");

    static constexpr int half = B.width / 2;
    static constexpr int squares = half * B.height;

    static constexpr int row_start(int row) { return row * half + (row + (B.indented ? 0 : 1)) / 2; }
    static constexpr int bits = row_start(B.height - 1) + half;
    static_assert(bits <= 128);

    using Word = std::conditional_t<(bits <= 64), std::uint64_t, Wide>;
    using Set = Squares<Word>;

    static constexpr Square square(int number) {
        return static_cast<Square>(row_start((number - 1) / half) + (number - 1) % half);
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

    static constexpr Set row(int row) {
        Set set;
        for (int column = 0; column < half; ++column) {
            set |= Set{static_cast<Square>(row_start(row) + column)};
        }
        return set;
    }

    static constexpr Set board = [] {
        Set set;
        for (int i = 0; i < B.height; ++i) { set |= row(i); }
        return set;
    }();

    static constexpr bool rises(Colour colour) { return (colour == Colour::white) == B.white_lowers; }

    template <Colour Us>
    static constexpr Set crown_row = row(rises(Us) ? 0 : B.height - 1);

    static constexpr int distance(Direction direction) {
        constexpr std::array distances{-half - 1, -half, half, half + 1};
        return distances[static_cast<std::size_t>(direction)];
    }

    // The result may hold ghosts; the caller intersects with squares of the board.
    template <Direction D>
    static constexpr Set step(Set set) {
        return shift<distance(D)>(set);
    }

    template <Colour Us>
    static constexpr std::array<Direction, 2> forward = rises(Us) ? std::array{Direction::up_left,
                                                                               Direction::up_right}
                                                                  : std::array{Direction::down_left,
                                                                               Direction::down_right};

    static constexpr int longest_slide = std::min(B.width, B.height) - 1;

    // The squares of `through` that are reached from `set` in direction D without leaving `through`.
    template <Direction D>
    static constexpr Set slide(Set set, Set through) {
        constexpr int one = distance(D);
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
};

}  // namespace crownhead
