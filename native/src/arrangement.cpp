// Positions that are put together piece by piece.
#include "crownhead/arrangement.hpp"

namespace crownhead {
namespace {

char const* name(Colour colour) { return colour == Colour::black ? "black" : "white"; }

}  // namespace

std::string fault_of(Laws const& laws, State const& state, Colour colour, Kind kind, int number) {
    auto const bit = laws.bit(number);
    auto const square = [number] { return std::to_string(number); };
    if (((state.own | state.theirs) & bit) != 0) {
        return "expected one piece on square " + square() + ", got two";
    }
    if (kind == Kind::man && (laws.crown_squares(colour) & bit) != 0) {
        return std::string{"expected no "} + name(colour) + " man on square " + square() +
               ", for it would have been crowned there";
    }
    if (kind == Kind::marked && laws.rules().marked == Marked::none) {
        return "expected no marked men, for none are played here, got one on square " + square();
    }
    if (kind == Kind::marked && laws.rules().marked == Marked::parachutist &&
        (laws.far_row(colour) & bit) == 0) {
        return std::string{"expected a "} + name(colour) +
               " parachutist on its far row, where it waits, got one on square " + square();
    }
    return {};
}

std::string fault_of_run(Laws const& laws, State const& state, Colour colour, int square, int steps) {
    if (square == 0 && steps == 0) { return {}; }
    auto const number = [](int value) { return std::to_string(value); };
    int const longest = laws.rules().king_run;
    if (longest == 0) {
        return "expected no run of a king, for none is counted here, got " + number(steps) + " steps";
    }
    if (steps < 1 || steps > longest) {
        return "expected a run of 1 to " + number(longest) + " steps, got " + number(steps);
    }
    auto const own = colour == state.turn ? state.own : state.theirs;
    auto const king = square < 1 || square > laws.squares() ? Wide{0} : laws.bit(square);
    if ((own & state.kings & king) == 0) {
        return std::string{"expected the run of a "} + name(colour) + " king, got square " + number(square) +
               ", where none stands";
    }
    if ((own & ~state.kings) == 0) {
        return std::string{"expected no run of a "} + name(colour) +
               " king, for nothing is counted without men, got " + number(steps) + " steps";
    }
    return {};
}

void place(Laws const& laws, State& state, Colour colour, Kind kind, int number) {
    auto const bit = laws.bit(number);
    (colour == state.turn ? state.own : state.theirs) |= bit;
    if (kind == Kind::king) { state.kings |= bit; }
    if (kind == Kind::marked) { state.marks |= bit; }
}

void place_run(Laws const& laws, State& state, Colour colour, int square, int steps) {
    if (steps == 0) { return; }
    (colour == state.turn ? state.own_run : state.their_run) = laws.bit(square);
    (colour == state.turn ? state.own_steps : state.their_steps) = static_cast<std::uint8_t>(steps);
}

}  // namespace crownhead
