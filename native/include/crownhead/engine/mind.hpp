// The engine of one rule set behind plain functions, and what it learns from.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "crownhead/engine/control.hpp"

namespace crownhead::engine {

// What is asked of endgame tables while learning.
struct Evidence {
    endgame::Tables const* tables = nullptr;  // of the same rules, or none
    // By the number of pieces on the board: the plies within which no draw rule can overtake a win; nothing
    // where none ever can, and for more pieces than there are numbers.
    std::vector<std::optional<int>> within{};
};

struct PlayOptions {
    int games = 0;
    std::uint64_t nodes = 512;  // for a move
    int random_plies = 8;       // at most, after the start
    int drawn_after = 50;       // plies without progress
    std::uint64_t seed = 0;
    int threads = 1;
    bool stuck_wins = false;
    Evidence evidence{};
};

struct FitOptions {
    int epochs = 8;
    double rate = 0.2;  // of the first steps, in log odds
    double spread =
        20;  // hundredths of a man that a pattern's worth is expected to differ from what is counted
    double trust = 0.1;  // in the results of games; the rest in what the search thought of the position
    std::uint64_t seed = 0;
    bool stuck_wins = false;
    Evidence evidence{};
};

// Losses are the mean negative logarithms of the chances given to the results; lower is better.
struct Fitted {
    std::vector<Worths> weights;
    std::size_t positions = 0;  // learned from
    std::size_t tabled = 0;     // of all, those whose result endgame tables have told
    double loss = 0;            // during the last time over them
    double unseen = 0;          // of positions held back
    double counted = 0;         // of the same, where pieces are only counted
};

class Lesson {
  public:
    virtual ~Lesson() = default;
    virtual std::size_t features() const = 0;
    virtual std::size_t sample_size() const = 0;  // in bytes
    // Plays from the given starts in turn; the quiet positions of the games, as bytes. A game ends where its
    // result is proven.
    virtual std::string play(std::vector<State> const& starts, std::vector<Worths> const& weights,
                             PlayOptions const& options, std::function<bool()> const& goes_on) = 0;
    // Weights fitted to what was played in several rounds, and to what is proven of it.
    virtual Fitted fit(std::vector<std::string_view> const& parts, FitOptions const& options) = 0;
};

struct Mind {
    std::size_t features;
    std::unique_ptr<Thinker> (*thinker)(std::size_t megabytes, std::vector<Worths> weights);
    std::unique_ptr<Lesson> (*lesson)();
};

}  // namespace crownhead::engine
