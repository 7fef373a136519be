// Learning the worth of features: games of the engine with itself, and a fit to their results.
#pragma once

#include <cmath>
#include <mutex>
#include <random>

#include "crownhead/engine/mind.hpp"
#include "crownhead/engine/think.hpp"

namespace crownhead::engine {

template <Rules R>
class RuleSetLesson final : public Lesson {
    using Play = RuleSetThinker<R>;

  public:
    std::size_t features() const override { return Features<R>::count; }

    std::vector<Sample> play(std::vector<State> const& starts, std::vector<Worths> const& weights,
                             PlayOptions const& options, std::function<bool()> const& goes_on) override {
        std::vector<Sample> samples;
        std::mutex mutex;
        std::atomic<int> next{0};
        std::atomic<bool> stop{false};
        {
            std::vector<std::jthread> players;
            for (int i = 0; i < options.threads; ++i) {
                players.emplace_back([&] {
                    Play thinker{16, weights};
                    for (int game = next++; game < options.games && !stop; game = next++) {
                        auto const& start = starts[static_cast<std::size_t>(game) % starts.size()];
                        auto played = play_one(thinker, start, options, static_cast<std::uint64_t>(game));
                        std::scoped_lock const lock{mutex};
                        samples.insert(samples.end(), played.begin(), played.end());
                    }
                });
            }
            while (next < options.games && !stop) {
                std::this_thread::sleep_for(std::chrono::milliseconds{50});
                if (goes_on && !goes_on()) { stop = true; }
            }
        }
        return samples;
    }

    std::pair<std::vector<Worths>, double> fit(std::vector<Sample> const& samples,
                                               FitOptions const& options) override {
        std::vector<double> values(2 * Features<R>::count);
        start_from_counting(values);
        auto const prior = values;
        std::vector<float> seen(values.size(), 1e-3F);
        double const slope = best_slope(samples, values);
        std::vector<std::uint32_t> order(samples.size());
        for (std::size_t i = 0; i < order.size(); ++i) { order[i] = static_cast<std::uint32_t>(i); }
        std::mt19937_64 dice{options.seed};
        double loss = 0;
        for (int epoch = 0; epoch < options.epochs; ++epoch) {
            std::ranges::shuffle(order, dice);
            loss = 0;
            for (auto i : order) { loss += learn(samples[i], values, prior, seen, slope, options); }
            loss /= static_cast<double>(std::max<std::size_t>(samples.size(), 1));
        }
        std::vector<Worths> weights(Features<R>::count);
        auto const rounded = [](double value) {
            return static_cast<std::int16_t>(std::clamp(std::round(value * fineness), -32'000.0, 32'000.0));
        };
        for (std::size_t i = 0; i < weights.size(); ++i) {
            weights[i] = {rounded(values[2 * i]), rounded(values[2 * i + 1])};
        }
        return {weights, loss};
    }

  private:
    static std::vector<Sample> play_one(Play& thinker, State const& start, PlayOptions const& options,
                                        std::uint64_t number) {
        std::mt19937_64 dice{options.seed * 1'000'003 + number};
        std::vector<Sample> samples;
        std::vector<State> game{start};
        int const random = static_cast<int>(dice() % static_cast<std::uint64_t>(options.random_plies + 1));
        thinker.forget();
        for (int ply = 0; ply < 400; ++ply) {
            if (auto const result = result_of(game, options)) {
                for (auto& sample : samples) {
                    bool const same = sample.state.turn == game.back().turn;
                    sample.result = static_cast<std::uint8_t>(same ? *result : 2 - *result);
                }
                return samples;
            }
            auto next = ply < random ? any_move(game.back(), dice) : best_move(thinker, game, options);
            if (ply >= random && is_quiet(game.back())) { samples.push_back({game.back(), 1}); }
            bool const progress = next.second;
            if (progress) { game.clear(); }
            game.push_back(next.first);
        }
        for (auto& sample : samples) { sample.result = 1; }
        return samples;
    }

    template <class Act>
    static auto as_mover(State const& state, Act&& act) {
        auto const position = Play::unpack(state);
        return state.turn == Colour::black ? act.template operator()<Colour::black>(position)
                                           : act.template operator()<Colour::white>(position);
    }

    // Half points of the side to move, once the game is over.
    static std::optional<int> result_of(std::vector<State> const& game, PlayOptions const& options) {
        auto const& now = game.back();
        auto const ended = as_mover(now, [&]<Colour Us>(Position<R> const& position) -> std::optional<int> {
            if constexpr (R.has_mules() || R.first_king_wins) {
                if (auto const decision = decide<Us>(position); decision.cause != Cause::none) {
                    return decision.mover_wins ? 2 : 0;
                }
            }
            if (capturing<Us>(position).empty() && !any_quiet<Us>(position)) {
                return options.stuck_wins ? 2 : 0;
            }
            return std::nullopt;
        });
        if (ended) { return ended; }
        if (static_cast<int>(game.size()) > options.drawn_after) { return 1; }
        if (std::ranges::count(game, now) >= 3) { return 1; }
        return std::nullopt;
    }

