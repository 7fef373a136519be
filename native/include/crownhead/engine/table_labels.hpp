// Labels of training data from endgame tables, as far as no draw rule can interfere.
#pragma once

#include <algorithm>

#include "crownhead/endgame/endgames.hpp"
#include "crownhead/engine/trainer.hpp"
#include "crownhead/engine/training_sample.hpp"

namespace crownhead::engine {

// A sample does not hold the counters of its game: the game is taken to begin with its position.
template <class R>
class TableLabeller {
  public:
    explicit TableLabeller(TableLabels const& labels) : tables_{labels.tables}, within_{labels.within} {}

    // The score for the side to move, as a search gives it; nothing where it is not known or not certain.
    template <Colour Us>
    std::optional<Score> value(Position<R> const& position) const {
        if (tables_ == nullptr) { return {}; }
        int const pieces = position.occupied().count();
        if (pieces > tables_->most()) { return {}; }
        auto const found = tables_->probe(pack<Us>(position));
        if (!found) { return {}; }
        if (found->result == endgame::Result::draw) { return draw; }
        int const latest = 2 * max_ply - 1;
        if (!in_time(pieces, found->plies.value_or(endgame::longest))) { return {}; }
        int const plies = std::min(found->plies.value_or(latest), latest);
        return found->result == endgame::Result::win ? won_in(plies) : lost_in(plies);
    }

    // Whether a win so many plies ahead comes before any draw rule.
    bool in_time(int pieces, int plies) const {
        auto const number = static_cast<std::size_t>(pieces);
        return number >= within_.size() || !within_[number] || plies <= *within_[number];
    }

    // Gives a sample its proven result and score; false where there are none.
    bool relabel(Sample<R>& sample) const {
        auto const proven = sample.turn == Colour::black ? value<Colour::black>(sample.position)
                                                         : value<Colour::white>(sample.position);
        if (!proven) { return false; }
        sample.score = static_cast<std::int16_t>(*proven);
        sample.result = half_points(*proven);
        return true;
    }

    static std::uint8_t half_points(Score proven) { return proven == draw ? 1 : proven > draw ? 2 : 0; }

  private:
    endgame::Tables const* tables_;
    std::vector<std::optional<int>> const& within_;
};

}  // namespace crownhead::engine
