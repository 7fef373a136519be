// Self-play and training for any rules on boards of at most 128 bits.
#include "crownhead/engine/rule_set_trainer.hpp"
#include "crownhead/generic.hpp"

namespace crownhead {

template std::unique_ptr<engine::Trainer> engine::make_trainer(Generic<Wide> rules,
                                                               MakeSearcher make_searcher);

}  // namespace crownhead
