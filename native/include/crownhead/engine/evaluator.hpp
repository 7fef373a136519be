// The evaluation of quiet positions: a sum of learned weights with the correction of a network, or a count of
// the material.
#pragma once

#include <algorithm>
#include <utility>

#include "crownhead/engine/features.hpp"
#include "crownhead/engine/material_evaluation.hpp"
#include "crownhead/engine/weights.hpp"

namespace crownhead::engine {

template <class R>
class Evaluator {
  public:
    // There are no weights, or one for each feature; without any the material is counted.
    Evaluator(R rules, Weights weights) : features_{rules}, inputs_{rules}, weights_{std::move(weights)} {}

    // The network is not asked where the sum of the weights is not between `low` and `high`: so far outside
    // of the window that it would hardly change what follows.
    template <Colour Us>
    Score evaluate(Position<R> const& position, bool stuck_wins, NetworkAsker<R>& asker,
                   Score low = -infinite_score, Score high = infinite_score) const {
        if (weights_.of_features.empty()) { return evaluate_material<Us>(position, stuck_wins); }
        Score score = sum_of_weights<Us>(position);
        if (weights_.network && score > low && score < high) {
            score += asker.template correction<Us>(*weights_.network, inputs_, position);
        }
        // An evaluation is never taken for a win or a loss that is proven.
        return std::clamp(score, -max_evaluation, max_evaluation);
    }

  private:
    static constexpr Score max_evaluation = 20'000;

    template <Colour Us>
    Score sum_of_weights(Position<R> const& position) const {
        int opening = 0;
        int endgame = 0;
        features_.template each<Us>(position, [&](int feature, int times) {
            auto const weight = weights_.of_features[static_cast<std::size_t>(feature)];
            opening += times * weight.opening;
            endgame += times * weight.endgame;
        });
        int const max_phase = features_.numbers().max_phase;
        int const phase = features_.phase(position);
        int const sum = opening * phase + endgame * (max_phase - phase);
        return sum / (max_phase * weight_scale);
    }

    Features<R> features_;
    NetworkInputs<R> inputs_;
    Weights weights_;
};

}  // namespace crownhead::engine
