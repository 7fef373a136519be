// The endgame tables of any rules: building, verifying, probing.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crownhead/endgame/table_file.hpp"
#include "crownhead/endgame/value.hpp"
#include "crownhead/state.hpp"

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
    int pieces = 0;  // at most
    int threads = 1;
    std::function<bool(Stage const&)> on_stage;  // false: stop
};

// A material that there is a table for.
struct TableInfo {
    std::string material;
    int pieces = 0;
    bool distances = false;
    std::uint64_t bytes = 0;
    Counts counts;
};

// The result for the side to move, and the plies to the end of the game unless only the result is known.
struct ProbeResult {
    Result result = Result::draw;
    std::optional<int> plies;
};

// The open tables of a folder. Any number of threads may probe at once.
class Tables {
  public:
    virtual ~Tables() = default;
    // Any position: where something can be taken, by the positions that the captures lead to.
    virtual std::optional<ProbeResult> probe(State const& state) const = 0;
    // A position in which nothing can be taken, and whose game is not decided.
    virtual std::optional<ProbeResult> probe_quiet(State const& state) const = 0;
    virtual std::vector<TableInfo> inventory() const = 0;
    // No position of more pieces is known.
    int most() const { return most_; }

  protected:
    int most_ = 0;
};

// What tables there can be; with men, or of kings alone.
struct TableSupport {
    bool possible;
    bool with_men;
};

// For `Generic` rules: other code has no need to be fast. Each size of word is compiled in an object file of
// its own. Throw BadFile, std::filesystem::filesystem_error, std::runtime_error.
template <class R>
TableSupport table_support(R rules);
template <class R>
std::unique_ptr<Tables> open_tables(R rules, std::filesystem::path const& folder, std::uint64_t fingerprint,
                                    bool stuck_wins);
template <class R>
void build_tables(R rules, BuildOptions const& options);
template <class R>
void verify_tables(R rules, BuildOptions const& options);

}  // namespace crownhead::endgame
