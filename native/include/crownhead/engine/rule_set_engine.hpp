// The functions of `EngineFactory` for one set of rules; each rule set is compiled in an object file of its
// own.
#pragma once

#include "crownhead/engine/engine_factory.hpp"
#include "crownhead/engine/iterative_deepening.hpp"
#include "crownhead/engine/rule_set_trainer.hpp"

namespace crownhead::engine {

template <Rules R>
inline constexpr EngineFactory engine_factory{
    Features<R>::count,
    [](std::size_t megabytes, std::vector<TaperedWeight> weights) -> std::unique_ptr<Searcher> {
        return std::make_unique<RuleSetSearcher<R>>(megabytes, std::move(weights));
    },
    []() -> std::unique_ptr<Trainer> { return std::make_unique<RuleSetTrainer<R>>(); },
};

}  // namespace crownhead::engine
