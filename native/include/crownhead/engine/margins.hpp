// The margins of the search. They are set at run time, so that a tuner can play one against the other.
#pragma once

#include <array>
#include <string_view>

#include "crownhead/engine/score.hpp"

namespace crownhead::engine {

// In hundredths of a man, unless it says otherwise. Where each technique begins to pay was found by matches:
// decision 11.
struct Margins {
    Score reverse_futility = 20;  // for each ply left, and once more
    Score probcut = 10;           // for each ply left
    int probcut_depth = 40;       // of the shallow search, in percent of the plies left
    Score singular = 40;          // how much worse all other moves must be
    Score aspiration = 12;        // of the window, to each side of the last score
    Score network = 120;          // outside of the window, beyond which the network is not asked

    friend bool operator==(Margins const&, Margins const&) = default;
};

struct NamedMargin {
    std::string_view name;
    int Margins::*value;
    int least;
    int most;
};

// All of them, with the values that make sense.
inline constexpr std::array named_margins{
    NamedMargin{"reverse_futility", &Margins::reverse_futility, 1, 200},
    NamedMargin{"probcut", &Margins::probcut, 1, 100},
    NamedMargin{"probcut_depth", &Margins::probcut_depth, 10, 80},
    NamedMargin{"singular", &Margins::singular, 1, 400},
    NamedMargin{"aspiration", &Margins::aspiration, 1, 400},
    NamedMargin{"network", &Margins::network, 1, 2000},
};

}  // namespace crownhead::engine
