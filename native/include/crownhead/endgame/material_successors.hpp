// The materials that the moves from one lead to.
#pragma once

#include <vector>

#include "crownhead/endgame/material.hpp"
#include "crownhead/endgame/retrograde_moves.hpp"
#include "crownhead/rules.hpp"

namespace crownhead::endgame {

// As they are filed, for the side to move of the material alone; without its own.
inline std::vector<Material> successors(Rules const& rules, Material const& material,
                                        bool by_captures_alone) {
    std::vector<Force> mine{material.own};
    if (material.own.men > 0 && kinds_of(rules).kings) {
        auto crowned = material.own;
        --crowned.men;
        ++crowned.kings;
        mine.push_back(crowned);
    }
    if (material.own.marked > 0 && rules.has_parachutists()) {
        auto landed = material.own;
        --landed.marked;
        ++landed.men;
        mine.push_back(landed);
    }
    std::vector<Material> found;
    auto const& theirs = material.theirs;
    for (auto const& own : mine) {
        Force rest;
        for (rest.kings = 0; rest.kings <= theirs.kings; ++rest.kings) {
            for (rest.men = 0; rest.men <= theirs.men; ++rest.men) {
                for (rest.marked = 0; rest.marked <= theirs.marked; ++rest.marked) {
                    bool const takes = rest != theirs;
                    bool const crowns = own.kings > material.own.kings;
                    if (rest.count() > 0 && (takes || (crowns && !by_captures_alone))) {
                        found.push_back(Material{rest, own}.filed());
                    }
                }
            }
        }
    }
    return found;
}

// The same for either side to move.
inline std::vector<Material> successors_of_both(Rules const& rules, Material const& material,
                                                bool by_captures_alone = false) {
    auto found = successors(rules, material, by_captures_alone);
    auto const more = successors(rules, material.turned(), by_captures_alone);
    found.insert(found.end(), more.begin(), more.end());
    return found;
}

}  // namespace crownhead::endgame
