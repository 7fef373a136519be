// The tables of rules that are known at run time, for boards of either size.
#pragma once

#include <optional>
#include <utility>

#include "crownhead/generic.hpp"
#include "crownhead/variant_row.hpp"

namespace crownhead {

// Fails (`Failure::rules`) for rules that cannot be played.
class RuleTables {
  public:
    explicit RuleTables(Rules const& rules) : wide_{checked(rules)} {
        if (wide_.board.bits <= 64) { narrow_.emplace(rules); }
    }
    RuleTables(RuleTables const&) = delete;
    RuleTables& operator=(RuleTables const&) = delete;

    RuleTable<Wide> const& wide() const { return wide_; }

    // Calls `use` with the `Generic` rules, of the smaller words where the board fits.
    template <class Use>
    auto with_rules(Use&& use) const {
        return narrow_ ? use(Narrow{*narrow_}) : use(Generic<Wide>{wide_});
    }

  private:
    static Rules const& checked(Rules const& rules) {
        check(rules);
        return rules;
    }

    RuleTable<Wide> wide_;
    std::optional<RuleTable<std::uint64_t>> narrow_;
};

}  // namespace crownhead
