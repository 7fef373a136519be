// Weights, and the network behind them, out of the bytes of a file.
#include "crownhead/engine/weights.hpp"

#include <cstring>

namespace crownhead::engine {

std::optional<Weights> Weights::read(std::string_view bytes, std::size_t features, int squares) {
    if (bytes.empty()) { return Weights{}; }
    auto const of_features = features * sizeof(TaperedWeight);
    bool const has_network = bytes.size() == of_features + NetworkNumbers::size(squares);
    if (bytes.size() != of_features && !has_network) { return {}; }
    Weights weights{std::vector<TaperedWeight>(features)};
    std::memcpy(weights.of_features.data(), bytes.data(), of_features);
    if (has_network) {
        weights.network =
            std::make_shared<Network const>(NetworkNumbers::read(bytes.substr(of_features), squares));
    }
    return weights;
}

}  // namespace crownhead::engine
