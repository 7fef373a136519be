// Endgame tables of any rules on boards of at most 128 bits.
#include "crownhead/endgame/rule_set_endgames.hpp"
#include "crownhead/generic.hpp"

namespace crownhead::endgame {

template TableSupport table_support(Generic<Wide> rules);
template std::unique_ptr<Tables> open_tables(Generic<Wide> rules, TableFiles const& files,
                                             std::uint64_t fingerprint, bool stuck_wins);
template Projection project_tables(Generic<Wide> rules, BuildOptions const& options);
template void build_tables(Generic<Wide> rules, BuildOptions const& options);
template void verify_tables(Generic<Wide> rules, BuildOptions const& options);

}  // namespace crownhead::endgame
