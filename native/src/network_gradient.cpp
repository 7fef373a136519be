// The arithmetic of networks that learn.
#include "crownhead/engine/network_gradient.hpp"

#include <cmath>

namespace crownhead::engine {
namespace {

constexpr std::size_t first = NetworkShape::first;
constexpr std::size_t second = NetworkShape::second;
constexpr float largest_weight = 127.0F / NetworkNumbers::weight_one;

float clipped(float value) { return std::min(std::max(value, 0.0F), 1.0F); }
bool is_inside(float value) { return value > 0 && value < 1; }

template <class Whole>
Whole whole(float value, float one, float most) {
    return static_cast<Whole>(std::lround(std::clamp(value * one, -most, most)));
}

}  // namespace

void FloatNetwork::start(std::mt19937_64& rng) {
    std::normal_distribution<float> normal;
    constexpr float pieces = 14;  // on the board, in a middle-game
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
    auto& sums = activations.first;
    std::copy_n(biases(), first, sums.begin());
    for (std::size_t i = 0; i < pieces; ++i) {
        float const* const of_input = column(inputs[i]);
        for (std::size_t j = 0; j < first; ++j) { sums[j] += of_input[j]; }
    }
    for (auto& sum : sums) { sum = clipped(sum); }
    auto const phase = activations.phase = NetworkShape::phase(pieces);
    auto& behind = activations.second;
    std::copy_n(second_biases(phase), second, behind.begin());
    for (std::size_t j = 0; j < first; ++j) {
        if (sums[j] == 0) { continue; }
        float const* const sent = weights(phase, j);
        for (std::size_t k = 0; k < second; ++k) { behind[k] += sums[j] * sent[k]; }
    }
    float sum = last_bias(phase);
    for (std::size_t k = 0; k < second; ++k) {
        behind[k] = clipped(behind[k]);
        sum += behind[k] * last_weights(phase)[k];
    }
    return sum;
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
                to.weights[k][j] = whole<std::int8_t>(weights(p, j)[k], Numbers::weight_one, 127);
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
    auto const offset = [&](float const* of) { return sums_.data() + (of - network.values().data()); };
    auto const phase = activations.phase;
    std::array<float, second> behind;
    *offset(&network.last_bias(phase)) += error;
    float* const last = offset(network.last_weights(phase));
    float* const biases = offset(network.second_biases(phase));
    for (std::size_t k = 0; k < second; ++k) {
        last[k] += error * activations.second[k];
        behind[k] = is_inside(activations.second[k]) ? error * network.last_weights(phase)[k] : 0.0F;
        biases[k] += behind[k];
    }
    std::array<float, first> before;
    for (std::size_t j = 0; j < first; ++j) {
        float const value = activations.first[j];
        before[j] = 0;
        if (value == 0) { continue; }
        float const* const weights = network.weights(phase, j);
        float* const of_weights = offset(weights);
        float sum = 0;
        for (std::size_t k = 0; k < second; ++k) {
            of_weights[k] += behind[k] * value;
            sum += behind[k] * weights[k];
        }
        if (value < 1) { before[j] = sum; }
    }
    float* const first_biases = offset(network.biases());
    for (std::size_t j = 0; j < first; ++j) { first_biases[j] += before[j]; }
    for (std::size_t i = 0; i < pieces; ++i) {
        float* const column = offset(network.column(inputs[i]));
        for (std::size_t j = 0; j < first; ++j) { column[j] += before[j]; }
    }
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
