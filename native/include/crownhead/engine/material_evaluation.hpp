// The evaluation without weights: material, how far men have advanced, and mobility.
#pragma once

#include "crownhead/engine/score.hpp"
#include "crownhead/movegen.hpp"

namespace crownhead::engine {

// In hundredths of a man, by rules alone.
template <Rules R>
struct PieceValues {
    static constexpr Score man = 100;
    static constexpr Score marked = R.has_mules() ? 130 : 90;
    static constexpr Score king = R.flying_king ? (R.king_run > 0 ? 220 : 300) : 140;
    static constexpr Score advance = R.first_king_wins ? 12 : 3;  // for each row nearer to the crown
    static constexpr Score back_rank_guard = 6;               // a man on the row where the opponent crowns
    static constexpr Score mobility = R.jumps_only ? 30 : 2;  // for each move
    static constexpr Score tempo = 3;                         // for the side to move
};

namespace detail {

// By how many rows the men of `Us` have advanced, together.
template <Colour Us, Rules R>
constexpr int rows_advanced(typename Position<R>::Set men) {
    using Board = Geometry<R.board>;
    int rows = 0;
    for (int row = 0; row < R.board.height; ++row) {
        int const advanced = Side<R, Us>::rises ? R.board.height - 1 - row : row;
        rows += advanced * (men & Board::row(row)).count();
    }
    return rows;
}

template <Colour Us, Rules R>
constexpr Score value_of_side(Position<R> const& position) {
    using Set = typename Position<R>::Set;
    Set const kings = position.own_kings();
    Set men = position.own_men();
    Score score = PieceValues<R>::king * kings.count();
    if constexpr (R.marked != Marked::none) {
        Set const marked = men & position.marks;
        score += PieceValues<R>::marked * marked.count();
        men = men - marked;
    }
    score += PieceValues<R>::man * men.count();
    score += PieceValues<R>::advance * rows_advanced<Us, R>(men);
    if constexpr (R.crowning == Crowning::far_row && !R.one_way) {
        score += PieceValues<R>::back_rank_guard * (men & Side<R, opponent(Us)>::far_row).count();
    }
    return score;
}

}  // namespace detail

// The position after a null move: the same with the other side to move.
template <Rules R>
constexpr Position<R> after_null_move(Position<R> const& position) {
    auto other = position;
    other.own = position.theirs;
    other.theirs = position.own;
    if constexpr (Position<R>::counts_runs) {
        other.own_run = position.their_run;
        other.their_run = position.own_run;
    }
    return other;
}

// For the side to move; material counts against it where the side without a move wins.
template <Colour Us, Rules R>
constexpr Score evaluate_material(Position<R> const& position, bool stuck_wins) {
    auto const other = after_null_move(position);
    if constexpr (R.jumps_only) {
        return PieceValues<R>::mobility *
               (capturing<Us>(position).count() - capturing<opponent(Us)>(other).count());
    }
    Score score = detail::value_of_side<Us>(position) - detail::value_of_side<opponent(Us)>(other);
    score += PieceValues<R>::mobility * (count_quiet<Us>(position) - count_quiet<opponent(Us)>(other));
    return (stuck_wins ? -score : score) + PieceValues<R>::tempo;
}

}  // namespace crownhead::engine
