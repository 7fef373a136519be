// How long a search may go on, and how it is told to stop.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "crownhead/engine/score.hpp"
#include "crownhead/laws.hpp"

namespace crownhead::endgame {
class Tables;
}

namespace crownhead::engine {

using Clock = std::chrono::steady_clock;

struct Limits {
    int depth = most_plies / 2;
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();  // with one thread met exactly
    double seconds = std::numeric_limits<double>::infinity();
    double soft_seconds = std::numeric_limits<double>::infinity();  // no new iteration begins after these
    int lines = 1;
    int threads = 1;
    // Plies without a capture or a move of a man after which the game is drawn; 0: never.
    int drawn_after = 0;
};

// A move in square numbers, for those who have no position to look it up in.
struct Step {
    std::uint8_t origin;
    std::uint8_t target;
    bool crowns;
    std::vector<std::uint8_t> captures;  // ascending
};

struct Line {
    Score score = 0;
    Bound bound = Bound::exact;
    std::vector<Step> steps;
};

struct Report {
    int depth = 0;
    int reached = 0;  // plies of the longest line looked at
    std::uint64_t nodes = 0;
    double seconds = 0;
    std::vector<Line> lines;  // best first; empty where there is no move
};

// What the threads of one search share.
class Control {
  public:
    // `tables` are those of the same rules, or none.
    Control(Limits const& limits, std::function<bool()> goes_on, endgame::Tables const* tables = nullptr)
        : limits_{limits}, began_{Clock::now()}, goes_on_{std::move(goes_on)}, tables_{tables} {}

    Limits const& limits() const { return limits_; }
    endgame::Tables const* tables() const { return tables_; }
    bool stopped() const { return stop_.load(std::memory_order_relaxed); }
    void stop() { stop_.store(true, std::memory_order_relaxed); }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

    // Asked by the first thread now and then.
    void look(std::uint64_t nodes) {
        if (nodes >= limits_.nodes || seconds() >= limits_.seconds || (goes_on_ && !goes_on_())) { stop(); }
    }

  private:
    Limits limits_;
    Clock::time_point began_;
    std::function<bool()> goes_on_;
    std::atomic<bool> stop_{false};
    endgame::Tables const* tables_;
};

// In sixteenths of a hundredth of a man.
struct Worths {
    std::int16_t beginning = 0;
    std::int16_t end = 0;
};
inline constexpr int fineness = 16;

// Positions of one rule set being thought about; what was learned stays for the next time.
class Thinker {
  public:
    virtual ~Thinker() = default;
    // `game` ends with the position to think about; before it those of the game since the last capture or
    // move of a man. `tell` is called with each result that is better than the last.
    virtual Report think(std::vector<State> const& game, bool stuck_wins, Control& control,
                         std::function<void(Report const&)> const& tell) = 0;
    virtual void forget() = 0;
};

}  // namespace crownhead::engine
