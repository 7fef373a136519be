// Networks, their files, and their arithmetic on any processor.
#include "crownhead/engine/network.hpp"

#include <cstring>

namespace crownhead::engine {
namespace {

constexpr int second_shift = 3;  // 8128ths to 1016ths

// Calls `visit(address, bytes)` for each part of the numbers, in the order of the file.
template <class Numbers, class Visit>
void each_part(Numbers& numbers, Visit&& visit) {
    for (auto& column : numbers.columns) { visit(&column, sizeof column); }
    visit(&numbers.biases, sizeof numbers.biases);
    for (auto& phase : numbers.phases) {
        visit(&phase.weights, sizeof phase.weights);
        visit(&phase.biases, sizeof phase.biases);
        visit(&phase.last_weights, sizeof phase.last_weights);
        visit(&phase.last_bias, sizeof phase.last_bias);
    }
    visit(&numbers.scale, sizeof numbers.scale);
}

}  // namespace

std::size_t NetworkNumbers::size(int squares) {
    NetworkNumbers numbers;
    numbers.columns.resize(NetworkShape::inputs(squares));
    std::size_t sum = 0;
    each_part(numbers, [&](void const*, std::size_t bytes) { sum += bytes; });
    return sum;
}

NetworkNumbers NetworkNumbers::read(std::string_view bytes, int squares) {
    NetworkNumbers numbers;
    numbers.columns.resize(NetworkShape::inputs(squares));
    char const* at = bytes.data();
    each_part(numbers, [&](void* part, std::size_t size) {
        std::memcpy(part, at, size);
        at += size;
    });
    return numbers;
}

std::string NetworkNumbers::bytes() const {
    std::string bytes;
    each_part(*this, [&](void const* part, std::size_t size) {
        bytes.append(static_cast<char const*>(part), size);
    });
    return bytes;
}

Network::Network(NetworkNumbers const& numbers) : scale_{numbers.scale} {
    for (auto const& column : numbers.columns) { columns_.push_back({column}); }
    biases_.values = numbers.biases;
    for (std::size_t p = 0; p < phases_.size(); ++p) {
        auto const& from = numbers.phases[p];
        auto& to = phases_[p];
        for (std::size_t j = 0; j < first; ++j) {
            for (std::size_t k = 0; k < second; ++k) {
                to.weights[j / together][k][j % together] = from.weights[k][j];
            }
        }
        to.biases = from.biases;
        std::ranges::copy(from.last_weights, to.last_weights.begin());
        to.last_bias = from.last_bias;
    }
    for (std::size_t pieces = 0; pieces < number_of_phase_.size(); ++pieces) {
        number_of_phase_[pieces] = static_cast<std::uint8_t>(NetworkShape::phase(pieces, columns_.size()));
    }
}

Score Network::output(std::int32_t const* sums, Phase const& phase) const {
    std::int32_t sum = phase.last_bias;
    for (std::size_t k = 0; k < second; ++k) {
        sum += (std::clamp(sums[k], 0, NetworkNumbers::second_one) >> second_shift) * phase.last_weights[k];
    }
    return static_cast<Score>((std::int64_t{sum} * scale_) >> 32);
}

Score Network::plain_correction(Sums& sums, Changes const& changes, std::size_t pieces) const {
    auto const add = [&](std::span<std::uint16_t const> inputs, int sign) {
        for (auto const input : inputs) {
            auto const& column = columns_[input].values;
            for (std::size_t j = 0; j < first; ++j) {
                sums.values[j] = static_cast<std::int16_t>(sums.values[j] + sign * column[j]);
            }
        }
    };
    add(changes.added, 1);
    add(changes.removed, -1);
    auto const& phase = phase_of(pieces);
    auto behind = phase.biases;
    for (std::size_t j = 0; j < first; ++j) {
        int const value = std::clamp(sums.values[j] >> NetworkShape::first_shift, 0, 127);
        if (value == 0) { continue; }
        for (std::size_t k = 0; k < second; ++k) {
            behind[k] += value * phase.weights[j / together][k][j % together];
        }
    }
    return output(behind.data(), phase);
}

}  // namespace crownhead::engine
