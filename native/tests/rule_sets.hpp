// Rule sets that the tests compile for themselves, to test rules apart from the table.
#pragma once

#include <type_traits>

#include "crownhead/rule_set.hpp"

namespace crownhead::testing {

constexpr Board checkered(int width, int height, bool indented = true, bool white_lowers = true) {
    return {width, height, Grid::checkered, indented, white_lowers};
}

inline constexpr Board board_8 = checkered(8, 8);
inline constexpr Board board_8_corner = checkered(8, 8, false);
inline constexpr Board board_10 = checkered(10, 10);
inline constexpr Board board_12 = checkered(12, 12);
inline constexpr Board every_square{8, 8, Grid::full, false, true};
inline constexpr Board lines{5, 5, Grid::lines, false, true};

inline constexpr Directions ahead = mask(Direction::up_left) | mask(Direction::up_right);
inline constexpr Directions diagonally = ahead | diagonals_down;

inline constexpr Rules short_kings{.board = board_8,
                                   .flying_king = false,
                                   .man_steps = ahead,
                                   .man_captures = ahead,
                                   .man_goes_on = ahead,
                                   .king_steps = diagonally,
                                   .king_captures = diagonally,
                                   .man_captures_king = true,
                                   .promotion = Promotion::stop,
                                   .priority = {},
                                   .removal = Removal::after_move,
                                   .landing = Landing::anywhere,
                                   .may_reverse = false,
                                   .crowning = Crowning::far_row,
                                   .marked = Marked::none,
                                   .one_way = false,
                                   .lines_step = false,
                                   .rests_on_far_row = false,
                                   .jumps_only = false,
                                   .king_run = 0,
                                   .first_king_wins = false};

constexpr Rules with_mules(Rules rules) {
    rules.marked = Marked::mule;
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
                       std::array<Priority, 5> priority = {}) {
    rules.flying_king = true;
    rules.promotion = promotion;
    rules.man_captures = rules.man_goes_on = backward ? diagonally : ahead;
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

// Where the compiler takes long, as with the sanitizers, the rules that the tests make are values alone: code
// for constants is compiled there for the rules of the build. CROWNHEAD_TEST_VALUES_ONLY says so.
#ifdef CROWNHEAD_TEST_VALUES_ONLY
inline constexpr bool values_only = true;
#else
inline constexpr bool values_only = false;
#endif

// The laws of one set of rules: as constants, and as values at run time.
template <Rules Value>
class BothPaths {
  public:
    using Constants = Fixed<Value>;
    using Values = Generic<typename Constants::Word>;
    using Tested = std::conditional_t<values_only, Values, Constants>;

    Laws const& constants() const { return constants_; }
    Laws const& values() const { return values_; }
    Values rules() const { return Values{table_}; }

    Tested tested() const {
        if constexpr (values_only) {
            return rules();
        } else {
            return Constants{};
        }
    }

  private:
    RuleTable<Wide> wide_{Value};
    RuleTable<typename Constants::Word> table_{Value};
    RuleSet<Tested> constants_{wide_, tested()};
    RuleSet<Values> values_{wide_, Values{table_}};
};

template <Rules Value>
BothPaths<Value> const& both_paths() {
    static BothPaths<Value> const paths;
    return paths;
}

}  // namespace crownhead::testing
