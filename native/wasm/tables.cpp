// Probing endgame tables of any rules; a browser builds none.
#include "crownhead/endgame/probing.hpp"
#include "crownhead/generic.hpp"

namespace crownhead::endgame {

template <class R>
std::unique_ptr<Tables> open_tables(R rules, TableFiles const& files, std::uint64_t fingerprint,
                                    bool stuck_wins) {
    return std::make_unique<RuleSetTables<R>>(rules, files, fingerprint, stuck_wins);
}

template std::unique_ptr<Tables> open_tables(Narrow rules, TableFiles const& files, std::uint64_t fingerprint,
                                             bool stuck_wins);
template std::unique_ptr<Tables> open_tables(Generic<Wide> rules, TableFiles const& files,
                                             std::uint64_t fingerprint, bool stuck_wins);

}  // namespace crownhead::endgame
