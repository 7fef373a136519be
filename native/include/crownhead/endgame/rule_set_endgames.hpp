// What `endgames.hpp` promises, for the object files that hold it.
#pragma once

#include "crownhead/endgame/probing.hpp"
#include "crownhead/endgame/table_builder.hpp"

namespace crownhead::endgame {

template <class R>
TableSupport table_support(R rules) {
    return {has_tables(rules), kinds_of(*rules).men};
}

template <class R>
std::unique_ptr<Tables> open_tables(R rules, TableFiles const& files, std::uint64_t fingerprint,
                                    bool stuck_wins) {
    return std::make_unique<RuleSetTables<R>>(rules, files, fingerprint, stuck_wins);
}

template <class R>
void build_tables(R rules, BuildOptions const& options) {
    TableBuilder<R>{rules, options}.build();
}

template <class R>
void verify_tables(R rules, BuildOptions const& options) {
    TableBuilder<R>{rules, options}.verify();
}

}  // namespace crownhead::endgame
