// Logistic regression: weights under which the results of games were most to be expected.
#pragma once

#include <cmath>
#include <random>

#include "crownhead/engine/features.hpp"
#include "crownhead/engine/mind.hpp"
#include "crownhead/engine/sample.hpp"

namespace crownhead::engine {

// The chance to win is 1 / (1 + exp(-value · slope)). What is fitted starts from counting pieces and is
// pulled back to it, as though the worth of each window's pattern were scattered about what counting says:
// what was seldom seen stays there, what was often seen goes where the results lead. Steps are those of
// Adagrad (Duchi, Hazan, Singer 2011), each followed by the pull, which is taken at the point it leads to.
template <Rules R>
class Fitting {
    using Shape = Features<R>;
    using Samples = std::vector<Sample<R>>;

  public:
    explicit Fitting(FitOptions const& options) : options_{options}, weights_(2 * Shape::count) {
        start_from_counting();
    }

    Fitted fit(Samples const& samples, Samples const& kept) {
        slope_ = best_slope(samples);
        for (auto const& sample : samples) {
            each_weight(sample, [&](std::size_t i, float share) { weights_[i].pull += std::abs(share); });
        }
        for (std::size_t i = 0; i < weights_.size(); ++i) {
            auto& pull = weights_[i].pull;
            pull = pull > 0 ? tightness(i) / pull : 0;
        }
        Fitted fitted;
        fitted.positions = samples.size();
        fitted.counted = mean_loss(kept);
        std::vector<std::uint32_t> order(samples.size());
        for (std::size_t i = 0; i < order.size(); ++i) { order[i] = static_cast<std::uint32_t>(i); }
        std::mt19937_64 dice{options_.seed};
        for (int epoch = 0; epoch < options_.epochs; ++epoch) {
            std::ranges::shuffle(order, dice);
            double loss = 0;
            for (std::size_t i = 0; i < order.size(); ++i) {
                // They lie in memory in another order.
                if (i + ahead < order.size()) { __builtin_prefetch(&samples[order[i + ahead]]); }
                loss += learn(samples[order[i]]);
            }
            fitted.loss = loss / static_cast<double>(std::max<std::size_t>(samples.size(), 1));
        }
        fitted.unseen = mean_loss(kept);
        fitted.weights = rounded();
        return fitted;
    }

  private:
    static constexpr std::size_t ahead = 4;

    // Side by side, since they are asked for together: in no order that memory would like.
    struct Weight {
        float worth = 0;
        float prior = 0;
        float seen = 0;
        float pull = 0;
    };

    // A position between the stages has a share of both of a feature's weights.
    template <class Visit>
    static void each_weight(Sample<R> const& sample, Visit&& visit) {
        auto const& position = sample.position;
        float const stage = float(Shape::stage(position)) / float(Shape::stages);
        auto const both = [&](int feature, int times) {
            auto const i = 2 * static_cast<std::size_t>(feature);
            if (times == 0) { return; }
            if (stage > 0) { visit(i, float(times) * stage); }
            if (stage < 1) { visit(i + 1, float(times) * (1 - stage)); }
        };
        if (sample.turn == Colour::black) {
            Shape::template each<Colour::black>(position, both);
        } else {
            Shape::template each<Colour::white>(position, both);
        }
    }

    float value(Sample<R> const& sample) const {
        float sum = 0;
        each_weight(sample, [&](std::size_t i, float share) { sum += share * weights_[i].worth; });
        return sum;
    }

    static double chance(double score, double slope) { return 1 / (1 + std::exp(-score * slope)); }

    static double surprise(double expected, double result) {
        double const sure = std::clamp(expected, 1e-9, 1 - 1e-9);
        return -(result * std::log(sure) + (1 - result) * std::log(1 - sure));
    }

    // Of the results alone, whatever the fit was told.
    double mean_loss(Samples const& samples) const {
        double sum = 0;
        for (auto const& sample : samples) {
            sum += surprise(chance(double{value(sample)}, slope_), 0.5 * sample.result);
        }
        return sum / static_cast<double>(std::max<std::size_t>(samples.size(), 1));
    }

    // How strongly a weight is held: the inverse of the variance that it is expected to have, in log odds.
    float tightness(std::size_t i) const {
        bool const in_window = i < 2 * static_cast<std::size_t>(Shape::own_king);
        double const spread = (in_window ? options_.spread : 10 * options_.spread) * slope_;
        return static_cast<float>(1 / (spread * spread));
    }

