// Whether some route of a capture leads over squares that a move text names.
#pragma once

#include <span>

#include "crownhead/legal.hpp"

namespace crownhead {

// Where a piece may be said to stand between the captures `i` and `i + 1` of a route: on the square where
// it turns, or, if the line goes on, on any square between the two pieces taken.
template <class R>
typename R::Set stops(Position<R> const& position, Capture<R> const& capture, Trail<R> const& trail,
                      std::size_t i) {
    using Set = typename R::Set;
    auto const& rules = position.rules;
    Set const behind{trail.taken[i]};
    Set const ahead{trail.taken[i + 1]};
    Set empty = position.empty() | capture.origin;
    if (rules->removal == Removal::at_once) {
        for (std::size_t before = 0; before < i; ++before) { empty |= Set{trail.taken[before]}; }
    }
    Set found{trail.landed[i]};
    each_direction(rules.capture_lines(), [&](auto direction) {
        Set const line = rules.slide(direction, behind, empty);
        if (line.meets(Set{trail.landed[i]}) && rules.step(direction, line).meets(ahead)) { found |= line; }
    });
    return found;
}

// Whether `via` are among the squares a route stops on before its target, in that order.
template <class R>
bool leads_over(Position<R> const& position, Capture<R> const& capture, Trail<R> const& trail,
                std::span<Square const> via) {
    std::size_t matched = 0;
    for (std::size_t i = 0; i + 1 < trail.length && matched < via.size(); ++i) {
        if (stops(position, capture, trail, i).meets(typename R::Set{via[matched]})) { ++matched; }
    }
    return matched == via.size();
}

// A sink that looks for such a route among all the legal ones of one capture.
template <class R>
class RouteMatch {
    using Set = typename R::Set;

  public:
    static constexpr bool tracks = true;
    static constexpr bool may_skip_routes = false;

    RouteMatch(Position<R> const& position, Capture<R> const& wanted, Rank<R> rank,
               std::span<Square const> via)
        : position_{position}, wanted_{wanted}, rank_{rank}, via_{via} {}

    bool found() const { return found_; }

    bool admits(Set taken) const { return !found_ && taken.within(wanted_.taken); }
    void clear() {}
    void take(Capture<R> const& capture, KingsMet met, Trail<R> const& trail) {
        if (capture == wanted_ && rank(position_, capture, met) == rank_ &&
            leads_over(position_, capture, trail, via_)) {
            found_ = true;
        }
    }

  private:
    Position<R> const& position_;
    Capture<R> wanted_;
    Rank<R> rank_;
    std::span<Square const> via_;
    bool found_ = false;
};

}  // namespace crownhead
