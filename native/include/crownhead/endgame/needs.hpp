// Which solved materials are still needed while others are built.
#pragma once

#include <map>
#include <vector>

#include "crownhead/endgame/material_successors.hpp"

namespace crownhead::endgame {

class Needs {
  public:
    Needs(Rules const& rules, std::vector<Material> const& todo) : rules_{rules} {
        for (auto const& material : todo) { count(material, 1); }
    }

    // The material is finished: it needs nothing any more.
    void finish(Material const& material) { count(material, -1); }
    // A material that has been read for another than those to do.
    void note(Material const& material) { needs_.try_emplace(material, 0); }

    // Materials as they are filed, and by how many unfinished ones each is needed.
    std::map<Material, int> const& all() const { return needs_; }

  private:
    void count(Material const& material, int change) {
        needs_[material] += change;
        for (auto const& next : successors_of_both(rules_, material)) { needs_[next] += change; }
    }

    Rules const& rules_;
    std::map<Material, int> needs_;
};

}  // namespace crownhead::endgame
