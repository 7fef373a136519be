// The functions of `Endgames` for one set of rules; each rule set is compiled in an object file of its own.
#pragma once

#include "crownhead/endgame/probing.hpp"
#include "crownhead/endgame/table_builder.hpp"

namespace crownhead::endgame {

template <Rules R>
struct RuleSetEndgames {
    static std::unique_ptr<Tables> open(std::filesystem::path const& folder, std::uint64_t fingerprint,
                                        bool stuck_wins) {
        return std::make_unique<RuleSetTables<R>>(folder, fingerprint, stuck_wins);
    }
    static void build(BuildOptions const& options) { TableBuilder<R>{options}.build(); }
    static void verify(BuildOptions const& options) { TableBuilder<R>{options}.verify(); }

    static constexpr Endgames endgames{has_tables<R>, kinds_of<R>.men, open, build, verify};
};

}  // namespace crownhead::endgame
