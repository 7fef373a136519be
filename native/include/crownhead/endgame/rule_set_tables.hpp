// The functions of `Endgames` for one set of rules; each rule set is compiled in an object file of its own.
#pragma once

#include "crownhead/endgame/open_tables.hpp"
#include "crownhead/endgame/workshop.hpp"

namespace crownhead::endgame {

template <Rules R>
struct RuleSetEndgames {
    static std::unique_ptr<Tables> open(std::filesystem::path const& folder, std::uint64_t fingerprint,
                                        bool stuck_wins) {
        return std::make_unique<RuleSetTables<R>>(folder, fingerprint, stuck_wins);
    }
    static void build(Task const& task) { Workshop<R>{task}.build(); }
    static void verify(Task const& task) { Workshop<R>{task}.verify(); }

    static constexpr Endgames endgames{can_be_tabled<R>, kinds_of<R>.men, open, build, verify};
};

}  // namespace crownhead::endgame
