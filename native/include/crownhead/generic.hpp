// The path that takes any rules at run time; each size of word is compiled in object files of its own.
#pragma once

#include <vector>

#include "crownhead/engine/searcher.hpp"
#include "crownhead/laws.hpp"

namespace crownhead {

using Narrow = Generic<std::uint64_t>;  // boards of at most 64 bits

template <class R>
std::unique_ptr<Laws> make_laws(RuleTable<Wide> const& table, R rules);

namespace engine {
template <class R>
std::unique_ptr<Searcher> make_searcher(R rules, std::size_t megabytes, Weights weights);
}

}  // namespace crownhead
