// The evaluation of quiet positions: a sum of learned weights, or a count of the material.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "crownhead/engine/features.hpp"
#include "crownhead/engine/material_evaluation.hpp"
#include "crownhead/engine/tapered_weight.hpp"

namespace crownhead::engine {

template <class R>
class Evaluator {
  public:
    // `weights` is empty, or has one for each feature; without any the material is counted.
    Evaluator(R rules, std::vector<TaperedWeight> weights) : features_{rules}, weights_{std::move(weights)} {}

    template <Colour Us>
    Score evaluate(Position<R> const& position, bool stuck_wins) const {
        if (weights_.empty()) { return evaluate_material<Us>(position, stuck_wins); }
        int opening = 0;
        int endgame = 0;
        features_.template each<Us>(position, [&](int feature, int times) {
            auto const weight = weights_[static_cast<std::size_t>(feature)];
            opening += times * weight.opening;
            endgame += times * weight.endgame;
        });
        int const max_phase = features_.numbers().max_phase;
        int const phase = features_.phase(position);
        int const sum = opening * phase + endgame * (max_phase - phase);
        // An evaluation is never taken for a win or a loss that is proven.
        return std::clamp(sum / (max_phase * weight_scale), -max_evaluation, max_evaluation);
    }

  private:
    static constexpr Score max_evaluation = 20'000;

    Features<R> features_;
    std::vector<TaperedWeight> weights_;
};

}  // namespace crownhead::engine
