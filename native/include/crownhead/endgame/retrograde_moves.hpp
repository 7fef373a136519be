// Moves and unmoves for retrograde analysis, in positions turned so that Black is to move.
#pragma once

#include <stdexcept>

#include "crownhead/endgame/position_indexer.hpp"
#include "crownhead/endgame/value.hpp"
#include "crownhead/legal.hpp"

namespace crownhead::endgame {

// A table knows only where the pieces stand. Where runs of kings count, that is enough for kings alone; where
// every move is a jump (konane), no position is quiet.
template <Rules R>
inline constexpr bool has_tables = !R.jumps_only;

template <Rules R>
inline constexpr Kinds kinds_of{.men = R.king_run == 0,
                                .kings = R.crowning != Crowning::never && !R.first_king_wins,
                                .marked = R.marked != Marked::none};

template <Rules R>
Material material_of(Position<R> const& position) {
    auto const force = [&](auto side) {
        Force force;
        force.kings = static_cast<std::uint8_t>((side & position.kings).count());
        if constexpr (R.marked != Marked::none) {
            force.marked = static_cast<std::uint8_t>((side & position.marks).count());
        }
        force.men = static_cast<std::uint8_t>(side.count() - force.kings - force.marked);
        return force;
    };
    return {force(position.own), force(position.theirs)};
}

// The value of a position that ends the game by itself, whatever moves there are.
template <Rules R>
bool is_over(Position<R> const& position, bool stuck_wins, Value& value) {
    if constexpr (R.has_mules() || R.first_king_wins) {
        if (auto const decision = decide<Colour::black>(position); decision.cause != Cause::none) {
            value = decision.mover_wins ? win(0) : loss(0);
            return true;
        }
    }
    value = stuck_wins ? win(0) : loss(0);
    return position.own.empty();
}

// Calls `visit(next)` with the position after each capture of the pieces in `origins`.
template <Rules R, class Visit>
void each_successor_by_capture(Position<R> const& position, typename Position<R>::Set origins,
                               Visit&& visit) {
    CaptureList<R> captures{position};
    if (!find_captures<Colour::black>(position, origins, captures)) {
        throw std::runtime_error("expected positions whose captures can be counted, got too many routes");
    }
    for (auto const& capture : captures) { visit(turned(after(position, capture))); }
}

// Calls `visit(next)` with the position after each move of a position in which nothing can be taken.
template <Rules R, class Visit>
void each_successor_by_quiet_move(Position<R> const& position, Visit&& visit) {
    each_quiet_successor<Colour::black>(position, [&](Position<R> const& next) { visit(turned(next)); });
}

namespace detail {

// Where a man that stands on `target` may have come from in direction D, empty or not on the board: over men
// of its own where these rules let it pass them.
template <Direction D, Rules R>
typename Position<R>::Set man_came_from(Position<R> const& before, typename Position<R>::Set target) {
    using Board = Geometry<R.board>;
    using Black = Side<R, Colour::black>;
    auto origin = Board::template step<reverse(D)>(target) & Board::board;
    if constexpr (R.lines_step) {
        auto const passed = before.walking_men() - target;
        while (origin.meets(passed)) { origin = Board::template step<reverse(D)>(origin) & Board::board; }
    }
    origin = origin & before.empty();
    if constexpr (R.rests_on_far_row) { origin = origin - Black::far_row; }
    return origin;
}

}  // namespace detail

// Unmove generation: calls `visit(before)` with each position from which a move that neither takes nor crowns
// leads to `position`.
template <Rules R, class Visit>
void each_predecessor(Position<R> const& position, Visit&& visit) {
    using Black = Side<R, Colour::black>;
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
        each_direction<Kings<R>::steps>([&]<Direction D>() {
            for (auto origin : king_reach<D, R>(king, empty)) {
                auto found = before;
                found.own = before.own ^ (king | origin);
                found.kings = before.kings ^ (king | origin);
                visit_legal(found);
            }
        });
    }
    for (auto man : before.walking_men()) {
        each_direction<Black::man_steps>([&]<Direction D>() {
            auto const origin = detail::man_came_from<D>(before, man);
            if (origin.empty()) { return; }
            auto found = before;
            found.own = before.own ^ (man | origin);
            if constexpr (R.has_mules()) {
                if (before.marks.meets(man)) { found.marks = before.marks ^ (man | origin); }
                if (!before.marks.meets(man) && origin.meets(Black::crown_squares)) { return; }
            } else {
                if (origin.meets(Black::crown_squares)) { return; }
            }
            visit_legal(found);
        });
    }
}

}  // namespace crownhead::endgame
