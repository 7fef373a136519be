// The arithmetic of networks that learn; with AVX2 where the processor has it, which gives the same numbers.
#include "crownhead/engine/network_gradient.hpp"

#include <cmath>

namespace crownhead::engine {
namespace {

constexpr std::size_t first = NetworkShape::first;
constexpr std::size_t second = NetworkShape::second;
constexpr float largest_weight = 127.0F / NetworkNumbers::weight_one;

float clipped(float value) { return std::min(std::max(value, 0.0F), 1.0F); }
bool is_inside(float value) { return value > 0 && value < 1; }

// Compiled a second time for AVX2, without instructions that round once for a product and a sum.
#if defined(__x86_64__) && defined(__GNUC__)
#define CROWNHEAD_AVX2 __attribute__((target("avx2")))
#define CROWNHEAD_INLINE __attribute__((always_inline)) inline
bool const has_avx2 = __builtin_cpu_supports("avx2") != 0;
#else
#define CROWNHEAD_AVX2
#define CROWNHEAD_INLINE inline
constexpr bool has_avx2 = false;
#endif

// to += times * from
template <std::size_t count>
CROWNHEAD_INLINE void add(float* __restrict to, float const* __restrict from, float times) {
    for (std::size_t j = 0; j < count; ++j) { to[j] += times * from[j]; }
}

// The sum of products for all of the first layer, in parts that vector instructions take together.
CROWNHEAD_INLINE float product(float const* __restrict one, float const* __restrict other) {
    std::array<float, 16> parts{};
    for (std::size_t j = 0; j < first; j += parts.size()) {
        for (std::size_t part = 0; part < parts.size(); ++part) {
            parts[part] += one[j + part] * other[j + part];
        }
    }
    for (std::size_t half = parts.size() / 2; half > 0; half /= 2) {
        for (std::size_t part = 0; part < half; ++part) { parts[part] += parts[part + half]; }
    }
    return parts[0];
}

CROWNHEAD_INLINE float plain_output(FloatNetwork& network, std::uint16_t const* inputs, std::size_t pieces,
                                    Activations& activations) {
    auto& sums = activations.first;
    std::copy_n(network.biases(), first, sums.begin());
    for (std::size_t i = 0; i < pieces; ++i) { add<first>(sums.data(), network.column(inputs[i]), 1); }
    for (auto& sum : sums) { sum = clipped(sum); }
    auto const phase = activations.phase = NetworkShape::phase(pieces, network.inputs());
    auto& behind = activations.second;
    float sum = network.last_bias(phase);
    for (std::size_t k = 0; k < second; ++k) {
        behind[k] =
            clipped(network.second_biases(phase)[k] + product(sums.data(), network.weights(phase, k)));
        sum += behind[k] * network.last_weights(phase)[k];
    }
    return sum;
}

CROWNHEAD_AVX2 float fast_output(FloatNetwork& network, std::uint16_t const* inputs, std::size_t pieces,
                                 Activations& activations) {
    return plain_output(network, inputs, pieces, activations);
}

CROWNHEAD_INLINE void plain_gradient(float* sums, FloatNetwork& network, std::uint16_t const* inputs,
                                     std::size_t pieces, Activations const& activations, float error) {
    auto const offset = [&](float const* of) { return sums + (of - network.values().data()); };
    auto const phase = activations.phase;
    std::array<float, first> before{};
    *offset(&network.last_bias(phase)) += error;
    float* const last = offset(network.last_weights(phase));
    float* const biases = offset(network.second_biases(phase));
    for (std::size_t k = 0; k < second; ++k) {
        last[k] += error * activations.second[k];
        if (!is_inside(activations.second[k])) { continue; }
        float const behind = error * network.last_weights(phase)[k];
        biases[k] += behind;
        float const* const weights = network.weights(phase, k);
        add<first>(offset(weights), activations.first.data(), behind);
        add<first>(before.data(), weights, behind);
    }
    for (std::size_t j = 0; j < first; ++j) {
        before[j] = is_inside(activations.first[j]) ? before[j] : 0.0F;
    }
    add<first>(offset(network.biases()), before.data(), 1);
    for (std::size_t i = 0; i < pieces; ++i) {
        add<first>(offset(network.column(inputs[i])), before.data(), 1);
    }
}

CROWNHEAD_AVX2 void fast_gradient(float* sums, FloatNetwork& network, std::uint16_t const* inputs,
                                  std::size_t pieces, Activations const& activations, float error) {
    plain_gradient(sums, network, inputs, pieces, activations, error);
}

template <class Whole>
Whole whole(float value, float one, float most) {
    return static_cast<Whole>(std::lround(std::clamp(value * one, -most, most)));
}

}  // namespace

void FloatNetwork::start(std::mt19937_64& rng) {
    std::normal_distribution<float> normal;
    float const pieces = float(NetworkShape::full_board(inputs_)) * 7 / 12;  // on the board, in a middle-game
    for (std::size_t i = 0; i < inputs_ * first; ++i) { values_[i] = normal(rng) / std::sqrt(pieces); }
    for (std::size_t j = 0; j < first; ++j) { biases()[j] = 0.1F + 0.1F * normal(rng); }
    for (std::size_t p = 0; p < NetworkShape::phases; ++p) {
        for (std::size_t i = 0; i < first * second; ++i) {
            weights(p, 0)[i] = normal(rng) / std::sqrt(float(first));
        }
        std::fill_n(second_biases(p), second, 0.3F);
        for (std::size_t k = 0; k < second; ++k) { last_weights(p)[k] = 0.2F * normal(rng); }
        last_bias(p) = 0;
    }
    limit();
}

float FloatNetwork::output(std::uint16_t const* inputs, std::size_t pieces, Activations& activations) {
    return has_avx2 ? fast_output(*this, inputs, pieces, activations)
                    : plain_output(*this, inputs, pieces, activations);
}

void FloatNetwork::limit() {
    for (std::size_t p = 0; p < NetworkShape::phases; ++p) {
        for (std::size_t i = 0; i < first * second; ++i) {
            auto& weight = weights(p, 0)[i];
            weight = std::clamp(weight, -largest_weight, largest_weight);
        }
    }
}

NetworkNumbers FloatNetwork::rounded(float slope) {
    using Numbers = NetworkNumbers;
    constexpr float most_16 = 32'000;
    constexpr float most_32 = 1e8F;  // sums of a few of them stay within 32 bits
    Numbers numbers;
    numbers.columns.resize(inputs_);
    for (std::size_t i = 0; i < inputs_; ++i) {
        for (std::size_t j = 0; j < first; ++j) {
            numbers.columns[i][j] = whole<std::int16_t>(column(i)[j], Numbers::first_one, most_16);
        }
    }
    for (std::size_t j = 0; j < first; ++j) {
        numbers.biases[j] = whole<std::int16_t>(biases()[j], Numbers::first_one, most_16);
    }
    for (std::size_t p = 0; p < NetworkShape::phases; ++p) {
        auto& to = numbers.phases[p];
        for (std::size_t k = 0; k < second; ++k) {
            for (std::size_t j = 0; j < first; ++j) {
                to.weights[k][j] = whole<std::int8_t>(weights(p, k)[j], Numbers::weight_one, 127);
            }
            to.biases[k] = whole<std::int32_t>(second_biases(p)[k], Numbers::second_one, most_32);
            to.last_weights[k] = whole<std::int16_t>(last_weights(p)[k], Numbers::last_one, most_16);
        }
        to.last_bias = whole<std::int32_t>(last_bias(p), Numbers::first_one * Numbers::last_one, most_32);
    }
    float const hundredths = 1 / (slope * Numbers::first_one * Numbers::last_one);
    numbers.scale = whole<std::int32_t>(hundredths, 4294967296.0F, 2e9F);
    return numbers;
}

void NetworkGradient::add(FloatNetwork& network, std::uint16_t const* inputs, std::size_t pieces,
                          Activations const& activations, float error) {
    auto const add_to = has_avx2 ? fast_gradient : plain_gradient;
    add_to(sums_.data(), network, inputs, pieces, activations, error);
}

void Adam::step(FloatNetwork& network, NetworkGradient& gradient, float learning_rate,
                std::size_t positions) {
    constexpr float mean_share = 0.9F;
    constexpr float square_share = 0.999F;
    auto& values = network.values();
    auto& sums = gradient.sums();
    means_.resize(values.size());
    squares_.resize(values.size());
    ++steps_;
    float const correct_mean = 1 / (1 - std::pow(mean_share, float(steps_)));
    float const correct_square = 1 / (1 - std::pow(square_share, float(steps_)));
    float const share = 1 / float(positions);
    for (std::size_t i = 0; i < values.size(); ++i) {
        float const slope = sums[i] * share;
        means_[i] = mean_share * means_[i] + (1 - mean_share) * slope;
        squares_[i] = square_share * squares_[i] + (1 - square_share) * slope * slope;
        values[i] -=
            learning_rate * means_[i] * correct_mean / (std::sqrt(squares_[i] * correct_square) + 1e-8F);
        sums[i] = 0;
    }
    network.limit();
}

}  // namespace crownhead::engine
