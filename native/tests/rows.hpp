// The rows of the variant table, for tests of all of them.
#pragma once

#include "crownhead/variant.hpp"

namespace crownhead::testing {

std::vector<VariantRow> rows();  // generated

// Calls `test(variant)` with each variant by the path that takes any rules, and by the fast one if it has
// that.
template <class Test>
void each_variant(Test const& test) {
    for (auto const& row : rows()) {
        test(Variant{row, false});
        if (Variant const fast{row}; fast.is_specialised()) { test(fast); }
    }
}

}  // namespace crownhead::testing
