// The engine of one rule set behind plain functions: what makes its searcher and its trainer.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "crownhead/engine/searcher.hpp"
#include "crownhead/engine/tapered_weight.hpp"
#include "crownhead/engine/trainer.hpp"

namespace crownhead::engine {

struct EngineFactory {
    std::size_t features;
    std::unique_ptr<Searcher> (*make_searcher)(std::size_t megabytes, std::vector<TaperedWeight> weights);
    std::unique_ptr<Trainer> (*make_trainer)();
};

}  // namespace crownhead::engine
