// The search as other code meets it: its limits, what stops it, its report, and `Searcher`.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "crownhead/engine/margins.hpp"
#include "crownhead/engine/score.hpp"
#include "crownhead/engine/weights.hpp"
#include "crownhead/state.hpp"

namespace crownhead::endgame {
class Tables;
}

namespace crownhead::engine {

using Clock = std::chrono::steady_clock;

struct Limits {
    int depth = max_ply / 2;
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();  // with one thread met exactly
    double seconds = std::numeric_limits<double>::infinity();
    // After about these no new iteration begins: see patience.hpp.
    double soft_seconds = std::numeric_limits<double>::infinity();
    int lines = 1;  // MultiPV: so many of the best moves
    int threads = 1;
    // Plies without a capture or a move of a man after which the game is drawn; 0: never.
    int drawn_after = 0;
};

// A move of a line in square numbers: its reader may have no position to look it up in.
struct PvMove {
    std::uint8_t origin;
    std::uint8_t target;
    bool crowns;
    std::vector<std::uint8_t> captures;  // ascending

    friend bool operator==(PvMove const&, PvMove const&) = default;
};

// A principal variation with its score.
struct Line {
    Score score = 0;
    Bound bound = Bound::exact;
    std::vector<PvMove> moves;
};

struct Report {
    int depth = 0;
    int selective_depth = 0;  // plies of the longest line searched
    std::uint64_t nodes = 0;
    double seconds = 0;
    std::vector<Line> lines;  // best first; empty where there is no move
};

// What the threads of one search share.
class SearchControl {
  public:
    // `goes_on` is called now and then; false stops the search. `tables` are those of the same rules, or
    // none.
    SearchControl(Limits const& limits, std::function<bool()> goes_on,
                  endgame::Tables const* tables = nullptr)
        : limits_{limits}, began_{Clock::now()}, goes_on_{std::move(goes_on)}, tables_{tables} {}

    Limits const& limits() const { return limits_; }
    endgame::Tables const* tables() const { return tables_; }
    bool stopped() const { return stop_.load(std::memory_order_relaxed); }
    void stop() { stop_.store(true, std::memory_order_relaxed); }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

    // Called by the main thread every few hundred nodes.
    void check_limits(std::uint64_t nodes) {
        if (nodes >= limits_.nodes || seconds() >= limits_.seconds || (goes_on_ && !goes_on_())) { stop(); }
    }

  private:
    Limits limits_;
    Clock::time_point began_;
    std::function<bool()> goes_on_;
    std::atomic<bool> stop_{false};
    endgame::Tables const* tables_;
};

// Searches positions of one rule set; its transposition table, and what it has learned of moves, stay for the
// next search.
class Searcher {
  public:
    virtual ~Searcher() = default;
    // `game` ends with the position to search; before it come those of the game since the last capture or
    // move of a man. `on_report` is called with each result that is better than the last.
    virtual Report search(std::vector<State> const& game, bool stuck_wins, SearchControl& control,
                          std::function<void(Report const&)> const& on_report) = 0;
    // Of the searches to come.
    virtual void set_margins(Margins const& margins) = 0;
    // Forgets both.
    virtual void clear() = 0;
};

}  // namespace crownhead::engine
