// Games of the engine with itself, for their positions.
#pragma once

#include <mutex>
#include <random>

#include "crownhead/engine/mind.hpp"
#include "crownhead/engine/proof.hpp"
#include "crownhead/engine/sample.hpp"
#include "crownhead/engine/think.hpp"

namespace crownhead::engine {

template <Rules R>
class SelfPlay {
    using Play = RuleSetThinker<R>;

  public:
    SelfPlay(std::vector<State> const& starts, std::vector<Worths> const& weights, PlayOptions const& options)
        : starts_{starts},
          weights_{weights},
          options_{options},
          proof_{options.evidence},
          games_(static_cast<std::size_t>(options.games)) {}

    // The positions of all games, one game after another, however many threads have played them.
    std::string run(std::function<bool()> const& goes_on) {
        std::atomic<int> next{0};
        std::atomic<int> over{0};
        std::atomic<bool> stop{false};
        {
            std::vector<std::jthread> players;
            for (int i = 0; i < options_.threads; ++i) {
                players.emplace_back([&] {
                    Play thinker{megabytes, weights_};
                    for (int game = next++; game < options_.games && !stop; game = next++) {
                        play_one(thinker, game);
                        ++over;
                    }
                });
            }
            while (over < options_.games && !stop) {
                std::this_thread::sleep_for(std::chrono::milliseconds{20});
                if (goes_on && !goes_on()) { stop = true; }
            }
        }
        std::string bytes;
        for (auto const& game : games_) { bytes += game; }
        return bytes;
    }

    // What the side to move of a position that is over has scored, in half points.
    static std::optional<int> ending_of(State const& state, bool stuck_wins) {
        return as_mover(state, [&]<Colour Us>(Position<R> const& position) -> std::optional<int> {
            if constexpr (R.has_mules() || R.first_king_wins) {
                if (auto const decision = decide<Us>(position); decision.cause != Cause::none) {
                    return decision.mover_wins ? 2 : 0;
                }
            }
            if (capturing<Us>(position).empty() && !any_quiet<Us>(position)) { return stuck_wins ? 2 : 0; }
            return std::nullopt;
        });
    }

  private:
    static constexpr std::size_t megabytes = 1;  // enough for a short search, and soon forgotten
    static constexpr int most_moves = 300;
    static constexpr int fewest_random = 2;
    static constexpr int stale = 12;  // plies without progress after which positions tell nothing new

    struct Made {
        State state;
        bool progress;
        Score score;
    };

    void play_one(Play& thinker, int number) {
        std::mt19937_64 dice{options_.seed * 1'000'003 + static_cast<std::uint64_t>(number)};
        std::vector<State> game{starts_[static_cast<std::size_t>(number) % starts_.size()]};
        std::vector<Sample<R>> samples;
        thinker.forget();
        int const random = random_plies(dice);
        std::optional<int> result;
        for (int ply = 0; ply < most_moves; ++ply) {
            result = result_of(game);
            if (result) { break; }
            if (ply < random) {
                go_on(game, any_move(game.back(), dice));
                continue;
            }
            auto const tabled = proven(game.back());
            auto const made = tabled ? Made{game.back(), false, *tabled} : best_move(thinker, game);
            bool const decided = tabled || is_proven(game.back(), made.score);
            // Neither does a stale position tell anything, nor a win that a draw rule may overtake.
            bool const tells = decided || !is_sure(made.score);
            if (tells && static_cast<int>(game.size()) <= stale && is_quiet(game.back())) {
                samples.push_back(sample_of(game.back(), made.score));
            }
            // What is proven need not be played out.
            if (decided) {
                result = Proof<R>::half_points(made.score);
                break;
            }
            go_on(game, made);
        }
        auto& bytes = games_[static_cast<std::size_t>(number)];
        for (auto& sample : samples) {
            int const half_points = result.value_or(1);
            sample.result =
                static_cast<std::uint8_t>(sample.turn == game.back().turn ? half_points : 2 - half_points);
            SampleBytes<R>::write(sample, bytes);
        }
    }

