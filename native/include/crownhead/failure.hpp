// What ends work that cannot go on.
#pragma once

#include <string>

namespace crownhead {

enum class Failure {
    rules,  // they cannot be played
    table,  // a file is no endgame table, is damaged, or was made for other rules
    work,   // something that was taken to be impossible
};

// Throws what the headers say: std::invalid_argument, endgame::BadFile, std::runtime_error. In a browser,
// where there are no exceptions, its page throws instead, and the module is not used again.
[[noreturn]] void fail(Failure kind, std::string const& why);

}  // namespace crownhead
