// What an evaluation has learned: weights of its features, and a network beside them.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "crownhead/engine/network.hpp"
#include "crownhead/engine/tapered_weight.hpp"

namespace crownhead::engine {

struct Weights {
    std::vector<TaperedWeight> of_features;  // none: the material is counted
    std::shared_ptr<Network const> network;  // or none

    Weights() = default;
    Weights(std::vector<TaperedWeight> features, std::shared_ptr<Network const> beside = {})
        : of_features{std::move(features)}, network{std::move(beside)} {}
};

}  // namespace crownhead::engine
