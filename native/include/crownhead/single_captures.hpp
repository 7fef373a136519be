// Captures of a position in which only men can take, and none can take more than one piece: without a search.
#pragma once

#include "crownhead/movegen.hpp"

namespace crownhead {

// Most captures of most games are of this sort. Each takes another piece or lands on another square, so that
// no two of them are the same move, and all of them rank alike.
template <Colour Us, class R>
class SingleCaptures {
    using Set = typename R::Set;

  public:
    explicit constexpr SingleCaptures(Position<R> const& position)
        : position_{position},
          rules_{position.rules},
          men_{position.own_men()},
          prey_{prey_of_men(position)},
          empty_{position.empty()} {}

    // Whether all captures by the pieces in `origins` are of this sort.
    [[gnu::always_inline]] constexpr bool complete(Set origins) const {
        if (rules_->jumps_only || position_.has_parachutists() || origins.meets(position_.kings)) {
            return false;
        }
        // Of two pieces taken, one may rank above the other.
        if (ranks_pieces() && prey_.meets(position_.kings)) { return false; }
        auto const crowns = rules_.template crown_squares<Us>();
        bool single = true;
        each_direction(rules_.template man_captures<Us>(), [&](auto direction) {
            auto const lands = landings(direction);
            if (rules_->promotion == Promotion::carry_on) { single = single && !lands.meets(crowns); }
            // A mule goes on from there.
            bool const stops = rules_->promotion == Promotion::stop && !position_.has_mules();
            auto const going_on = stops ? lands - crowns : lands;
            single = single && !going_on.meets(jumping_on(reverse(direction)));
        });
        return single;
    }

    constexpr int count() const {
        int count = 0;
        each_direction(rules_.template man_captures<Us>(),
                       [&](auto direction) { count += landings(direction).count(); });
        return count;
    }

    // Calls `visit(capture)` with each.
    template <class Visit>
    constexpr void each(Visit&& visit) const {
        each_direction(rules_.template man_captures<Us>(), [&](auto direction) {
            auto const back = reverse(direction);
            for (auto target : landings(direction)) {
                auto const taken = rules_.step(back, target);
                auto const origin = rules_.step(back, taken);
                bool const crowns =
                    target.meets(rules_.template crown_squares<Us>()) && detail::may_crown(position_, origin);
                visit(Capture<R>{origin, target, taken, crowns});
            }
        });
    }

  private:
    // Whether captures of as many pieces compete by which pieces they are.
    constexpr bool ranks_pieces() const {
        return rules_->asks(Priority::most_value) || rules_->asks(Priority::most_kings) ||
               rules_->asks(Priority::kings_first);
    }

    template <class At>
    constexpr Set landings(At direction) const {
        return rules_.step(direction, rules_.step(direction, men_) & prey_) & empty_;
    }

    // The squares from which a man can jump on: not `back` over the piece that it has just taken.
    template <class At>
    constexpr Set jumping_on(At back) const {
        Set found;
        each_direction(rules_.template man_goes_on<Us>(), [&](auto direction) {
            if (direction == back) { return; }
            auto const behind = reverse(direction);
            found |= rules_.step(behind, rules_.step(behind, empty_) & prey_);
        });
        return found;
    }

    Position<R> const& position_;
    R rules_;
    Set men_;
    Set prey_;
    Set empty_;
};

}  // namespace crownhead
