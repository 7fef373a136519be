// Moves that take nothing, and which pieces can take: whole sets at a time, without a list.
#pragma once

#include "crownhead/position.hpp"

namespace crownhead {

// What men may jump over.
template <class R>
constexpr typename R::Set prey_of_men(Position<R> const& position) {
    return position.rules->man_captures_king ? position.theirs : position.theirs - position.kings;
}

// Those squares of `from` from which a piece could jump over its neighbour in one of the directions.
template <class R, class List>
constexpr typename R::Set jumps_from(R rules, List const& directions, typename R::Set from,
                                     typename R::Set prey, typename R::Set empty) {
    typename R::Set found;
    each_direction(directions, [&](auto direction) {
        auto const back = reverse(direction);
        found |= rules.step(back, rules.step(back, empty) & prey);
    });
    return found & from;
}

// Men of the side to move that can begin a capture.
template <Colour Us, class R>
constexpr typename R::Set capturing_men(Position<R> const& position) {
    auto const& rules = position.rules;
    auto const empty = position.empty();
    auto const prey = prey_of_men(position);
    auto found = jumps_from(rules, rules.template man_captures<Us>(), position.walking_men(), prey, empty);
    if (position.has_parachutists()) {
        auto const waiting = position.marked(position.own);
        found |= jumps_from(rules, rules.template parachutist_captures<Us>(), waiting, prey, empty);
    }
    return found;
}

// Those squares of `from` from which a king could take a piece of `prey` in a direction.
template <class R, class At>
constexpr typename R::Set king_takes_from(R rules, At direction, typename R::Set from, typename R::Set prey,
                                          typename R::Set empty) {
    auto const back = reverse(direction);
    auto const before = rules.step(back, rules.step(back, empty) & prey);
    if (!rules->flying_king) { return before & from; }
    // A king may stand on any square of the line before its prey, itself counted as empty.
    auto const line = rules.slide(back, before & empty, empty);
    return (before | line | rules.step(back, before & empty) | rules.step(back, line)) & from;
}

// Kings of the side to move that can begin a capture.
template <class R>
constexpr typename R::Set capturing_kings(Position<R> const& position) {
    typename R::Set found;
    auto const kings = position.own_kings();
    if (kings.empty()) { return found; }
    auto const& rules = position.rules;
    auto const empty = position.empty();
    each_direction(rules.king_captures(), [&](auto direction) {
        found |= king_takes_from(rules, direction, kings, position.theirs, empty);
    });
    return found;
}

template <Colour Us, class R>
constexpr typename R::Set capturing(Position<R> const& position) {
    if (position.in_opening()) { return {}; }
    return capturing_men<Us>(position) | capturing_kings(position);
}

// Where kings of `from` can go in a direction without taking. Each square is reached by one king only.
template <class R, class At>
constexpr typename R::Set king_reach(R rules, At direction, typename R::Set from, typename R::Set empty) {
    return rules->flying_king ? rules.slide(direction, from, empty) : rules.step(direction, from) & empty;
}

// Men of the side to move that may step.
template <Colour Us, class R>
constexpr typename R::Set stepping_men(Position<R> const& position) {
    auto const men = position.walking_men();
    return position.rules->rests_on_far_row ? men - position.rules.template far_row<Us>() : men;
}

// In konane's opening: pieces that the side to move may take off. First one of a corner or the middle, then
// one beside the gap.
template <class R>
constexpr typename R::Set removable(Position<R> const& position) {
    auto const& rules = position.rules;
    auto const gap = position.empty();
    if (gap.empty()) { return position.own & rules.board().corners_and_middle; }
    typename R::Set beside;
    each_direction(rules.capture_lines(), [&](auto direction) { beside |= rules.step(direction, gap); });
    return position.own & beside;
}

// Calls `visit(targets, length)` for steps of men in a direction: where those go that pass over `length` - 1
// men.
template <class R, class At, class Visit>
constexpr void each_length(Position<R> const& position, At direction, typename R::Set men, Visit&& visit) {
    auto const& rules = position.rules;
    auto const empty = position.empty();
    visit(rules.step(direction, men) & empty, 1);
    if (rules->lines_step) {
        auto const passed = position.walking_men();
        int length = 1;
        for (auto front = rules.step(direction, men) & passed; !front.empty();
             front = rules.step(direction, front) & passed) {
            visit(rules.step(direction, front) & empty, ++length);
        }
    }
}

// How many moves there are, provided that nothing can be taken.
template <Colour Us, class R>
constexpr int count_quiet(Position<R> const& position) {
    if (position.in_opening()) { return removable(position).count(); }
    auto const& rules = position.rules;
    auto const empty = position.empty();
    auto const men = stepping_men<Us>(position);
    int count = 0;
    each_direction(rules.template man_steps<Us>(), [&](auto direction) {
        each_length(position, direction, men, [&](auto targets, int) { count += targets.count(); });
    });
    if (auto const kings = position.stepping_kings()) {
        each_direction(rules.king_steps(),
                       [&](auto direction) { count += king_reach(rules, direction, kings, empty).count(); });
    }
    return count;
}

// Calls `visit(next)` with the position after each move, provided that nothing can be taken.
template <Colour Us, class R, class Visit>
constexpr void each_quiet_successor(Position<R> const& position, Visit&& visit) {
    if (position.in_opening()) {
        for (auto piece : removable(position)) { visit(after_removal(position, piece)); }
        return;
    }
    auto const& rules = position.rules;
    auto const empty = position.empty();
    auto const men = stepping_men<Us>(position);
    each_direction(rules.template man_steps<Us>(), [&](auto direction) {
        each_length(position, direction, men, [&](auto targets, int length) {
            for (auto target : targets) {
                auto origin = target;
                for (int i = 0; i < length; ++i) { origin = rules.step(reverse(direction), origin); }
                visit(after_man_step<Us>(position, origin, target));
            }
        });
    });
    for (auto king : position.stepping_kings()) {
        each_direction(rules.king_steps(), [&](auto direction) {
            for (auto target : king_reach(rules, direction, king, empty)) {
                visit(after_king_step(position, king, target));
            }
        });
    }
}

// Where the piece on `origin` can go, provided that nothing can be taken. A piece that can be taken off
// goes to the square on which it stands.
template <Colour Us, class R>
constexpr typename R::Set quiet_targets(Position<R> const& position, typename R::Set origin) {
    if (position.in_opening()) { return removable(position) & origin; }
    auto const& rules = position.rules;
    auto const empty = position.empty();
    typename R::Set targets;
    if (position.kings.meets(origin)) {
        auto const king = origin & position.stepping_kings();
        each_direction(rules.king_steps(),
                       [&](auto direction) { targets |= king_reach(rules, direction, king, empty); });
    } else {
        auto const man = origin & stepping_men<Us>(position);
        each_direction(rules.template man_steps<Us>(), [&](auto direction) {
            each_length(position, direction, man, [&](auto reached, int) { targets |= reached; });
        });
    }
    return targets;
}

template <Colour Us, class R>
constexpr bool any_quiet(Position<R> const& position) {
    for (auto piece : position.own) {
        if (!quiet_targets<Us>(position, piece).empty()) { return true; }
    }
    return false;
}

}  // namespace crownhead
