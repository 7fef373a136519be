// The endgame tables of one rule set behind plain functions: made, checked, and asked.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crownhead/endgame/table_file.hpp"
#include "crownhead/endgame/value.hpp"
#include "crownhead/laws.hpp"

namespace crownhead::endgame {

// How far long work has come: so many of all files, and the part of the one at hand.
struct Stage {
    std::string material;
    int done = 0;
    int total = 0;
    double part = 0;
    bool finished = false;      // this material, just now
    bool was_there = false;     // and needed no work
    std::uint64_t wrong = 0;    // positions that contradict their successors
    std::uint64_t checked = 0;  // positions that were compared
    Counts counts;
};

// Thrown where whoever is told wants no more.
struct Stopped {};

struct Task {
    std::filesystem::path folder;
    std::uint64_t fingerprint = 0;
    bool stuck_wins = false;
    int pieces = 0;  // at most
    int threads = 1;
    std::function<bool(Stage const&)> goes_on;  // told of each stage; false: stop
};

// A material that there is a table for.
struct Held {
    std::string material;
    int pieces = 0;
    bool distances = false;
    std::uint64_t bytes = 0;
    Counts counts;
};

// What is known of a position; without `plies` only who wins.
struct Verdict {
    Result result = Result::draw;
    std::optional<int> plies;
};

// Tables of a folder, open. Any number of threads may ask at once.
class Tables {
  public:
    virtual ~Tables() = default;
    virtual std::optional<Verdict> probe(State const& state) const = 0;
    virtual std::vector<Held> held() const = 0;
    // No position of more pieces is known.
    int most() const { return most_; }

  protected:
    int most_ = 0;
};

struct Endgames {
    bool possible;
    bool with_men;  // otherwise there are tables of kings alone
    // Throw BadFile, std::filesystem::filesystem_error, std::runtime_error.
    std::unique_ptr<Tables> (*open)(std::filesystem::path const& folder, std::uint64_t fingerprint,
                                    bool stuck_wins);
    void (*build)(Task const& task);
    void (*verify)(Task const& task);
};

}  // namespace crownhead::endgame
