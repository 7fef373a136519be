// Building and verifying endgame tables of any rules.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "crownhead/endgame/bad_file.hpp"
#include "crownhead/endgame/endgames.hpp"

namespace crownhead::endgame {

// Progress of a build or a verification: `done` files of `total`, and the part of the current one.
struct Stage {
    std::string material;
    int done = 0;
    int total = 0;
    double part = 0;
    bool finished = false;      // this material, just now
    bool existed = false;       // it needed no work
    std::uint64_t wrong = 0;    // positions that contradict their successors
    std::uint64_t checked = 0;  // positions that were compared
    Counts counts;
};

// Thrown where `on_stage` returns false.
struct Stopped {};

struct BuildOptions {
    std::filesystem::path folder;
    std::uint64_t fingerprint = 0;
    bool stuck_wins = false;
    int pieces = 0;                                 // at most
    int distances = 0;                              // of how many pieces at most there are distances, too
    std::uint64_t memory = std::uint64_t{8} << 30;  // bytes for results alone
    int threads = 1;
    std::function<bool(Stage const&)> on_stage;  // false: stop
};

// What a build will take; what is there already takes nothing.
struct Projection {
    int materials = 0;
    std::uint64_t positions = 0;  // numbers that positions may have
    std::uint64_t memory = 0;     // bytes, at the largest
    std::uint64_t bytes = 0;      // on disk
    double seconds = 0;
};

// What tables there can be; with men, or of kings alone.
struct TableSupport {
    bool possible;
    bool with_men;
};

// As `open_tables`. Throw BadFile, std::filesystem::filesystem_error, std::runtime_error.
template <class R>
TableSupport table_support(R rules);
template <class R>
void build_tables(R rules, BuildOptions const& options);
template <class R>
Projection project_tables(R rules, BuildOptions const& options);
template <class R>
void verify_tables(R rules, BuildOptions const& options);

}  // namespace crownhead::endgame
