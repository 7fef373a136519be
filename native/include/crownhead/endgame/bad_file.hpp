// A file that is no endgame table.
#pragma once

#include <stdexcept>

namespace crownhead::endgame {

// The file is no table, is damaged, or was made for other rules; the message names it and says why.
struct BadFile : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace crownhead::endgame
