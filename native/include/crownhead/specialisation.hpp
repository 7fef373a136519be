// What compiles the kernel for one set of rules.
#pragma once

#include "crownhead/engine/iterative_deepening.hpp"
#include "crownhead/rule_set.hpp"
#include "crownhead/variant.hpp"

namespace crownhead {

template <Rules Value>
constexpr Specialisation specialise() {
    return {
        Value,
        [](RuleTable<Wide> const& table) { return make_laws(table, Fixed<Value>{}); },
        [](std::size_t megabytes, engine::Weights weights) {
            return engine::make_searcher(Fixed<Value>{}, megabytes, std::move(weights));
        },
    };
}

}  // namespace crownhead
