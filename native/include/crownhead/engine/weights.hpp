// What an evaluation has learned: weights of its features, and a network beside them.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
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

    // From what a file holds: no bytes, or a pair of 16-bit numbers, low byte first, for each of so many
    // features, and behind them perhaps a network for a board of so many squares. None where the bytes are of
    // another length.
    static std::optional<Weights> read(std::string_view bytes, std::size_t features, int squares);
};

}  // namespace crownhead::engine
