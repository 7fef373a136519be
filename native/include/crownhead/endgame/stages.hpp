// The stages of a build or a verification, as the listener receives them.
#pragma once

#include <algorithm>

#include "crownhead/endgame/building.hpp"

namespace crownhead::endgame {

class Stages {
  public:
    Stages(BuildOptions const& options, std::size_t total)
        : options_{options}, total_{static_cast<int>(total)} {}

    Stage begin(Material const& material) const {
        Stage stage;
        stage.material = material.name();
        stage.done = done_;
        stage.total = total_;
        report(stage);
        return stage;
    }
    void finish(Stage& stage) {
        stage.done = ++done_;
        stage.finished = true;
        stage.part = 0;
        report(stage);
    }
    // Throws Stopped where the listener wishes so.
    void report(Stage const& stage) const {
        if (options_.on_stage && !options_.on_stage(stage)) { throw Stopped{}; }
    }

  private:
    BuildOptions const& options_;
    int total_;
    int done_ = 0;
};

inline void add(Counts& counts, Counts const& more) {
    counts.wins += more.wins;
    counts.losses += more.losses;
    counts.draws += more.draws;
    counts.longest_win = std::max(counts.longest_win, more.longest_win);
    counts.longest_loss = std::max(counts.longest_loss, more.longest_loss);
}

inline Counts sum(TableFile const& file) {
    Counts counts;
    for (auto const& table : file.tables()) { add(counts, table.counts); }
    return counts;
}

}  // namespace crownhead::endgame
