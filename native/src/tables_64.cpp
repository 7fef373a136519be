// Endgame tables of any rules on boards of at most 64 bits.
#include "crownhead/endgame/rule_set_endgames.hpp"
#include "crownhead/generic.hpp"

namespace crownhead::endgame {

template TableSupport table_support(Narrow rules);
template std::unique_ptr<Tables> open_tables(Narrow rules, TableFiles const& files, std::uint64_t fingerprint,
                                             bool stuck_wins);
template Projection project_tables(Narrow rules, BuildOptions const& options);
template void build_tables(Narrow rules, BuildOptions const& options);
template void verify_tables(Narrow rules, BuildOptions const& options);

}  // namespace crownhead::endgame
