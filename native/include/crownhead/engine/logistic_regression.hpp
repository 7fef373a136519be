// Fits the weights of the evaluation to training data by logistic regression (Buro 1995; Texel tuning).
#pragma once

#include <cmath>
#include <random>

#include "crownhead/engine/features.hpp"
#include "crownhead/engine/trainer.hpp"
#include "crownhead/engine/training_sample.hpp"

namespace crownhead::engine {

// The probability of a win is taken as 1 / (1 + exp(-evaluation · slope)). The weights start from the
// material evaluation, or from weights that are given, which are also the mean of their normal prior (L2
// regularisation): a pattern that is seldom seen stays there, one that is often seen goes where the labels
// lead. Stochastic gradient descent
// with the steps of AdaGrad (Duchi, Hazan, Singer 2011), each followed by the proximal step of the penalty.
template <class R>
class LogisticRegression {
    using Samples = std::vector<Sample<R>>;

  public:
    LogisticRegression(R rules, FitOptions const& options)
        : rules_{*rules}, features_{rules}, options_{options}, weights_(2 * count()) {
        start_from_material();
    }

    FitResult fit(Samples const& training_set, Samples const& validation_set) {
        slope_ = best_slope(training_set);
        FitResult result;
        result.positions = training_set.size();
        result.material_loss = mean_loss(validation_set);
        if (!options_.prior.empty()) {
            start_from(options_.prior);
            slope_ = best_slope(training_set);
        }
        for (auto const& sample : training_set) {
            each_weight(sample, [&](std::size_t i, float share) { weights_[i].penalty += std::abs(share); });
        }
        for (std::size_t i = 0; i < weights_.size(); ++i) {
            auto& penalty = weights_[i].penalty;
            penalty = penalty > 0 ? prior_precision(i) / penalty : 0;
        }
        std::vector<std::uint32_t> order(training_set.size());
        for (std::size_t i = 0; i < order.size(); ++i) { order[i] = static_cast<std::uint32_t>(i); }
        std::mt19937_64 rng{options_.seed};
        for (int epoch = 0; epoch < options_.epochs; ++epoch) {
            std::ranges::shuffle(order, rng);
            double loss = 0;
            for (std::size_t i = 0; i < order.size(); ++i) {
                // Shuffled, they are read from memory in no order that it could foresee.
                if (i + prefetch_distance < order.size()) {
                    __builtin_prefetch(&training_set[order[i + prefetch_distance]]);
                }
                loss += update(training_set[order[i]]);
            }
            result.training_loss = loss / static_cast<double>(std::max<std::size_t>(training_set.size(), 1));
        }
        result.validation_loss = mean_loss(validation_set);
        result.weights = rounded();
        return result;
    }

  private:
    static constexpr std::size_t prefetch_distance = 4;

    FeatureNumbers const& numbers() const { return features_.numbers(); }
    std::size_t count() const { return static_cast<std::size_t>(numbers().count); }

    // One struct, hence one cache line: weights are visited in no order.
    struct Weight {
        float value = 0;
        float prior = 0;
        float squared_gradients = 0;
        float penalty = 0;
    };

    // Tapered evaluation: a position has a share of both of a feature's weights, by its phase.
    template <class Visit>
    void each_weight(Sample<R> const& sample, Visit&& visit) const {
        auto const& position = sample.position;
        float const phase = float(features_.phase(position)) / float(numbers().max_phase);
        auto const both = [&](int feature, int times) {
            auto const i = 2 * static_cast<std::size_t>(feature);
            if (times == 0) { return; }
            if (phase > 0) { visit(i, float(times) * phase); }
            if (phase < 1) { visit(i + 1, float(times) * (1 - phase)); }
        };
        if (sample.turn == Colour::black) {
            features_.template each<Colour::black>(position, both);
        } else {
            features_.template each<Colour::white>(position, both);
        }
    }

    float evaluate(Sample<R> const& sample) const {
        float sum = 0;
        each_weight(sample, [&](std::size_t i, float share) { sum += share * weights_[i].value; });
        return sum;
    }

    static double win_probability(double score, double slope) { return 1 / (1 + std::exp(-score * slope)); }

    static double cross_entropy(double expected, double result) {
        double const sure = std::clamp(expected, 1e-9, 1 - 1e-9);
        return -(result * std::log(sure) + (1 - result) * std::log(1 - sure));
    }

    // Of the results alone, whatever the share of the scores in the target.
    double mean_loss(Samples const& samples) const {
        double sum = 0;
        for (auto const& sample : samples) {
            sum += cross_entropy(win_probability(double{evaluate(sample)}, slope_), 0.5 * sample.result);
        }
        return sum / static_cast<double>(std::max<std::size_t>(samples.size(), 1));
    }

    // The inverse of the variance that the prior gives a weight, in log odds.
    float prior_precision(std::size_t i) const {
        bool const in_window = i < 2 * static_cast<std::size_t>(numbers().own_king);
        double const prior_deviation =
            (in_window ? options_.prior_deviation : 10 * options_.prior_deviation) * slope_;
        return static_cast<float>(1 / (prior_deviation * prior_deviation));
    }

