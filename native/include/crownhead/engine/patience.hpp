// How much of its soft time limit a search takes.
#pragma once

#include <algorithm>
#include <array>

#include "crownhead/engine/searcher.hpp"

namespace crownhead::engine {

// A best move that stays iteration after iteration will hardly change any more: the rest of the time is
// better spent on other moves of the game. One that has just changed, or whose score has fallen, is worth
// more.
class Patience {
  public:
    // The best line of an iteration.
    void see(Line const& line) {
        bool const same = !line.moves.empty() && line.moves.front() == move_;
        unchanged_ = same ? unchanged_ + 1 : 0;
        fallen_ = same && line.score <= score_ - fall;
        if (!line.moves.empty()) { move_ = line.moves.front(); }
        score_ = line.score;
    }

    // Times the soft limit.
    double factor() const {
        constexpr std::array by_unchanged{1.5, 1.3, 1.1, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5};
        auto const at = std::min(static_cast<std::size_t>(unchanged_), by_unchanged.size() - 1);
        return by_unchanged[at] * (fallen_ ? after_fall : 1.0);
    }

  private:
    static constexpr Score fall = 15;  // hundredths of a man from one iteration to the next
    static constexpr double after_fall = 1.5;

    PvMove move_{};
    Score score_ = 0;
    int unchanged_ = 0;  // iterations
    bool fallen_ = false;
};

}  // namespace crownhead::engine
