// A row of the variant table, and what makes it one that can be played.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crownhead/laws.hpp"

namespace crownhead {

// What the kernel knows of a variant. Squares are numbers.
struct VariantRow {
    std::string key;
    Rules rules;
    Objective objective = Objective::opponent_wins;
    Colour first = Colour::black;
    std::vector<std::uint8_t> black;
    std::vector<std::uint8_t> white;
    std::vector<std::uint8_t> marked;  // among the above
    std::uint64_t fingerprint = 0;     // of what endgame tables depend on
    std::string tables_key;            // whose tables serve it

    friend bool operator==(VariantRow const&, VariantRow const&) = default;
};

// Fail (`Failure::rules`), saying what was expected: for rules that cannot be played, and for a start whose
// pieces do not stand each on a square of its own, where such a piece may stand.
void check(Rules const& rules);
void check_start(VariantRow const& row, Laws const& laws);

}  // namespace crownhead
