// What may stand where: the checks of a position that is put together piece by piece.
#pragma once

#include <string>

#include "crownhead/laws.hpp"

namespace crownhead {

enum class Kind : std::uint8_t { man, king, marked };

// What is wrong with a piece on a square of the board beside those that stand there, as "expected …, got …";
// empty if nothing is.
std::string fault_of(Laws const& laws, State const& state, Colour colour, Kind kind, int number);

// What is wrong with the run of a king, once all pieces stand. A square and steps of 0: there is none.
std::string fault_of_run(Laws const& laws, State const& state, Colour colour, int square, int steps);

// Adds a piece, or a run, without fault.
void place(Laws const& laws, State& state, Colour colour, Kind kind, int number);
void place_run(Laws const& laws, State& state, Colour colour, int square, int steps);

}  // namespace crownhead
