// The evaluation without weights: material, how far men have advanced, and mobility.
#pragma once

#include "crownhead/engine/score.hpp"
#include "crownhead/movegen.hpp"

namespace crownhead::engine {

// In hundredths of a man, by rules alone.
struct PieceValues {
    static constexpr Score man = 100;
    static constexpr Score back_rank_guard = 6;  // a man on the row where the opponent crowns
    static constexpr Score tempo = 3;            // for the side to move

    Score marked;
    Score king;
    Score advance;   // for each row nearer to the crown
    Score mobility;  // for each move
    bool guarded;    // the back rank keeps the opponent from crowning

    constexpr explicit PieceValues(Rules const& rules)
        : marked{rules.has_mules() ? 130 : 90},
          king{rules.flying_king ? (rules.king_run > 0 ? 220 : 300) : 140},
          advance{rules.first_king_wins ? 12 : 3},
          mobility{rules.jumps_only ? 30 : 2},
          guarded{rules.crowning == Crowning::far_row && !rules.one_way} {}
};

namespace detail {

// By how many rows the men of `Us` have advanced, together.
template <Colour Us, class R>
constexpr int rows_advanced(R rules, typename R::Set men) {
    int const height = rules->board.height;
    int rows = 0;
    for (int row = 0; row < height; ++row) {
        int const advanced = rules.template rises<Us>() ? height - 1 - row : row;
        rows += advanced * (men & rules.board().row(row)).count();
    }
    return rows;
}

template <Colour Us, class R>
constexpr Score value_of_side(Position<R> const& position) {
    using Set = typename R::Set;
    PieceValues const values{*position.rules};
    Set const kings = position.own_kings();
    Set men = position.own_men();
    Score score = values.king * kings.count();
    if (position.has_marks()) {
        Set const marked = position.marked(men);
        score += values.marked * marked.count();
        men = men - marked;
    }
    score += values.man * men.count();
    score += values.advance * rows_advanced<Us>(position.rules, men);
    if (values.guarded) {
        score += values.back_rank_guard * (men & position.rules.template far_row<opponent(Us)>()).count();
    }
    return score;
}

}  // namespace detail

// The position after a null move: the same with the other side to move.
template <class R>
constexpr Position<R> after_null_move(Position<R> const& position) {
    auto other = position;
    other.own = position.theirs;
    other.theirs = position.own;
    if constexpr (R::may_count_runs) {
        other.own_run = position.their_run;
        other.their_run = position.own_run;
    }
    return other;
}

// For the side to move; material counts against it where the side without a move wins.
template <Colour Us, class R>
constexpr Score evaluate_material(Position<R> const& position, bool stuck_wins) {
    auto const other = after_null_move(position);
    PieceValues const values{*position.rules};
    if (position.rules->jumps_only) {
        return values.mobility * (capturing<Us>(position).count() - capturing<opponent(Us)>(other).count());
    }
    Score score = detail::value_of_side<Us>(position) - detail::value_of_side<opponent(Us)>(other);
    score += values.mobility * (count_quiet<Us>(position) - count_quiet<opponent(Us)>(other));
    return (stuck_wins ? -score : score) + values.tempo;
}

}  // namespace crownhead::engine
