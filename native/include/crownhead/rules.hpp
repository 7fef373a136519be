// The columns of the variant table that bear on the movement of pieces: a value, or a template argument.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

namespace crownhead {

enum class Colour : std::uint8_t { black, white };

constexpr Colour opponent(Colour colour) { return colour == Colour::black ? Colour::white : Colour::black; }

// Up is towards lower numbers.
enum class Direction : std::uint8_t { up_left, up, up_right, left, right, down_left, down, down_right };

constexpr Direction reverse(Direction direction) {
    return static_cast<Direction>(7 - static_cast<int>(direction));
}

// A direction that is known when the code is compiled.
template <Direction D>
using Constant = std::integral_constant<Direction, D>;

template <Direction D>
constexpr auto reverse(Constant<D>) {
    return Constant<reverse(D)>{};
}

// A set of directions, a bit each.
using Directions = std::uint8_t;

constexpr Directions mask(Direction direction) {
    return static_cast<Directions>(1U << static_cast<unsigned>(direction));
}

// With up and down changing places. Sets are the same to the left and to the right, so this also turns
// the board round.
constexpr Directions upside_down(Directions set) {
    return static_cast<Directions>((set >> 5 & 0b111) | (set & 0b11000) | (set & 0b111) << 5);
}
// With left and right changing places.
constexpr Directions mirrored(Directions set) {
    return static_cast<Directions>((set & 0b00100001) << 2 | (set & 0b10000100) >> 2 |
                                   (set & 0b00001000) << 1 | (set & 0b00010000) >> 1 | (set & 0b01000010));
}

inline constexpr Directions diagonals_down = mask(Direction::down_left) | mask(Direction::down_right);

enum class Promotion : std::uint8_t {
    stop,      // crowned, the move ends
    pass,      // goes on as a man if it can; crowned only if the capture ends there
    carry_on,  // crowned at once, goes on as a king
};

// One component of the sort key that captures compete by.
enum class Priority : std::uint8_t { none, most_pieces, most_value, with_king, most_kings, kings_first };

// When taken pieces leave the board.
enum class Removal : std::uint8_t { after_move, at_once };

// Where a flying king may stop behind a piece it takes.
enum class Landing : std::uint8_t { anywhere, behind, behind_last_king };

enum class Crowning : std::uint8_t {
    far_row,
    far_corner,  // beside the far row's corner that is no square
    never,
};

// What the men are that a position marks.
enum class Marked : std::uint8_t { none, mule, parachutist };

enum class Grid : std::uint8_t {
    checkered,
    full,
    lines,  // every point; diagonals lead through those of the corners' colour alone
};

// A board as its own square numbers see it: they run along the rows from a corner, row 0 holding the
// lowest. Left and right mean nothing to the laws, so boards that mirror each other and number alike
// are one board.
struct Board {
    int width;
    int height;
    Grid grid;
    bool indented;      // on a checkered board square 1 lies one file away from the corner, not in it
    bool white_lowers;  // White moves towards lower numbers, Black towards higher ones

    friend constexpr bool operator==(Board const&, Board const&) = default;
};

// Directions are those of the side that moves: up is forward.
struct Rules {
    Board board;
    bool flying_king;
    Directions man_steps;
    Directions man_captures;
    Directions man_goes_on;  // to capture again in the same move
    Directions king_steps;
    Directions king_captures;
    bool man_captures_king;
    Promotion promotion;
    std::array<Priority, 5> priority;  // lexicographic; all none: any capture
    Removal removal;
    Landing landing;
    bool may_reverse;  // turn round by 180° between two captures; for pieces that leave at once
    Crowning crowning;
    Marked marked;
    bool one_way;           // Black's men go White's way
    bool lines_step;        // men pass over a line of their own to the square ahead of it
    bool rests_on_far_row;  // men there do not step
    bool jumps_only;        // konane: jumps along a line, once each side has taken off a piece of its own
    int king_run;           // steps in a row with the same king; 0: any number
    bool first_king_wins;

    friend constexpr bool operator==(Rules const&, Rules const&) = default;

    constexpr bool asks(Priority wanted) const {
        for (Priority component : priority) {
            if (component == wanted) { return true; }
        }
        return false;
    }
    constexpr bool free_choice() const { return priority[0] == Priority::none; }
    constexpr bool has_mules() const { return marked == Marked::mule; }
    constexpr bool has_parachutists() const { return marked == Marked::parachutist; }
};

// The result of a side that has no piece or no move left.
enum class Objective : std::uint8_t { opponent_wins, mover_wins };

}  // namespace crownhead
