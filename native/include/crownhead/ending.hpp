// When a position decides the game by itself, without asking whether there is a move.
#pragma once

#include "crownhead/position.hpp"

namespace crownhead {

enum class Cause : std::uint8_t { none, no_pieces, no_moves, mules_lost, men_lost, mule_crowned, first_king };

struct Decision {
    Cause cause = Cause::none;
    bool mover_wins = false;  // the mover is the side whose turn it would be
};

namespace detail {

// How games of mule checkers end (ItsYourTurn, help topic "Checkers"), in order of precedence.
template <Colour Us, class R>
constexpr Decision decide_by_mules(Position<R> const& position) {
    auto const lost = [](Cause cause) { return Decision{cause, false}; };
    auto const won = [](Cause cause) { return Decision{cause, true}; };
    auto const mules = position.marked(position.occupied());

    if (position.own.empty()) { return lost(Cause::no_pieces); }
    bool const own_mules = position.own.meets(mules);
    bool const own_regulars = !(position.own - mules).empty();
    bool const their_mules = position.theirs.meets(mules);
    bool const their_regulars = !(position.theirs - mules).empty();
    if (own_regulars && !own_mules) { return won(Cause::mules_lost); }
    if (their_regulars && !their_mules) { return lost(Cause::mules_lost); }
    if (!own_regulars) { return lost(Cause::men_lost); }
    if (!their_regulars) { return won(Cause::men_lost); }
    auto const& rules = position.rules;
    if ((position.own & mules).meets(rules.template far_row<Us>())) { return lost(Cause::mule_crowned); }
    if ((position.theirs & mules).meets(rules.template far_row<opponent(Us)>())) {
        return won(Cause::mule_crowned);
    }
    return {};
}

// The side that has crowned a man has won; the side that has just moved comes first.
template <class R>
constexpr Decision decide_by_first_king(Position<R> const& position) {
    if (position.own.empty()) { return {Cause::no_pieces, false}; }
    if (position.theirs.meets(position.kings)) { return {Cause::first_king, false}; }
    if (position.own.meets(position.kings)) { return {Cause::first_king, true}; }
    return {};
}

}  // namespace detail

template <Colour Us, class R>
constexpr Decision decide(Position<R> const& position) {
    if (position.has_mules()) { return detail::decide_by_mules<Us>(position); }
    if (position.rules->first_king_wins) { return detail::decide_by_first_king(position); }
    return {};
}

template <Colour Us, class R>
constexpr bool decided(Position<R> const& position) {
    return decide<Us>(position).cause != Cause::none;
}

}  // namespace crownhead
