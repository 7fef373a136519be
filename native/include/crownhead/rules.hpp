// The columns of the variant table that bear on the movement of pieces, as template arguments.
#pragma once

#include <array>
#include <cstdint>

namespace crownhead {

enum class Colour : std::uint8_t { black, white };

constexpr Colour opponent(Colour colour) { return colour == Colour::black ? Colour::white : Colour::black; }

enum class Promotion : std::uint8_t {
    stop,      // crowned, the move ends
    pass,      // goes on as a man if it can; crowned only if the capture ends there
    carry_on,  // crowned at once, goes on as a king
};

// One component of the sort key that captures compete by.
enum class Priority : std::uint8_t { none, most_pieces, with_king, most_kings, kings_first };

// A checkered board as its own square numbers see it: they run along the rows from a corner, row 0
// holding the lowest. Left and right mean nothing to the laws, so boards that mirror each other and
// number alike are one board.
struct Board {
    int width;
    int height;
    bool indented;      // square 1 lies one file away from the corner, not in it
    bool white_lowers;  // White moves towards lower numbers, Black towards higher ones

    friend constexpr bool operator==(Board const&, Board const&) = default;
};

struct Rules {
    Board board;
    bool flying_king;
    bool man_captures_backward;
    bool man_captures_king;
    Promotion promotion;
    std::array<Priority, 4> priority;  // lexicographic; all none: any capture
    bool mules;
    bool first_king_wins = false;

    friend constexpr bool operator==(Rules const&, Rules const&) = default;

    constexpr bool asks(Priority wanted) const {
        for (Priority component : priority) {
            if (component == wanted) { return true; }
        }
        return false;
    }
    constexpr bool free_choice() const { return priority[0] == Priority::none; }
};

// What a side that has no piece or no move left has earned.
enum class Objective : std::uint8_t { opponent_wins, mover_wins };

}  // namespace crownhead
