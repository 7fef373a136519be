// What `endgames.hpp` promises, for the object files that hold it.
#pragma once

#include "crownhead/endgame/probing.hpp"
#include "crownhead/endgame/projection.hpp"
#include "crownhead/endgame/result_builder.hpp"
#include "crownhead/endgame/table_builder.hpp"

namespace crownhead::endgame {

template <class R>
std::vector<Material> materials_up_to(int fewest, int most, R rules) {
    std::vector<Material> found;
    for (int pieces = std::max(fewest, 2); pieces <= most; ++pieces) {
        auto const more = materials(pieces, kinds_of(*rules));
        found.insert(found.end(), more.begin(), more.end());
    }
    return found;
}

template <class R>
TableSupport table_support(R rules) {
    return {has_tables(rules), kinds_of(*rules).men};
}

template <class R>
std::unique_ptr<Tables> open_tables(R rules, TableFiles const& files, std::uint64_t fingerprint,
                                    bool stuck_wins) {
    return std::make_unique<RuleSetTables<R>>(rules, files, fingerprint, stuck_wins);
}

// The materials with distances, and those of results alone.
template <class R>
std::pair<std::vector<Material>, std::vector<Material>> work_of(R rules, BuildOptions const& options) {
    return {materials_up_to(2, std::min(options.distances, options.pieces), rules),
            materials_up_to(options.distances + 1, options.pieces, rules)};
}

template <class R>
Projection project_tables(R rules, BuildOptions const& options) {
    auto const [with_distances, results_alone] = work_of(rules, options);
    return Projector<R>{rules, options}.project(with_distances, results_alone);
}

template <class R>
void build_tables(R rules, BuildOptions const& options) {
    std::filesystem::create_directories(options.folder);
    auto const [with_distances, results_alone] = work_of(rules, options);
    Stages stages{options, with_distances.size() + results_alone.size()};
    TableBuilder<R>{rules, options, with_distances, stages}.build();
    ResultBuilder<R>{rules, options, results_alone, stages}.build();
}

template <class R>
void verify_tables(R rules, BuildOptions const& options) {
    auto const all = materials_up_to(2, options.pieces, rules);
    auto const first_alone = std::ranges::find_if_not(all, [&](Material const& material) {
        return std::filesystem::exists(path_of(options.folder, material, Content::distances));
    });
    Stages stages{options, all.size()};
    TableBuilder<R>{rules, options, {all.begin(), first_alone}, stages}.verify();
    ResultBuilder<R>{rules, options, {first_alone, all.end()}, stages}.verify();
}

}  // namespace crownhead::endgame
