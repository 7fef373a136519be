// A position as its side to move sees it, and the positions that its moves lead to.
#pragma once

#include "crownhead/geometry.hpp"

namespace crownhead {

struct NoMules {
    friend constexpr bool operator==(NoMules, NoMules) = default;
};

// Three words, and a fourth where mules are played:
//
//       own     pieces of the side to move, of every kind
//       theirs  pieces of the other side
//       kings   kings of both sides
//       mules   mules of both sides; they move as men
template <Rules R>
struct Position {
    using Board = Geometry<R.board>;
    using Set = typename Board::Set;

    Set own;
    Set theirs;
    Set kings;
    [[no_unique_address]] std::conditional_t<R.mules, Set, NoMules> mules{};

    friend constexpr bool operator==(Position const&, Position const&) = default;

    constexpr Set occupied() const { return own | theirs; }
    constexpr Set empty() const { return Board::board - occupied(); }
    constexpr Set own_men() const { return own - kings; }
    constexpr Set own_kings() const { return own & kings; }
};

// A capture, whatever its route: this is the identity of the move.
template <Rules R>
struct Capture {
    using Set = typename Position<R>::Set;

    Set origin;
    Set target;
    Set taken;
    bool crowns;

    friend constexpr bool operator==(Capture const&, Capture const&) = default;
};

namespace detail {

template <Rules R>
constexpr void move_mule(Position<R>& position, [[maybe_unused]] typename Position<R>::Set origin,
                         [[maybe_unused]] typename Position<R>::Set target) {
    if constexpr (R.mules) {
        if (position.mules.meets(origin)) { position.mules = (position.mules - origin) | target; }
    }
}

// The men among `set` who would be crowned there: a mule on the crown row remains one.
template <Rules R>
constexpr bool may_crown([[maybe_unused]] Position<R> const& position,
                         [[maybe_unused]] typename Position<R>::Set man) {
    if constexpr (R.mules) {
        return !position.mules.meets(man);
    } else {
        return true;
    }
}

}  // namespace detail

// After a man (or mule) steps to an empty square.
template <Colour Us, Rules R>
constexpr Position<R> after_man_step(Position<R> const& position, typename Position<R>::Set origin,
                                     typename Position<R>::Set target) {
    auto next = position;
    next.own = position.theirs;
    next.theirs = position.own ^ (origin | target);
    if (detail::may_crown(position, origin)) {
        next.kings |= target & Geometry<R.board>::template crown_row<Us>;
    }
    detail::move_mule(next, origin, target);
    return next;
}

// After a king moves to an empty square.
template <Rules R>
constexpr Position<R> after_king_step(Position<R> const& position, typename Position<R>::Set origin,
                                      typename Position<R>::Set target) {
    auto next = position;
    next.own = position.theirs;
    next.theirs = position.own ^ (origin | target);
    next.kings = position.kings ^ (origin | target);
    return next;
}

template <Rules R>
constexpr Position<R> after(Position<R> const& position, Capture<R> const& capture) {
    bool const was_king = position.kings.meets(capture.origin);
    auto next = position;
    next.own = position.theirs - capture.taken;
    next.theirs = (position.own - capture.origin) | capture.target;
    next.kings = position.kings - (capture.taken | capture.origin);
    if (was_king || capture.crowns) { next.kings |= capture.target; }
    if constexpr (R.mules) {
        next.mules = next.mules - capture.taken;
        detail::move_mule(next, capture.origin, capture.target);
    }
    return next;
}

}  // namespace crownhead
