// Fits a network to training data, beside weights that stay as they are.
#pragma once

#include <cmath>
#include <random>

#include "crownhead/engine/evaluator.hpp"
#include "crownhead/engine/network_gradient.hpp"
#include "crownhead/engine/trainer.hpp"
#include "crownhead/engine/training_sample.hpp"

namespace crownhead::engine {

// The probability of a win is taken as 1 / (1 + exp(-slope · sum of the weights - network)); the target is as
// in the fit of the weights. Mini-batches with Adam (Kingma, Ba 2015) and a step that falls along a cosine
// (Loshchilov, Hutter 2017). One thread, and the same numbers every time on one kind of processor.
template <class R>
class NetworkFit {
    using Samples = std::vector<Sample<R>>;

  public:
    NetworkFit(R rules, NetworkFitOptions const& options)
        : evaluator_{rules, options.weights},
          inputs_{rules},
          options_{options},
          numbers_{NetworkShape::inputs(rules.board().squares)},
          gradient_{numbers_.size()} {}

    NetworkFitResult fit(Samples const& training_set, Samples const& validation_set) {
        auto const training = examples_of(training_set);
        auto const validation = examples_of(validation_set);
        slope_ = best_slope(training);
        NetworkFitResult result;
        result.positions = training.size();
        result.loss_without = mean_loss(validation, false);
        std::mt19937_64 rng{options_.seed};
        numbers_.start(rng);
        std::vector<std::uint32_t> order(training.size());
        for (std::size_t i = 0; i < order.size(); ++i) { order[i] = static_cast<std::uint32_t>(i); }
        auto const batches = training.size() / batch_size;
        steps_ = std::max<std::size_t>(batches * static_cast<std::size_t>(options_.epochs), 1);
        for (int epoch = 0; epoch < options_.epochs; ++epoch) {
            std::ranges::shuffle(order, rng);
            for (std::size_t batch = 0; batch < batches; ++batch) {
                for (std::size_t i = 0; i < batch_size; ++i) {
                    learn_from(training[order[batch * batch_size + i]]);
                }
                adam_.step(numbers_, gradient_, learning_rate(), batch_size);
            }
        }
        result.loss = mean_loss(validation, true);
        result.network = numbers_.rounded(slope_).bytes();
        return result;
    }

  private:
    static constexpr std::size_t batch_size = 2048;

    struct Example {
        std::size_t first_input;  // where its inputs begin
        std::uint8_t pieces;
        std::uint8_t result;
        std::int16_t score;
        std::int16_t base;  // the sum of the weights
    };

    // The inputs of all examples lie behind one another.
    std::vector<Example> examples_of(Samples const& samples) {
        std::vector<Example> examples(samples.size());
        typename NetworkInputs<R>::List list;
        NetworkAsker<R> asker;
        for (std::size_t i = 0; i < samples.size(); ++i) {
            auto const& sample = samples[i];
            auto const fill = [&]<Colour Us>() {
                auto& example = examples[i];
                auto const pieces = inputs_.template list<Us>(sample.position, list);
                example.first_input = inputs_of_all_.size();
                inputs_of_all_.insert(inputs_of_all_.end(), list.begin(), list.begin() + pieces);
                example.pieces = static_cast<std::uint8_t>(pieces);
                example.base = static_cast<std::int16_t>(
                    evaluator_.template evaluate<Us>(sample.position, options_.stuck_wins, asker));
                example.result = sample.result;
                example.score = sample.score;
            };
            if (sample.turn == Colour::black) {
                fill.template operator()<Colour::black>();
            } else {
                fill.template operator()<Colour::white>();
            }
        }
        return examples;
    }

    std::uint16_t const* inputs_of(Example const& example) const {
        return inputs_of_all_.data() + example.first_input;
    }

    static float probability(float log_odds) { return 1 / (1 + std::exp(-log_odds)); }

    float target(Example const& example) const {
        auto const weight = static_cast<float>(options_.result_weight);
        float const searched = probability(slope_ * float(example.score));
        return weight * 0.5F * float(example.result) + (1 - weight) * searched;
    }

    void learn_from(Example const& example) {
        float const log_odds =
            slope_ * float(example.base) + numbers_.output(inputs_of(example), example.pieces, activations_);
        float const error = probability(log_odds) - target(example);
        gradient_.add(numbers_, inputs_of(example), example.pieces, activations_, error);
    }

    float learning_rate() const {
        constexpr float pi = 3.14159265F;
        float const done = float(adam_.steps()) / float(steps_);
        return static_cast<float>(options_.learning_rate) * (0.505F + 0.495F * std::cos(pi * done));
    }

    double mean_loss(std::vector<Example> const& examples, bool with_network) {
        double sum = 0;
        for (auto const& example : examples) {
            float log_odds = slope_ * float(example.base);
            if (with_network) {
                log_odds += numbers_.output(inputs_of(example), example.pieces, activations_);
            }
            double const expected = std::clamp(double{probability(log_odds)}, 1e-9, 1 - 1e-9);
            double const wanted = double{target(example)};
            sum -= wanted * std::log(expected) + (1 - wanted) * std::log(1 - expected);
        }
        return sum / static_cast<double>(std::max<std::size_t>(examples.size(), 1));
    }

    // The log odds of a hundredth of a man that predict the results of games best.
    static float best_slope(std::vector<Example> const& examples) {
        double low = 0.001;
        double high = 0.03;
        auto const stride = std::max<std::size_t>(examples.size() / 50'000, 1);
        auto const gradient = [&](double slope) {
            double sum = 0;
            for (std::size_t i = 0; i < examples.size(); i += stride) {
                auto const base = static_cast<double>(examples[i].base);
                sum += (0.5 * examples[i].result - 1 / (1 + std::exp(-slope * base))) * base;
            }
            return sum;
        };
        for (int i = 0; i < 12; ++i) {
            double const middle = (low + high) / 2;
            (gradient(middle) > 0 ? low : high) = middle;
        }
        return static_cast<float>((low + high) / 2);
    }

    Evaluator<R> evaluator_;
    NetworkInputs<R> inputs_;
    std::vector<std::uint16_t> inputs_of_all_;
    NetworkFitOptions options_;
    FloatNetwork numbers_;
    NetworkGradient gradient_;
    Adam adam_;
    Activations activations_;
    float slope_ = 0.005F;
    std::size_t steps_ = 1;
};

}  // namespace crownhead::engine
