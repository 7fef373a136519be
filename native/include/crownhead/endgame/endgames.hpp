// The endgame tables of any rules, as those see them who probe them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crownhead/endgame/table_file.hpp"
#include "crownhead/endgame/value.hpp"
#include "crownhead/state.hpp"

namespace crownhead::endgame {

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
    // A position in which nothing can be taken, and whose game is not decided. The result alone is quicker.
    virtual std::optional<ProbeResult> probe_quiet(State const& state) const = 0;
    virtual std::optional<Result> quiet_result(State const& state) const = 0;
    virtual std::vector<TableInfo> inventory() const = 0;
    // No position of more pieces is known.
    int most() const { return most_; }

  protected:
    int most_ = 0;
};

// For `Generic` rules: other code has no need to be fast. Each size of word is compiled in an object file of
// its own. Fails (`Failure::table`) for a file that is no table of these rules.
template <class R>
std::unique_ptr<Tables> open_tables(R rules, TableFiles const& files, std::uint64_t fingerprint,
                                    bool stuck_wins);

}  // namespace crownhead::endgame
