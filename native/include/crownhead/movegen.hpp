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

// What men may jump over.
template <Rules R>
constexpr typename Position<R>::Set prey_of_men(Position<R> const& position) {
    return R.man_captures_king ? position.theirs : position.theirs - position.kings;
}

// Those squares of `from` from which a piece could jump over its neighbour in one of the directions.
template <auto const& Directions, Rules R>
constexpr typename Position<R>::Set jumps_from(typename Position<R>::Set from, typename Position<R>::Set prey,
                                               typename Position<R>::Set empty) {
    using Board = Geometry<R.board>;
    typename Position<R>::Set found;
    each_direction<Directions>([&]<Direction D>() {
        constexpr Direction back = reverse(D);
        found |= Board::template step<back>(Board::template step<back>(empty) & prey);
    });
    return found & from;
}

// Men of the side to move that can begin a capture.
template <Colour Us, Rules R>
constexpr typename Position<R>::Set capturing_men(Position<R> const& position) {
    using Ours = Side<R, Us>;
    auto const empty = position.empty();
    auto const prey = prey_of_men(position);
    auto found = jumps_from<Ours::man_captures, R>(position.walking_men(), prey, empty);
    if constexpr (R.has_parachutists()) {
        auto const waiting = position.own & position.marks;
        found |= jumps_from<Ours::parachutist_captures, R>(waiting, prey, empty);
    }
    return found;
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
    each_direction<Kings<R>::captures>(
        [&]<Direction D>() { found |= king_takes_from<D, R>(kings, position.theirs, empty); });
    return found;
}

template <Colour Us, Rules R>
constexpr typename Position<R>::Set capturing(Position<R> const& position) {
    if (position.in_opening()) { return {}; }
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

// Men of the side to move that may step.
template <Colour Us, Rules R>
constexpr typename Position<R>::Set stepping_men(Position<R> const& position) {
    if constexpr (R.rests_on_far_row) {
        return position.walking_men() - Side<R, Us>::far_row;
    } else {
        return position.walking_men();
    }
}

// In konane's opening: pieces that the side to move may take off. First one of a corner or the middle, then
// one beside the gap.
template <Rules R>
constexpr typename Position<R>::Set removable(Position<R> const& position) {
    using Board = Geometry<R.board>;
    auto const gap = position.empty();
    if (gap.empty()) { return position.own & Board::corners_and_middle; }
    typename Position<R>::Set beside;
    each_direction<Board::template in_order<R.man_captures>>(
        [&]<Direction D>() { beside |= Board::template step<D>(gap); });
    return position.own & beside;
}

// Calls `visit(targets, length)` for steps of men in direction D: where those go that pass over `length` - 1
// men.
template <Direction D, Rules R, class Visit>
constexpr void each_length(Position<R> const& position, typename Position<R>::Set men, Visit&& visit) {
    using Board = Geometry<R.board>;
    auto const empty = position.empty();
    visit(Board::template step<D>(men) & empty, 1);
    if constexpr (R.lines_step) {
        auto const passed = position.walking_men();
        int length = 1;
        for (auto front = Board::template step<D>(men) & passed; !front.empty();
             front = Board::template step<D>(front) & passed) {
            visit(Board::template step<D>(front) & empty, ++length);
        }
    }
}

// How many moves there are, provided that nothing can be taken.
template <Colour Us, Rules R>
constexpr int count_quiet(Position<R> const& position) {
    if (position.in_opening()) { return removable(position).count(); }
    auto const empty = position.empty();
    auto const men = stepping_men<Us>(position);
    int count = 0;
    each_direction<Side<R, Us>::man_steps>([&]<Direction D>() {
        each_length<D>(position, men, [&](auto targets, int) { count += targets.count(); });
    });
    if (auto const kings = position.stepping_kings()) {
        each_direction<Kings<R>::steps>(
            [&]<Direction D>() { count += king_reach<D, R>(kings, empty).count(); });
    }
    return count;
}

// Calls `visit(next)` with the position after each move, provided that nothing can be taken.
template <Colour Us, Rules R, class Visit>
constexpr void each_quiet_successor(Position<R> const& position, Visit&& visit) {
    using Board = Geometry<R.board>;
    if (position.in_opening()) {
        for (auto piece : removable(position)) { visit(after_removal(position, piece)); }
        return;
    }
    auto const empty = position.empty();
    auto const men = stepping_men<Us>(position);
    each_direction<Side<R, Us>::man_steps>([&]<Direction D>() {
        each_length<D>(position, men, [&](auto targets, int length) {
            for (auto target : targets) {
                auto origin = target;
                for (int i = 0; i < length; ++i) { origin = Board::template step<reverse(D)>(origin); }
                visit(after_man_step<Us>(position, origin, target));
            }
        });
    });
    for (auto king : position.stepping_kings()) {
        each_direction<Kings<R>::steps>([&]<Direction D>() {
            for (auto target : king_reach<D, R>(king, empty)) {
                visit(after_king_step(position, king, target));
            }
        });
    }
}

// Where the piece on `origin` can go, provided that nothing can be taken. A piece that can be taken off
// goes to the square on which it stands.
template <Colour Us, Rules R>
constexpr typename Position<R>::Set quiet_targets(Position<R> const& position,
                                                  typename Position<R>::Set origin) {
    if (position.in_opening()) { return removable(position) & origin; }
    auto const empty = position.empty();
    typename Position<R>::Set targets;
    if (position.kings.meets(origin)) {
        auto const king = origin & position.stepping_kings();
        each_direction<Kings<R>::steps>([&]<Direction D>() { targets |= king_reach<D, R>(king, empty); });
    } else {
        auto const man = origin & stepping_men<Us>(position);
        each_direction<Side<R, Us>::man_steps>([&]<Direction D>() {
            each_length<D>(position, man, [&](auto reached, int) { targets |= reached; });
        });
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
