// A network while it learns, in floating point: its output, its gradient, and the steps of Adam.
#pragma once

#include <random>
#include <vector>

#include "crownhead/engine/network.hpp"

namespace crownhead::engine {

// What the neurons of both layers have given for one position.
struct Activations {
    std::array<float, NetworkShape::first> first;
    std::array<float, NetworkShape::second> second;
    std::size_t phase;
};

// All numbers lie one after another, so that the steps of Adam need not know what they are.
class FloatNetwork {
  public:
    static constexpr std::size_t first = NetworkShape::first;
    static constexpr std::size_t second = NetworkShape::second;

    explicit FloatNetwork(std::size_t inputs) : inputs_{inputs}, values_(phase_at(NetworkShape::phases)) {}

    std::size_t size() const { return values_.size(); }
    std::size_t inputs() const { return inputs_; }
    std::vector<float>& values() { return values_; }
    float* column(std::size_t input) { return values_.data() + input * first; }
    float* biases() { return values_.data() + inputs_ * first; }
    // Of the weights of the second layer: those of one of its neurons for all of the first.
    float* weights(std::size_t phase, std::size_t to) {
        return values_.data() + phase_at(phase) + to * first;
    }
    float* second_biases(std::size_t phase) { return weights(phase, second); }
    float* last_weights(std::size_t phase) { return second_biases(phase) + second; }
    float& last_bias(std::size_t phase) { return *(last_weights(phase) + second); }

    // Random numbers, the same of the same generator.
    void start(std::mt19937_64& rng);
    // The output for a position, in log odds; what leads to it is left in `activations`.
    float output(std::uint16_t const* inputs, std::size_t pieces, Activations& activations);
    // Keeps the weights of the second layer where 8 bits can hold them.
    void limit();
    // In fixed point; `slope` is the log odds of a hundredth of a man.
    NetworkNumbers rounded(float slope);

  private:
    static constexpr std::size_t phase_size = first * second + 2 * second + 1;

    std::size_t phase_at(std::size_t phase) const { return (inputs_ + 1) * first + phase * phase_size; }

    std::size_t inputs_;
    std::vector<float> values_;
};

// The gradient of the loss, of the same shape.
class NetworkGradient {
  public:
    explicit NetworkGradient(std::size_t size) : sums_(size) {}

    // Adds that of a position where the output is wrong by `error`.
    void add(FloatNetwork& network, std::uint16_t const* inputs, std::size_t pieces,
             Activations const& activations, float error);
    std::vector<float>& sums() { return sums_; }

  private:
    std::vector<float> sums_;
};

class Adam {
  public:
    std::size_t steps() const { return steps_; }
    // A step against the mean gradient of so many positions, which begins at 0 again.
    void step(FloatNetwork& network, NetworkGradient& gradient, float learning_rate, std::size_t positions);

  private:
    std::size_t steps_ = 0;
    std::vector<float> means_;
    std::vector<float> squares_;
};

}  // namespace crownhead::engine