    static bool is_quiet(State const& state) {
        return as_mover(state, []<Colour Us>(Position<R> const& position) {
            return capturing<Us>(position).empty() && capturing<opponent(Us)>(passed(position)).empty();
        });
    }

    // The position after a move, and whether it made progress.
    static std::pair<State, bool> any_move(State const& state, std::mt19937_64& dice) {
        return as_mover(state, [&]<Colour Us>(Position<R> const& position) {
            Arena<R> arena;
            typename Arena<R>::List list{arena};
            find_candidates<Us>(position, capturing<Us>(position), list);
            auto const& move = list[static_cast<int>(dice() % static_cast<std::uint64_t>(list.count()))];
            return std::pair{Play::template pack<opponent(Us)>(move.next), move.progress()};
        });
    }

    static std::pair<State, bool> best_move(Play& thinker, std::vector<State> const& game,
                                            PlayOptions const& options) {
        Limits limits;
        limits.nodes = options.nodes;
        limits.drawn_after = options.drawn_after;
        Control control{limits, {}};
        auto const report = thinker.think(game, options.stuck_wins, control, {});
        auto const& step = report.lines.front().steps.front();
        return as_mover(game.back(), [&]<Colour Us>(Position<R> const& position) {
            Arena<R> arena;
            typename Arena<R>::List list{arena};
            find_candidates<Us>(position, capturing<Us>(position), list);
            int chosen = 0;
            for (int i = 0; i < list.count(); ++i) {
                auto const found = Play::step_of(position, list[i]);
                if (found.origin == step.origin && found.target == step.target &&
                    found.captures == step.captures) {
                    chosen = i;
                }
            }
            return std::pair{Play::template pack<opponent(Us)>(list[chosen].next), list[chosen].progress()};
        });
    }

    static void start_from_counting(std::vector<double>& values) {
        auto const set = [&](int feature, double beginning, double end) {
            values[2 * static_cast<std::size_t>(feature)] = beginning;
            values[2 * static_cast<std::size_t>(feature) + 1] = end;
        };
        for (int i = 0; i < Geometry<R.board>::squares; ++i) {
            set(Features<R>::own_king + i, Worth<R>::king, Worth<R>::king);
            set(Features<R>::their_king + i, -Worth<R>::king, -Worth<R>::king);
            if (Features<R>::marks) {
                set(Features<R>::own_mark + i, Worth<R>::marked, Worth<R>::marked);
                set(Features<R>::their_mark + i, -Worth<R>::marked, -Worth<R>::marked);
            }
        }
        set(Features<R>::men, Worth<R>::man, Worth<R>::man);
        set(Features<R>::turn, 3, 3);
    }

    // Calls `visit(index of the weight, share)`; a position between the stages has a share of both.
    template <class Visit>
    static void each_weight(State const& state, Visit&& visit) {
        as_mover(state, [&]<Colour Us>(Position<R> const& position) {
            double const stage = double(Features<R>::stage(position)) / Features<R>::stages;
            Features<R>::template each<Us>(position, [&](int feature, int times) {
                visit(2 * static_cast<std::size_t>(feature), times * stage);
                visit(2 * static_cast<std::size_t>(feature) + 1, times * (1 - stage));
            });
            return 0;
        });
    }

    static double value(Sample const& sample, std::vector<double> const& values) {
        double sum = 0;
        each_weight(sample.state, [&](std::size_t i, double share) { sum += share * values[i]; });
        return sum;
    }

    static double chance(double score, double slope) { return 1 / (1 + std::exp(-score * slope)); }

    // How much a hundredth of a man changes the odds, as counting pieces sees it: found by halving steps.
    static double best_slope(std::vector<Sample> const& samples, std::vector<double> const& values) {
        double slope = 0.005;
        double step = 0.004;
        auto const gradient = [&](double at) {
            double sum = 0;
            std::size_t const stride = std::max<std::size_t>(samples.size() / 20'000, 1);
            for (std::size_t i = 0; i < samples.size(); i += stride) {
                double const score = value(samples[i], values);
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

    static double learn(Sample const& sample, std::vector<double>& values, std::vector<double> const& prior,
                        std::vector<float>& seen, double slope, FitOptions const& options) {
        double const expected = chance(value(sample, values), slope);
        double const result = 0.5 * sample.result;
        double const error = expected - result;
        each_weight(sample.state, [&](std::size_t i, double share) {
            if (share == 0) { return; }
            double const gradient = error * share + options.decay * (values[i] - prior[i]);
            seen[i] += static_cast<float>(gradient * gradient);
            values[i] -= 8 * options.rate * gradient / std::sqrt(double{seen[i]});
        });
        double const sure = std::clamp(expected, 1e-9, 1 - 1e-9);
        return -(result * std::log(sure) + (1 - result) * std::log(1 - sure));
    }
};

// What the engine can do with the positions of one rule set.
template <Rules R>
inline constexpr Mind mind{
    Features<R>::count,
    [](std::size_t megabytes, std::vector<Worths> weights) -> std::unique_ptr<Thinker> {
        return std::make_unique<RuleSetThinker<R>>(megabytes, std::move(weights));
    },
    []() -> std::unique_ptr<Lesson> { return std::make_unique<RuleSetLesson<R>>(); },
};

}  // namespace crownhead::engine
