// The scores of endgame tables, as a search takes them.
#pragma once

#include <algorithm>
#include <optional>

#include "crownhead/endgame/endgames.hpp"
#include "crownhead/engine/score.hpp"
#include "crownhead/state.hpp"

namespace crownhead::engine {

class TableScores {
  public:
    TableScores() = default;
    explicit TableScores(endgame::Tables const* tables)
        : tables_{tables}, most_{tables == nullptr ? 0 : tables->most()} {}

    // No position of more pieces is looked up.
    int most() const { return most_; }

    // The root, of so many pieces, is won or lost by tables that know no distances. A table to which all wins
    // are alike shows no way to the end of the game: where nothing has changed since the root, the search
    // goes on, and where nothing has been taken, it does not even ask, which takes several times as long as
    // a node.
    void search_for_progress(endgame::Result root, int pieces) {
        root_ = root;
        most_ = pieces - 1;
    }

    // Whether the score of a position is known. A win that takes more plies than `in_time`, so that a draw
    // rule may overtake it, or whose distance is not known, is no forced one; still, the sooner it comes the
    // better. Where the result alone is outside of the window the distance is not looked for, except for the
    // moves of the root; the score is a bound then. Behind those moves nothing can be taken.
    template <Colour Us, class R>
    bool score(Position<R> const& position, typename R::Set origins, Score alpha, Score beta, int ply,
               int in_time, Score& score) const {
        auto const state = pack<Us>(position);
        int const latest = 2 * max_ply - 1 - ply;
        if (ply > 1) {
            auto const result = tables_->quiet_result(state);
            if (!result) { return false; }
            Score const least = table_win_score - ply - latest;
            score = *result == endgame::Result::draw  ? draw
                    : *result == endgame::Result::win ? least
                                                      : -least;
            bool const decides =
                score == draw || score >= std::max(beta, draw) || score <= std::min(alpha, draw);
            if (decides && !is_that_of_root(*result, ply)) { return true; }
        }
        auto const found = origins.empty() ? tables_->probe_quiet(state) : tables_->probe(state);
        if (!found || (!found->plies && is_that_of_root(found->result, ply))) { return false; }
        if (found->result == endgame::Result::draw) {
            score = draw;
            return true;
        }
        int const plies = std::min(found->plies.value_or(latest), latest);
        Score const base = found->plies == plies && plies <= in_time ? win_score : table_win_score;
        score = found->result == endgame::Result::win ? base - ply - plies : ply + plies - base;
        return true;
    }

  private:
    bool is_that_of_root(endgame::Result result, int ply) const {
        if (!root_ || result == endgame::Result::draw) { return false; }
        return (result == *root_) == (ply % 2 == 0);
    }

    endgame::Tables const* tables_ = nullptr;
    int most_ = 0;
    std::optional<endgame::Result> root_;
};

}  // namespace crownhead::engine
