// Moves that take nothing, and which pieces can take: whole sets at a time, without a list.
#pragma once

#include "crownhead/position.hpp"

namespace crownhead {

// Calls `visit.operator()<D>()` for each direction of a constant list.
template <auto const& Directions, std::size_t I = 0, class Visit>
constexpr void each_direction(Visit&& visit) {
    if constexpr (I < Directions.size()) {
        visit.template operator()<Directions[I]>();
        each_direction<Directions, I + 1>(visit);
    }
}

template <Rules R, Colour Us>
constexpr auto const& man_capture_directions() {
    if constexpr (R.man_captures_backward) {
        return all_directions;
    } else {
        return Geometry<R.board>::template forward<Us>;
    }
}

// What men may jump over.
template <Rules R>
constexpr typename Position<R>::Set prey_of_men(Position<R> const& position) {
    return R.man_captures_king ? position.theirs : position.theirs - position.kings;
}

// Men of the side to move that can begin a capture.
template <Colour Us, Rules R>
constexpr typename Position<R>::Set capturing_men(Position<R> const& position) {
    using Board = Geometry<R.board>;
    auto const empty = position.empty();
    auto const prey = prey_of_men(position);
    auto const men = position.own_men();
    typename Position<R>::Set found;
    each_direction<man_capture_directions<R, Us>()>([&]<Direction D>() {
        constexpr Direction back = reverse(D);
        found |= Board::template step<back>(Board::template step<back>(empty) & prey);
    });
    return found & men;
}

// Those squares of `from` from which a king could take a piece of `prey` in direction D.
template <Direction D, Rules R>
constexpr typename Position<R>::Set king_takes_from(typename Position<R>::Set from,
                                                    typename Position<R>::Set prey,
                                                    typename Position<R>::Set empty) {
    using Board = Geometry<R.board>;
    constexpr Direction back = reverse(D);
    auto const before = Board::template step<back>(Board::template step<back>(empty) & prey);
    if constexpr (R.flying_king) {
        // A king may stand on any square of the line before its prey, itself counted as empty.
        return (before | Board::template slide<back>(before & empty, empty) |
                Board::template step<back>(before & empty) |
                Board::template step<back>(Board::template slide<back>(before & empty, empty))) &
               from;
    } else {
        return before & from;
    }
}

// Kings of the side to move that can begin a capture.
template <Rules R>
constexpr typename Position<R>::Set capturing_kings(Position<R> const& position) {
    typename Position<R>::Set found;
    auto const kings = position.own_kings();
    if (kings.empty()) { return found; }
    auto const empty = position.empty();
    each_direction<all_directions>(
        [&]<Direction D>() { found |= king_takes_from<D, R>(kings, position.theirs, empty); });
    return found;
}

template <Colour Us, Rules R>
constexpr typename Position<R>::Set capturing(Position<R> const& position) {
    return capturing_men<Us>(position) | capturing_kings(position);
}

// Where kings of `from` can go in direction D without taking. Each square is reached by one king only.
template <Direction D, Rules R>
constexpr typename Position<R>::Set king_reach(typename Position<R>::Set from,
                                               typename Position<R>::Set empty) {
    using Board = Geometry<R.board>;
    if constexpr (R.flying_king) {
        return Board::template slide<D>(from, empty);
    } else {
        return Board::template step<D>(from) & empty;
    }
}

// How many moves there are, provided that nothing can be taken.
template <Colour Us, Rules R>
constexpr int count_quiet(Position<R> const& position) {
    using Board = Geometry<R.board>;
    auto const empty = position.empty();
    auto const men = position.own_men();
    int count = 0;
    each_direction<Board::template forward<Us>>(
        [&]<Direction D>() { count += (Board::template step<D>(men) & empty).count(); });
    if (auto const kings = position.own_kings()) {
        each_direction<all_directions>(
            [&]<Direction D>() { count += king_reach<D, R>(kings, empty).count(); });
    }
    return count;
}

// Calls `visit(next)` with the position after each move, provided that nothing can be taken.
template <Colour Us, Rules R, class Visit>
constexpr void each_quiet_successor(Position<R> const& position, Visit&& visit) {
    using Board = Geometry<R.board>;
    auto const empty = position.empty();
    auto const men = position.own_men();
    each_direction<Board::template forward<Us>>([&]<Direction D>() {
        for (auto target : Board::template step<D>(men) & empty) {
            visit(after_man_step<Us>(position, Board::template step<reverse(D)>(target), target));
        }
    });
    for (auto king : position.own_kings()) {
        each_direction<all_directions>([&]<Direction D>() {
            for (auto target : king_reach<D, R>(king, empty)) {
                visit(after_king_step(position, king, target));
            }
        });
    }
}

// Where the piece on `origin` can go, provided that nothing can be taken.
template <Colour Us, Rules R>
constexpr typename Position<R>::Set quiet_targets(Position<R> const& position,
                                                  typename Position<R>::Set origin) {
    using Board = Geometry<R.board>;
    auto const empty = position.empty();
    typename Position<R>::Set targets;
    if (position.kings.meets(origin)) {
        each_direction<all_directions>([&]<Direction D>() { targets |= king_reach<D, R>(origin, empty); });
    } else {
        each_direction<Board::template forward<Us>>(
            [&]<Direction D>() { targets |= Board::template step<D>(origin) & empty; });
    }
    return targets;
}

template <Colour Us, Rules R>
constexpr bool any_quiet(Position<R> const& position) {
    for (auto piece : position.own) {
        if (!quiet_targets<Us>(position, piece).empty()) { return true; }
    }
    return false;
}

}  // namespace crownhead
