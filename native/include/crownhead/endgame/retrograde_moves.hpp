// Moves and unmoves for retrograde analysis, in positions turned so that Black is to move.
#pragma once

#include "crownhead/endgame/position_indexer.hpp"
#include "crownhead/endgame/value.hpp"
#include "crownhead/failure.hpp"
#include "crownhead/legal.hpp"

namespace crownhead::endgame {

// A table knows only where the pieces stand. Where runs of kings count, that is enough for kings alone; where
// every move is a jump (konane), no position is quiet.
template <class R>
constexpr bool has_tables(R rules) {
    return !rules->jumps_only && is_turned_onto_itself(rules);
}

constexpr Kinds kinds_of(Rules const& rules) {
    return {.men = rules.king_run == 0,
            .kings = rules.crowning != Crowning::never && !rules.first_king_wins,
            .marked = rules.marked != Marked::none};
}

template <class R>
Material material_of(Position<R> const& position) {
    auto const force = [&](auto side) {
        Force force;
        force.kings = static_cast<std::uint8_t>((side & position.kings).count());
        force.marked = static_cast<std::uint8_t>(position.marked(side).count());
        force.men = static_cast<std::uint8_t>(side.count() - force.kings - force.marked);
        return force;
    };
    return {force(position.own), force(position.theirs)};
}

// The value of a position that ends the game by itself, whatever moves there are.
template <class R>
bool is_over(Position<R> const& position, bool stuck_wins, Value& value) {
    if (auto const decision = decide<Colour::black>(position); decision.cause != Cause::none) {
        value = decision.mover_wins ? win(0) : loss(0);
        return true;
    }
    value = stuck_wins ? win(0) : loss(0);
    return position.own.empty();
}

// Calls `visit(next)` with the position after each capture of the pieces in `origins`.
template <class R, class Visit>
void each_successor_by_capture(Position<R> const& position, typename R::Set origins, Visit&& visit) {
    CaptureList<R> captures{position};
    if (!find_captures<Colour::black>(position, origins, captures)) {
        fail(Failure::work, "expected positions whose captures can be counted, got too many routes");
    }
    for (auto const& capture : captures) { visit(turned(after(position, capture))); }
}

// Calls `visit(next)` with the position after each move of a position in which nothing can be taken.
template <class R, class Visit>
void each_successor_by_quiet_move(Position<R> const& position, Visit&& visit) {
    each_quiet_successor<Colour::black>(position, [&](Position<R> const& next) { visit(turned(next)); });
}

namespace detail {

// Where a man that stands on `target` may have come from in a direction, empty or not on the board: over men
// of its own where these rules let it pass them.
template <class R, class At>
typename R::Set man_came_from(Position<R> const& before, At direction, typename R::Set target) {
    auto const& rules = before.rules;
    auto const all = rules.board().board;
    auto origin = rules.step(reverse(direction), target) & all;
    if (rules->lines_step) {
        auto const passed = before.walking_men() - target;
        while (origin.meets(passed)) { origin = rules.step(reverse(direction), origin) & all; }
    }
    origin = origin & before.empty();
    return rules->rests_on_far_row ? origin - rules.template far_row<Colour::black>() : origin;
}

}  // namespace detail

// Unmove generation: calls `visit(before)` with each position from which a move that neither takes nor crowns
// leads to `position`.
template <class R, class Visit>
void each_predecessor(Position<R> const& position, Visit&& visit) {
    auto const& rules = position.rules;
    auto const crown_squares = rules.template crown_squares<Colour::black>();
    auto const now = turned(position);
    // The same board, as the side that has just moved sees it.
    auto before = now;
    before.own = now.theirs;
    before.theirs = now.own;
    auto const visit_legal = [&](Position<R> const& found) {
        if (!decided<Colour::black>(found) && capturing<Colour::black>(found).empty()) { visit(found); }
    };
    auto const empty = before.empty();
    for (auto king : before.own_kings()) {
        each_direction(rules.king_steps(), [&](auto direction) {
            for (auto origin : king_reach(rules, direction, king, empty)) {
                auto found = before;
                found.own = before.own ^ (king | origin);
                found.kings = before.kings ^ (king | origin);
                visit_legal(found);
            }
        });
    }
    for (auto man : before.walking_men()) {
        each_direction(rules.template man_steps<Colour::black>(), [&](auto direction) {
            auto const origin = detail::man_came_from(before, direction, man);
            if (origin.empty()) { return; }
            bool const is_mule = before.has_mules() && before.marked(man);
            if (!is_mule && origin.meets(crown_squares)) { return; }
            auto found = before;
            found.own = before.own ^ (man | origin);
            if constexpr (R::may_have_marks) {
                if (is_mule) { found.marks = before.marks ^ (man | origin); }
            }
            visit_legal(found);
        });
    }
}

}  // namespace crownhead::endgame
