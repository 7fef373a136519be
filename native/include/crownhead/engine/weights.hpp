// The learned worth of each feature, at the beginning and at the end of a game.
#pragma once

#include <algorithm>
#include <vector>

#include "crownhead/engine/control.hpp"
#include "crownhead/engine/evaluation.hpp"
#include "crownhead/engine/features.hpp"

namespace crownhead::engine {

// The value of quiet positions of one rule set: learned, or counted where nothing has been learned.
template <Rules R>
class Judge {
  public:
    // `weights` is empty, or has a pair for each feature.
    explicit Judge(std::vector<Worths> weights) : weights_{std::move(weights)} {}

    template <Colour Us>
    Score value(Position<R> const& position, bool stuck_wins) const {
        if (weights_.empty()) { return evaluate<Us>(position, stuck_wins); }
        int beginning = 0;
        int end = 0;
        Features<R>::template each<Us>(position, [&](int feature, int times) {
            auto const worth = weights_[static_cast<std::size_t>(feature)];
            beginning += times * worth.beginning;
            end += times * worth.end;
        });
        int const stage = Features<R>::stage(position);
        int const sum = beginning * stage + end * (Features<R>::stages - stage);
        // What is learned is never taken for a win or a loss that is proven.
        return std::clamp(sum / (Features<R>::stages * fineness), -most, most);
    }

  private:
    static constexpr Score most = 20'000;

    std::vector<Worths> weights_;
};

}  // namespace crownhead::engine
