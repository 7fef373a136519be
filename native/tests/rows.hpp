// The rows of the variant table, for tests of all of them.
#pragma once

#include "crownhead/variant.hpp"

namespace crownhead::testing {

std::vector<VariantRow> rows();  // generated

// Calls `test(variant)` with each variant by the path that takes any rules, and by the fast one if it has
// that. Of those that have none, it takes one in CROWNHEAD_TEST_EVERY.
template <class Test>
void each_variant(Test const& test) {
    for (int number = 0; auto const& row : rows()) {
        Variant const fast{row};
        if (fast.is_specialised() || number++ % CROWNHEAD_TEST_EVERY == 0) { test(Variant{row, false}); }
        if (fast.is_specialised()) { test(fast); }
    }
}

}  // namespace crownhead::testing