    double update(Sample<R> const& sample) {
        double const expected = win_probability(double{evaluate(sample)}, slope_);
        double const result = 0.5 * sample.result;
        double const searched = win_probability(double(sample.score), slope_);
        double const error =
            expected - (options_.result_weight * result + (1 - options_.result_weight) * searched);
        auto const slope = static_cast<float>(slope_);
        each_weight(sample, [&](std::size_t i, float share) {
            float const gradient = static_cast<float>(error) * share;
            auto& weight = weights_[i];
            weight.squared_gradients += gradient * gradient;
            float const step =
                static_cast<float>(options_.learning_rate) / std::sqrt(1 + weight.squared_gradients);
            float const held = step * weight.penalty * std::abs(share);
            float const moved = weight.value - step * gradient / slope;
            weight.value = (moved + held * weight.prior) / (1 + held);
        });
        return cross_entropy(expected, result);
    }

    // How much a hundredth of a man of the evaluation so far changes the log odds: found by halving steps.
    double best_slope(Samples const& training_set) const {
        double slope = 0.005;
        double step = 0.004;
        std::size_t const stride = std::max<std::size_t>(training_set.size() / 20'000, 1);
        auto const gradient = [&](double at) {
            double sum = 0;
            for (std::size_t i = 0; i < training_set.size(); i += stride) {
                double const score = double{evaluate(training_set[i])};
                sum += (0.5 * training_set[i].result - win_probability(score, at)) * score;
            }
            return sum;
        };
        for (int i = 0; i < 12; ++i, step /= 2) {
            slope = std::max(slope + (gradient(slope) > 0 ? step : -step), 1e-4);
        }
        // Where the better side often loses, material is a poor start, but its sign must not turn.
        return std::max(slope, 0.0015);
    }

    void set(int feature, double value) {
        auto const i = 2 * static_cast<std::size_t>(feature);
        for (auto* weight : {&weights_[i], &weights_[i + 1]}) {
            weight->prior = weight->value = static_cast<float>(options_.stuck_wins ? -value : value);
        }
    }

    // As many weights as there are features.
    void start_from(std::vector<TaperedWeight> const& given) {
        for (std::size_t i = 0; i < given.size(); ++i) {
            auto const set_to = [&](Weight& weight, int value) {
                weight.prior = weight.value = float(value) / float(weight_scale);
            };
            set_to(weights_[2 * i], given[i].opening);
            set_to(weights_[2 * i + 1], given[i].endgame);
        }
    }

    // The weights that give exactly `evaluate_material`.
    void start_from_material() {
        auto const& of = numbers();
        set(of.mobility, values_.mobility);
        if (rules_.jumps_only) { return; }
        for (int i = 0; i < of.their_king - of.own_king; ++i) {
            set(of.own_king + i, values_.king);
            set(of.their_king + i, -values_.king);
        }
        for (int i = 0; i < of.their_mark - of.own_mark; ++i) {
            set(of.own_mark + i, values_.marked);
            set(of.their_mark + i, -values_.marked);
        }
        set(of.men, values_.man);
        set(of.tempo, options_.stuck_wins ? -values_.tempo : values_.tempo);
        for (int window = 0; window < of.windows; ++window) {
            for (int pattern = 0; pattern < of.patterns; ++pattern) {
                set(window * of.patterns + pattern, material_in(window, pattern));
            }
        }
    }

    // The share of a window in the material evaluation of its men; windows that overlap share each square.
    double material_in(int window, int pattern) const {
        int const last = rules_.board.height - 1;
        double sum = 0;
        for (int k = 0; k < numbers().window_squares; ++k, pattern /= 3) {
            auto const place = numbers().place(window, k);
            double value = 0;
            if (pattern % 3 == 1) {
                value = values_.advance * (last - place.row);
                if (values_.guarded && place.row == last) { value += values_.back_rank_guard; }
            } else if (pattern % 3 == 2) {
                value = -values_.advance * (rules_.one_way ? last - place.row : place.row);
                if (values_.guarded && place.row == 0) { value -= values_.back_rank_guard; }
            }
            sum += value / numbers().overlap(place);
        }
        return sum;
    }

    std::vector<TaperedWeight> rounded() const {
        std::vector<TaperedWeight> weights(count());
        auto const whole = [](float value) {
            return static_cast<std::int16_t>(
                std::clamp(std::round(value * weight_scale), -32'000.0F, 32'000.0F));
        };
        for (std::size_t i = 0; i < weights.size(); ++i) {
            weights[i] = {whole(weights_[2 * i].value), whole(weights_[2 * i + 1].value)};
        }
        return weights;
    }

    Rules const& rules_;
    Features<R> features_;
    PieceValues values_{rules_};
    FitOptions options_;
    double slope_ = 0.005;
    std::vector<Weight> weights_;  // of each feature: opening, endgame
};

}  // namespace crownhead::engine
