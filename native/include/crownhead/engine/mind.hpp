// The engine of one rule set behind plain functions, and what it learns from.
#pragma once

#include <memory>
#include <utility>

#include "crownhead/engine/control.hpp"

namespace crownhead::engine {

struct PlayOptions {
    int games = 0;
    std::uint64_t nodes = 1000;  // for a move
    int random_plies = 8;        // at most, after the start
    int drawn_after = 80;        // plies without progress
    std::uint64_t seed = 0;
    int threads = 1;
    bool stuck_wins = false;
};

struct FitOptions {
    int epochs = 8;
    double rate = 1.0;    // of the first steps
    double decay = 1e-7;  // pulls what is seldom seen back to what was counted
    std::uint64_t seed = 0;
    int threads = 1;
};

// A position of a game whose side to move scored `result`: 0, 1 or 2 half points.
struct Sample {
    State state;
    std::uint8_t result;
};

class Lesson {
  public:
    virtual ~Lesson() = default;
    virtual std::size_t features() const = 0;
    // Plays from the given starts in turn; the quiet positions of the games.
    virtual std::vector<Sample> play(std::vector<State> const& starts, std::vector<Worths> const& weights,
                                     PlayOptions const& options, std::function<bool()> const& goes_on) = 0;
    // Weights fitted to samples, and the mean loss of the last epoch.
    virtual std::pair<std::vector<Worths>, double> fit(std::vector<Sample> const& samples,
                                                       FitOptions const& options) = 0;
};

struct Mind {
    std::size_t features;
    std::unique_ptr<Thinker> (*thinker)(std::size_t megabytes, std::vector<Worths> weights);
    std::unique_ptr<Lesson> (*lesson)();
};

}  // namespace crownhead::engine
