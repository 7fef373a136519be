// A weight of the evaluation at the beginning of a game and at its end.
#pragma once

#include <cstdint>

namespace crownhead::engine {

// For a tapered evaluation (Fruit, Letouzey 2005), in sixteenths of a hundredth of a man.
struct TaperedWeight {
    std::int16_t opening = 0;
    std::int16_t endgame = 0;
};
inline constexpr int weight_scale = 16;

}  // namespace crownhead::engine
