// Laws and search of any rules on boards of at most 64 bits.
#include "crownhead/engine/iterative_deepening.hpp"
#include "crownhead/generic.hpp"
#include "crownhead/rule_set.hpp"

namespace crownhead {

template std::unique_ptr<Laws> make_laws(RuleTable<Wide> const& table, Narrow rules);

template std::unique_ptr<engine::Searcher> engine::make_searcher(Narrow rules, std::size_t megabytes,
                                                                 engine::Weights weights);

}  // namespace crownhead
