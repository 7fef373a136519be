// What endgame tables prove of a position that is learned from, as far as no draw rule can interfere.
#pragma once

#include <algorithm>

#include "crownhead/endgame/open_tables.hpp"
#include "crownhead/engine/mind.hpp"
#include "crownhead/engine/sample.hpp"

namespace crownhead::engine {

// A position is taken to be one that a game begins with: what the counters of its game said, nobody knows.
template <Rules R>
class Proof {
  public:
    explicit Proof(Evidence const& evidence)
        : tables_{static_cast<endgame::RuleSetTables<R> const*>(evidence.tables)}, within_{evidence.within} {}

    // The value for the side to move, as a search gives it; nothing where it is not known or not certain.
    template <Colour Us>
    std::optional<Score> value(Position<R> const& position) const {
        if (tables_ == nullptr) { return {}; }
        int const pieces = position.occupied().count();
        if (pieces > tables_->most()) { return {}; }
        auto const verdict = tables_->template verdict<Us>(position);
        if (!verdict) { return {}; }
        if (verdict->result == endgame::Result::draw) { return draw; }
        int const latest = 2 * most_plies - 1;
        if (!in_time(pieces, verdict->plies.value_or(endgame::longest))) { return {}; }
        int const plies = std::min(verdict->plies.value_or(latest), latest);
        return verdict->result == endgame::Result::win ? won_in(plies) : lost_in(plies);
    }

    // Whether a win so many plies ahead comes before any draw rule.
    bool in_time(int pieces, int plies) const {
        auto const number = static_cast<std::size_t>(pieces);
        return number >= within_.size() || !within_[number] || plies <= *within_[number];
    }

    // Gives a sample its proven result and score; false where there are none.
    bool correct(Sample<R>& sample) const {
        auto const proven = sample.turn == Colour::black ? value<Colour::black>(sample.position)
                                                         : value<Colour::white>(sample.position);
        if (!proven) { return false; }
        sample.score = static_cast<std::int16_t>(*proven);
        sample.result = half_points(*proven);
        return true;
    }

    static std::uint8_t half_points(Score proven) { return proven == draw ? 1 : proven > draw ? 2 : 0; }

  private:
    endgame::RuleSetTables<R> const* tables_;
    std::vector<std::optional<int>> const& within_;
};

}  // namespace crownhead::engine
