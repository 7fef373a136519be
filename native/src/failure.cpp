// Failures as exceptions.
#include "crownhead/failure.hpp"

#include <stdexcept>

#include "crownhead/endgame/bad_file.hpp"

namespace crownhead {

void fail(Failure kind, std::string const& why) {
    switch (kind) {
        case Failure::rules: throw std::invalid_argument(why);
        case Failure::table: throw endgame::BadFile(why);
        case Failure::work: break;
    }
    throw std::runtime_error(why);
}

}  // namespace crownhead
