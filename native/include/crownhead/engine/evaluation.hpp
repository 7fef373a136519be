// What a quiet position is worth, judged by counting: pieces, how far men have come, who can move.
#pragma once

#include "crownhead/engine/score.hpp"
#include "crownhead/movegen.hpp"

namespace crownhead::engine {

// Hundredths of a man, by rules alone.
template <Rules R>
struct Worth {
    static constexpr Score man = 100;
    static constexpr Score marked = R.has_mules() ? 130 : 90;
    static constexpr Score king = R.flying_king ? (R.king_run > 0 ? 220 : 300) : 140;
    static constexpr Score step = R.first_king_wins ? 12 : 3;  // a row nearer to the crown
    static constexpr Score guard = 6;                          // a man on the row where others are crowned
    static constexpr Score freedom = R.jumps_only ? 30 : 2;    // a move
};

namespace detail {

// The rows that the men of `Us` have come, together.
template <Colour Us, Rules R>
constexpr int rows_come(typename Position<R>::Set men) {
    using Board = Geometry<R.board>;
    int rows = 0;
    for (int row = 0; row < R.board.height; ++row) {
        int const come = Side<R, Us>::rises ? R.board.height - 1 - row : row;
        rows += come * (men & Board::row(row)).count();
    }
    return rows;
}

template <Colour Us, Rules R>
constexpr Score worth_of_side(Position<R> const& position) {
    using Set = typename Position<R>::Set;
    Set const kings = position.own_kings();
    Set men = position.own_men();
    Score score = Worth<R>::king * kings.count();
    if constexpr (R.marked != Marked::none) {
        Set const marked = men & position.marks;
        score += Worth<R>::marked * marked.count();
        men = men - marked;
    }
    score += Worth<R>::man * men.count();
    score += Worth<R>::step * rows_come<Us, R>(men);
    if constexpr (R.crowning == Crowning::far_row && !R.one_way) {
        score += Worth<R>::guard * (men & Side<R, opponent(Us)>::far_row).count();
    }
    return score;
}

}  // namespace detail

// The same position as the other side would see it, were it its turn.
template <Rules R>
constexpr Position<R> passed(Position<R> const& position) {
    auto other = position;
    other.own = position.theirs;
    other.theirs = position.own;
    if constexpr (Position<R>::counts_runs) {
        other.own_run = position.their_run;
        other.their_run = position.own_run;
    }
    return other;
}

// For the side to move. Where to have no move wins, everything is turned round.
template <Colour Us, Rules R>
constexpr Score evaluate(Position<R> const& position, bool stuck_wins) {
    auto const other = passed(position);
    if constexpr (R.jumps_only) {
        return Worth<R>::freedom * (capturing<Us>(position).count() - capturing<opponent(Us)>(other).count());
    }
    Score score = detail::worth_of_side<Us>(position) - detail::worth_of_side<opponent(Us)>(other);
    score += Worth<R>::freedom * (count_quiet<Us>(position) - count_quiet<opponent(Us)>(other));
    return (stuck_wins ? -score : score) + 3;  // it is good to be on turn
}

}  // namespace crownhead::engine