    double learn(Sample<R> const& sample) {
        double const expected = chance(double{value(sample)}, slope_);
        double const result = 0.5 * sample.result;
        double const thought = chance(double(sample.score), slope_);
        double const error = expected - (options_.trust * result + (1 - options_.trust) * thought);
        auto const slope = static_cast<float>(slope_);
        each_weight(sample, [&](std::size_t i, float share) {
            float const gradient = static_cast<float>(error) * share;
            auto& weight = weights_[i];
            weight.seen += gradient * gradient;
            float const step = static_cast<float>(options_.rate) / std::sqrt(1 + weight.seen);
            float const held = step * weight.pull * std::abs(share);
            float const moved = weight.worth - step * gradient / slope;
            weight.worth = (moved + held * weight.prior) / (1 + held);
        });
        return surprise(expected, result);
    }

    // How much a hundredth of a man changes the odds, as counting pieces sees it: found by halving steps.
    double best_slope(Samples const& samples) const {
        double slope = 0.005;
        double step = 0.004;
        std::size_t const stride = std::max<std::size_t>(samples.size() / 20'000, 1);
        auto const gradient = [&](double at) {
            double sum = 0;
            for (std::size_t i = 0; i < samples.size(); i += stride) {
                double const score = double{value(samples[i])};
                sum += (0.5 * samples[i].result - chance(score, at)) * score;
            }
            return sum;
        };
        for (int i = 0; i < 12; ++i, step /= 2) {
            slope = std::max(slope + (gradient(slope) > 0 ? step : -step), 1e-4);
        }
        // Where the better side often loses, counting is a poor start, yet its sign must not turn.
        return std::max(slope, 0.0015);
    }

    void set(int feature, double worth) {
        auto const i = 2 * static_cast<std::size_t>(feature);
        for (auto* weight : {&weights_[i], &weights_[i + 1]}) {
            weight->prior = weight->worth = static_cast<float>(options_.stuck_wins ? -worth : worth);
        }
    }

    // Exactly what `evaluate` says.
    void start_from_counting() {
        set(Shape::freedom, Worth<R>::freedom);
        if constexpr (R.jumps_only) { return; }
        for (int i = 0; i < Geometry<R.board>::squares; ++i) {
            set(Shape::own_king + i, Worth<R>::king);
            set(Shape::their_king + i, -Worth<R>::king);
            if (Shape::marks) {
                set(Shape::own_mark + i, Worth<R>::marked);
                set(Shape::their_mark + i, -Worth<R>::marked);
            }
        }
        set(Shape::men, Worth<R>::man);
        set(Shape::turn, options_.stuck_wins ? -3 : 3);
        for (int window = 0; window < Shape::windows; ++window) {
            for (int pattern = 0; pattern < Shape::states; ++pattern) {
                set(window * Shape::states + pattern, counted_in(window, pattern));
            }
        }
    }

    // What counting gives for the places of the men in a window, shared with those that overlap it.
    static double counted_in(int window, int pattern) {
        constexpr int last = R.board.height - 1;
        constexpr bool guarded = R.crowning == Crowning::far_row && !R.one_way;
        double sum = 0;
        for (int k = 0; k < Shape::window_squares; ++k, pattern /= 3) {
            auto const place = Shape::place(window, k);
            double worth = 0;
            if (pattern % 3 == 1) {
                worth = Worth<R>::step * (last - place.row);
                if (guarded && place.row == last) { worth += Worth<R>::guard; }
            } else if (pattern % 3 == 2) {
                worth = -Worth<R>::step * (R.one_way ? last - place.row : place.row);
                if (guarded && place.row == 0) { worth -= Worth<R>::guard; }
            }
            sum += worth / Shape::overlap(place);
        }
        return sum;
    }

    std::vector<Worths> rounded() const {
        std::vector<Worths> weights(Shape::count);
        auto const whole = [](float value) {
            return static_cast<std::int16_t>(std::clamp(std::round(value * fineness), -32'000.0F, 32'000.0F));
        };
        for (std::size_t i = 0; i < weights.size(); ++i) {
            weights[i] = {whole(weights_[2 * i].worth), whole(weights_[2 * i + 1].worth)};
        }
        return weights;
    }

    FitOptions options_;
    double slope_ = 0.005;
    std::vector<Weight> weights_;  // of each feature at the beginning and at the end of a game
};

}  // namespace crownhead::engine
