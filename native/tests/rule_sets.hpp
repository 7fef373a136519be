// Rule sets that the tests compile for themselves, so as to test rules apart from the table.
#pragma once

#include "crownhead/rules.hpp"

namespace crownhead::testing {

inline constexpr Board board_8{.width = 8, .height = 8, .indented = true, .white_lowers = true};
inline constexpr Board board_8_corner{.width = 8, .height = 8, .indented = false, .white_lowers = true};
inline constexpr Board board_10{.width = 10, .height = 10, .indented = true, .white_lowers = true};
inline constexpr Board board_12{.width = 12, .height = 12, .indented = true, .white_lowers = true};

inline constexpr Rules short_kings{.board = board_8,
                                   .flying_king = false,
                                   .man_captures_backward = false,
                                   .man_captures_king = true,
                                   .promotion = Promotion::stop,
                                   .priority = {},
                                   .mules = false};

constexpr Rules with_mules(Rules rules) {
    rules.mules = true;
    return rules;
}

constexpr Rules first_king_wins(Rules rules) {
    rules.first_king_wins = true;
    return rules;
}

constexpr Rules on(Board board, Rules rules) {
    rules.board = board;
    return rules;
}

constexpr Rules flying(Rules rules, Promotion promotion, bool backward,
                       std::array<Priority, 4> priority = {}) {
    rules.flying_king = true;
    rules.promotion = promotion;
    rules.man_captures_backward = backward;
    rules.priority = priority;
    return rules;
}

inline constexpr Rules free_pass = flying(short_kings, Promotion::pass, true);
inline constexpr Rules free_carry_on = flying(short_kings, Promotion::carry_on, true);
inline constexpr Rules king_first = flying(short_kings, Promotion::stop, false, {Priority::with_king});
inline constexpr Rules most_then_kings =
    flying(short_kings, Promotion::stop, false, {Priority::most_pieces, Priority::most_kings});
inline constexpr Rules most_pass = flying(short_kings, Promotion::pass, true, {Priority::most_pieces});
inline constexpr Rules most_pass_10 = on(board_10, most_pass);
inline constexpr Rules most_pass_12 = on(board_12, most_pass);

}  // namespace crownhead::testing