    static void go_on(std::vector<State>& game, Made const& made) {
        if (made.progress) { game.clear(); }
        game.push_back(made.state);
    }

    // What endgame tables prove of a position.
    std::optional<Score> proven(State const& state) const {
        return as_mover(state, [&]<Colour Us>(Position<R> const& position) {
            return proof_.template value<Us>(position);
        });
    }

    // Whether the search has seen the end of the game, before any draw rule.
    bool is_proven(State const& state, Score score) const {
        int const pieces = Play::unpack(state).occupied().count();
        return is_decided(score) && proof_.in_time(pieces, won_now - std::abs(score));
    }

    int random_plies(std::mt19937_64& dice) const {
        if (options_.random_plies <= fewest_random) { return options_.random_plies; }
        auto const choices = static_cast<std::uint64_t>(options_.random_plies - fewest_random + 1);
        return fewest_random + static_cast<int>(dice() % choices);
    }

    template <class Act>
    static auto as_mover(State const& state, Act&& act) {
        auto const position = Play::unpack(state);
        return state.turn == Colour::black ? act.template operator()<Colour::black>(position)
                                           : act.template operator()<Colour::white>(position);
    }

    static Sample<R> sample_of(State const& state, Score score) {
        return {Play::unpack(state), static_cast<std::int16_t>(score), 1, state.turn};
    }

    // `game` holds the positions since the last progress.
    std::optional<int> result_of(std::vector<State> const& game) const {
        if (auto const ended = ending_of(game.back(), options_.stuck_wins)) { return ended; }
        if (static_cast<int>(game.size()) > options_.drawn_after) { return 1; }
        if (std::ranges::count(game, game.back()) >= 3) { return 1; }
        return std::nullopt;
    }

    static bool is_quiet(State const& state) {
        return as_mover(state, []<Colour Us>(Position<R> const& position) {
            if constexpr (R.jumps_only) { return !position.in_opening(); }
            return capturing<Us>(position).empty() && capturing<opponent(Us)>(passed(position)).empty();
        });
    }

    // What `choose` picks among the moves of a position.
    template <class Choose>
    static Made make_move(State const& state, Score score, Choose&& choose) {
        return as_mover(state, [&]<Colour Us>(Position<R> const& position) {
            Arena<R> arena;
            typename Arena<R>::List list{arena};
            find_candidates<Us>(position, capturing<Us>(position), list);
            auto const& move = list[choose(position, list)];
            return Made{Play::template pack<opponent(Us)>(move.next), move.progress(), score};
        });
    }

    static Made any_move(State const& state, std::mt19937_64& dice) {
        return make_move(state, 0, [&](auto const&, auto& list) {
            return static_cast<int>(dice() % static_cast<std::uint64_t>(list.count()));
        });
    }

    Made best_move(Play& thinker, std::vector<State> const& game) const {
        Limits limits;
        limits.nodes = options_.nodes;
        limits.drawn_after = options_.drawn_after;
        Control control{limits, {}, options_.evidence.tables};
        auto const report = thinker.think(game, options_.stuck_wins, control, {});
        auto const& line = report.lines.front();
        auto const& step = line.steps.front();
        return make_move(game.back(), line.score, [&](auto const& position, auto& list) {
            for (int i = 0; i < list.count(); ++i) {
                auto const found = Play::step_of(position, list[i]);
                if (found.origin == step.origin && found.target == step.target &&
                    found.captures == step.captures) {
                    return i;
                }
            }
            return 0;
        });
    }

    std::vector<State> const& starts_;
    std::vector<Worths> const& weights_;
    PlayOptions const& options_;
    Proof<R> proof_;
    std::vector<std::string> games_;
};

}  // namespace crownhead::engine
