// When a position decides the game by itself, without asking whether there is a move.
#pragma once

#include "crownhead/position.hpp"

namespace crownhead {

enum class Cause : std::uint8_t { none, no_pieces, no_moves, mules_lost, men_lost, mule_crowned, first_king };

struct Decision {
    Cause cause = Cause::none;
    bool mover_wins = false;  // the mover is the side whose turn it would be
};

// How games of mule checkers end (ItsYourTurn, help topic "Checkers"), in order of precedence.
template <Colour Us, Rules R>
requires(R.has_mules()) constexpr Decision decide(Position<R> const& position) {
    auto const lost = [](Cause cause) { return Decision{cause, false}; };
    auto const won = [](Cause cause) { return Decision{cause, true}; };
    auto const& mules = position.marks;

    if (position.own.empty()) { return lost(Cause::no_pieces); }
    bool const own_mules = position.own.meets(mules);
    bool const own_regulars = !(position.own - mules).empty();
    bool const their_mules = position.theirs.meets(mules);
    bool const their_regulars = !(position.theirs - mules).empty();
    if (own_regulars && !own_mules) { return won(Cause::mules_lost); }
    if (their_regulars && !their_mules) { return lost(Cause::mules_lost); }
    if (!own_regulars) { return lost(Cause::men_lost); }
    if (!their_regulars) { return won(Cause::men_lost); }
    if ((position.own & mules).meets(Side<R, Us>::far_row)) { return lost(Cause::mule_crowned); }
    if ((position.theirs & mules).meets(Side<R, opponent(Us)>::far_row)) { return won(Cause::mule_crowned); }
    return {};
}

// The side that has crowned a man has won; the side that has just moved comes first.
template <Colour Us, Rules R>
requires(R.first_king_wins) constexpr Decision decide(Position<R> const& position) {
    if (position.own.empty()) { return {Cause::no_pieces, false}; }
    if (position.theirs.meets(position.kings)) { return {Cause::first_king, false}; }
    if (position.own.meets(position.kings)) { return {Cause::first_king, true}; }
    return {};
}

template <Colour Us, Rules R>
constexpr bool decided([[maybe_unused]] Position<R> const& position) {
    if constexpr (R.has_mules() || R.first_king_wins) {
        return decide<Us>(position).cause != Cause::none;
    } else {
        return false;
    }
}

}  // namespace crownhead
