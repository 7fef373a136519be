// Self-play and training for any rules on boards of at most 64 bits.
#include "crownhead/engine/rule_set_trainer.hpp"
#include "crownhead/generic.hpp"

namespace crownhead {

template std::unique_ptr<engine::Trainer> engine::make_trainer(Narrow rules, MakeSearcher make_searcher);

}  // namespace crownhead
