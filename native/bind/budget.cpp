// crownhead._kernel.limit_captures: what the capture searches of a thread may visit in all.
#include <nanobind/stl/optional.h>

#include <optional>
#include <utility>

#include "objects.hpp"

namespace crownhead::bind {
namespace {

// Of this thread, for it answers one request at a time; none: each search has its own budget alone.
std::optional<std::int64_t>& nodes_left() {
    thread_local std::optional<std::int64_t> left;
    return left;
}

std::optional<std::int64_t> limit_captures(std::optional<std::int64_t> nodes) {
    return std::exchange(nodes_left(), nodes);
}

}  // namespace

Budget capture_budget() {
    auto& left = nodes_left();
    return Budget{.left = left ? &*left : nullptr};
}

void bind_budget(nb::module_& module) {
    module.def(
        "limit_captures", &limit_captures, nb::arg("nodes").none(),
        "From now on the capture searches of this thread that look for legal moves visit at most so "
        "many nodes in all, one that has to be remembered counting as 32; None: as many as each may by "
        "itself. Returns what was left of the limit before.");
}

}  // namespace crownhead::bind
