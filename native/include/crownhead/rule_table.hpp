// A set of rules with all that follows from it, worked out once: the layout of the board, and what each side
// makes of both.
#pragma once

#include "crownhead/geometry.hpp"

namespace crownhead {

// What one side makes of the rules.
template <BitWord Word>
struct Side {
    using Set = Squares<Word>;

    bool rises;
    Set far_row;
    Set crown_squares;
    DirectionList man_steps;
    DirectionList man_captures;
    DirectionList man_goes_on;
    DirectionList parachutist_captures;

    constexpr Side(Rules const& rules, Geometry<Word> const& board, Colour us)
        : rises{board.rises(rules.one_way ? Colour::white : us)}, far_row{board.row(far(rules))} {
        auto const seen = [&](Directions set) { return board.in_order(rises ? set : upside_down(set)); };
        man_steps = seen(rules.man_steps);
        man_captures = seen(rules.man_captures);
        man_goes_on = seen(rules.man_goes_on);
        parachutist_captures = seen(diagonals_down);
        if (rules.crowning == Crowning::far_row) { crown_squares = far_row; }
        if (rules.crowning == Crowning::far_corner) {
            int const row = far(rules);
            bool const left = board.at(row, 0).empty();
            int const file = left ? 0 : rules.board.width - 1;
            crown_squares = board.at(row, file + (left ? 1 : -1)) | board.at(row + (rises ? 1 : -1), file);
        }
    }

  private:
    constexpr int far(Rules const& rules) const { return rises ? 0 : rules.board.height - 1; }
};

template <BitWord Word>
struct RuleTable {
    Rules rules;
    Geometry<Word> board;
    Side<Word> black;
    Side<Word> white;
    // A king sees the board alike from either side.
    DirectionList king_steps;
    DirectionList king_captures;
    DirectionList capture_lines;  // those in which any piece may go on

    constexpr explicit RuleTable(Rules const& rules)
        : rules{rules},
          board{rules.board},
          black{rules, board, Colour::black},
          white{rules, board, Colour::white},
          king_steps{board.in_order(rules.king_steps)},
          king_captures{board.in_order(rules.king_captures)},
          capture_lines{board.in_order(static_cast<Directions>(rules.king_captures | rules.man_goes_on |
                                                               upside_down(rules.man_goes_on)))} {}

    template <Colour Us>
    constexpr Side<Word> const& side() const {
        return Us == Colour::black ? black : white;
    }
};

}  // namespace crownhead
