// Self-play: games of the engine with itself, for training data.
#pragma once

#include <mutex>
#include <random>
#include <thread>

#include "crownhead/ending.hpp"
#include "crownhead/engine/iterative_deepening.hpp"
#include "crownhead/engine/table_labels.hpp"
#include "crownhead/engine/trainer.hpp"
#include "crownhead/engine/training_sample.hpp"

namespace crownhead::engine {

// The searchers are the fastest there are for the rules; what else is done, once for a move, takes any.
template <class R>
class SelfPlay {
  public:
    SelfPlay(R rules, MakeSearcher const& make_searcher, std::vector<State> const& starts,
             Weights const& weights, SelfPlayOptions const& options)
        : rules_{rules},
          make_searcher_{make_searcher},
          starts_{starts},
          weights_{weights},
          options_{options},
          labeller_{options.table_labels},
          games_(static_cast<std::size_t>(options.games)) {}

    // The samples of all games, one game after another whatever the number of threads.
    std::string run(std::function<bool()> const& goes_on) {
        std::atomic<int> next{0};
        std::atomic<int> over{0};
        std::atomic<bool> stop{false};
        {
            std::vector<std::jthread> players;
            for (int i = 0; i < options_.threads; ++i) {
                players.emplace_back([&] {
                    auto const searcher = make_searcher_(megabytes, weights_);
                    for (int game = next++; game < options_.games && !stop; game = next++) {
                        play_one(*searcher, game);
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

    // The half points of the side to move where the game is over.
    std::optional<int> result_if_over(State const& state, bool stuck_wins) const {
        return as_mover(rules_, state, [&]<Colour Us>(Position<R> const& position) -> std::optional<int> {
            if (auto const decision = decide<Us>(position); decision.cause != Cause::none) {
                return decision.mover_wins ? 2 : 0;
            }
            if (capturing<Us>(position).empty() && !any_quiet<Us>(position)) { return stuck_wins ? 2 : 0; }
            return std::nullopt;
        });
    }

  private:
    static constexpr std::size_t megabytes = 1;  // of transposition table: a short search fills no more
    static constexpr int max_plies = 300;
    static constexpr int min_random_plies = 2;
    static constexpr int max_stale_plies = 12;  // reversible ones, after which positions are too alike

    struct MadeMove {
        State state;
        bool irreversible;
        Score score;
    };

    void play_one(Searcher& searcher, int number) {
        std::mt19937_64 rng{options_.seed * 1'000'003 + static_cast<std::uint64_t>(number)};
        std::vector<State> game{starts_[static_cast<std::size_t>(number) % starts_.size()]};
        std::vector<Sample<R>> samples;
        searcher.clear();
        int const random = random_plies(rng);
        std::optional<int> result;
        for (int ply = 0; ply < max_plies; ++ply) {
            result = result_of(game);
            if (result) { break; }
            if (ply < random) {
                advance(game, play_random(game.back(), rng));
                continue;
            }
            auto const labelled = proven(game.back());
            auto const made = labelled ? MadeMove{game.back(), false, *labelled} : play_best(searcher, game);
            bool const known = labelled || is_proven(game.back(), made.score);
            // A win that a draw rule may overtake is no label to learn from.
            bool const informative = known || !is_decisive(made.score);
            if (informative && static_cast<int>(game.size()) <= max_stale_plies && is_quiet(game.back())) {
                samples.push_back(sample_of(game.back(), made.score));
            }
            // A proven result need not be played out.
            if (known) {
                result = TableLabeller<R>::half_points(made.score);
                break;
            }
            advance(game, explores(rng) ? play_random(game.back(), rng) : made);
        }
        auto& bytes = games_[static_cast<std::size_t>(number)];
        SampleBytes<R> const sample_bytes{rules_};
        for (auto& sample : samples) {
            int const half_points = result.value_or(1);
            sample.result =
                static_cast<std::uint8_t>(sample.turn == game.back().turn ? half_points : 2 - half_points);
            sample_bytes.write(sample, bytes);
        }
    }

    static void advance(std::vector<State>& game, MadeMove const& made) {
        if (made.irreversible) { game.clear(); }
        game.push_back(made.state);
    }

    // The score that endgame tables prove.
    std::optional<Score> proven(State const& state) const {
        return as_mover(rules_, state, [&]<Colour Us>(Position<R> const& position) {
            return labeller_.template value<Us>(position);
        });
    }

    // Whether the search has found a forced end before any draw rule.
    bool is_proven(State const& state, Score score) const {
        int const pieces = unpack(rules_, state).occupied().count();
        return is_forced(score) && labeller_.in_time(pieces, win_score - std::abs(score));
    }

    int random_plies(std::mt19937_64& rng) const {
        if (options_.random_plies <= min_random_plies) { return options_.random_plies; }
        auto const choices = static_cast<std::uint64_t>(options_.random_plies - min_random_plies + 1);
        return min_random_plies + static_cast<int>(rng() % choices);
    }

    Sample<R> sample_of(State const& state, Score score) const {
        return {unpack(rules_, state), static_cast<std::int16_t>(score), 1, state.turn};
    }

    // `game` holds the positions since the last irreversible move.
    std::optional<int> result_of(std::vector<State> const& game) const {
        if (auto const ended = result_if_over(game.back(), options_.stuck_wins)) { return ended; }
        if (static_cast<int>(game.size()) > options_.drawn_after) { return 1; }
        if (std::ranges::count(game, game.back()) >= 3) { return 1; }
        return std::nullopt;
    }

    bool is_quiet(State const& state) const {
        return as_mover(rules_, state, []<Colour Us>(Position<R> const& position) {
            if (position.rules->jumps_only) { return !position.in_opening(); }
            return capturing<Us>(position).empty() &&
                   capturing<opponent(Us)>(after_null_move(position)).empty();
        });
    }

    // Makes the move whose index `choose` gives.
    template <class Choose>
    MadeMove play_chosen(State const& state, Score score, Choose&& choose) const {
        return as_mover(rules_, state, [&]<Colour Us>(Position<R> const& position) {
            Arena<R> arena;
            typename Arena<R>::MoveList list{arena};
            generate_moves<Us>(position, capturing<Us>(position), list);
            auto const& move = list[choose(position, list)];
            return MadeMove{pack<opponent(Us)>(move.next), move.is_irreversible(), score};
        });
    }

    // Whether a move is random although the search has found a better one: a search meets positions that good
    // play avoids, so the evaluation has to know them.
    bool explores(std::mt19937_64& rng) const {
        return options_.exploration > 0 && static_cast<int>(rng() % 100) < options_.exploration;
    }

    MadeMove play_random(State const& state, std::mt19937_64& rng) const {
        return play_chosen(state, 0, [&](auto const&, auto& list) {
            return static_cast<int>(rng() % static_cast<std::uint64_t>(list.count()));
        });
    }

    MadeMove play_best(Searcher& searcher, std::vector<State> const& game) const {
        Limits limits;
        limits.nodes = options_.nodes;
        limits.drawn_after = options_.drawn_after;
        SearchControl control{limits, {}, options_.table_labels.tables};
        auto const report = searcher.search(game, options_.stuck_wins, control, {});
        auto const& line = report.lines.front();
        auto const& best = line.moves.front();
        return play_chosen(game.back(), line.score, [&](auto const& position, auto& list) {
            for (int i = 0; i < list.count(); ++i) {
                auto const found = pv_move_of(position, list[i]);
                if (found.origin == best.origin && found.target == best.target &&
                    found.captures == best.captures) {
                    return i;
                }
            }
            return 0;
        });
    }

    R rules_;
    MakeSearcher const& make_searcher_;
    std::vector<State> const& starts_;
    Weights const& weights_;
    SelfPlayOptions const& options_;
    TableLabeller<R> labeller_;
    std::vector<std::string> games_;
};

}  // namespace crownhead::engine
