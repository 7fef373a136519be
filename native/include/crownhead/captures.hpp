// The capture search: every route of every piece, tried in ascending order of the squares it lands on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_set>

#include "crownhead/movegen.hpp"

namespace crownhead {

// How many nodes one capture search may visit before it gives up. Boards of real games need a few
// hundred at most; crafted ones take the second attempt, which is slower but visits no state twice.
struct Budget {
    int plain = 1 << 11;
    int distinct = 1 << 18;
    std::int64_t* left = nullptr;  // what several searches share, in nodes; each takes from it what it visits
};
inline constexpr int cost_of_memory = 32;  // of a node that is remembered, in nodes that are not

// Kings met on a route, the first in the highest bit; asked for by Priority::kings_first alone.
using KingsMet = std::uint64_t;
inline constexpr int kings_met_in_order = 48;  // beyond so many captures the order of kings does not count

// How many bits a component of the sort key takes.
constexpr int bits_of(Priority component) {
    switch (component) {
        case Priority::none: break;
        case Priority::with_king: return 1;
        case Priority::most_pieces:
        case Priority::most_kings: return 7;
        case Priority::most_value: return 15;
        case Priority::kings_first: return kings_met_in_order;
    }
    return 0;
}

// A word that holds the sort keys of the rules.
template <class R>
constexpr auto no_rank() {
    if constexpr (R::is_fixed) {
        constexpr int bits = [] {
            int sum = 0;
            for (Priority component : R::value.priority) { sum += bits_of(component); }
            return sum;
        }();
        return std::conditional_t<(bits <= 64), std::uint64_t, Wide>{0};
    } else {
        return Wide{0};
    }
}
template <class R>
using Rank = decltype(no_rank<R>());

// The sort key of a route under the capture priority of its rules.
template <class R>
constexpr Rank<R> rank(Position<R> const& position, Capture<R> const& capture, KingsMet met) {
    Rank<R> key = 0;
    for (Priority component : position.rules->priority) {
        if (component == Priority::none) { break; }
        std::uint64_t value = 0;
        auto const kings = [&] { return (capture.taken & position.kings).count(); };
        switch (component) {
            case Priority::none: break;
            case Priority::most_pieces: value = static_cast<unsigned>(capture.taken.count()); break;
            // FRI 11: k kings are worth less than 2k men and more than 2k - 1.
            case Priority::most_value:
                value = static_cast<unsigned>(100 * capture.taken.count() + 99 * kings());
                break;
            case Priority::with_king: value = position.kings.meets(capture.origin) ? 1U : 0U; break;
            case Priority::most_kings: value = static_cast<unsigned>(kings()); break;
            case Priority::kings_first: value = met >> (64 - kings_met_in_order); break;
        }
        key = key << bits_of(component) | value;
    }
    return key;
}

// The squares of a route: what was taken, and where the piece landed after each. Where the line goes
// on behind a piece taken, that is the square directly behind it (PDN 3.0).
template <class R>
struct Trail {
    using Set = typename R::Set;

    std::array<Square, R::most_squares> taken;
    std::array<Square, R::most_squares> landed;
    std::size_t length = 0;

    void push(Set piece, Set land) {
        taken[length] = piece.first();
        landed[length] = land.first();
        ++length;
    }
    void pop() { --length; }
};

// A Sink gets every route that ends a capture:
//
//     static constexpr bool tracks           whether it wants to see the trails
//     static constexpr bool may_skip_routes  whether one route of those that meet in a state will do
//     bool admits(Set taken)                 whether routes that have taken these are of interest
//     void clear()                           forget everything, the search starts again
//     void take(Capture, KingsMet, Trail const&)
template <class R, Colour Us, class Sink>
class CaptureSearch {
    using Set = typename R::Set;

  public:
    CaptureSearch(Position<R> const& position, Sink& sink, Budget budget = {})
        : rules_{position.rules}, position_{position}, sink_{sink}, budget_{budget} {}

    // All captures of the pieces in `origins`. False: the budget is spent, the sink holds nonsense.
    bool run(Set origins) {
        search_within(budget_.plain, 1, origins);
        return nodes_ <= most_ || (Sink::may_skip_routes && run_with_memory(origins));
    }

  private:
    // Two routes in the same state can go on in the same ways.
    struct State {
        Set at;
        Set taken;
        KingsMet met;
        unsigned directions;

        friend bool operator==(State const&, State const&) = default;
    };
    struct HashState {
        std::size_t operator()(State const& state) const {
            auto const mix = [](std::uint64_t seed, std::uint64_t word) {
                return (seed ^ (word * 0x9E3779B97F4A7C15U)) * 0xD6E8FEB86659FD93U ^ seed >> 32;
            };
            auto hash = mix(state.directions, state.met);
            for (auto word : {state.at.bits(), state.taken.bits()}) {
                hash = mix(hash, static_cast<std::uint64_t>(word));
                if constexpr (sizeof word > 8) { hash = mix(hash, static_cast<std::uint64_t>(word >> 64)); }
            }
            return static_cast<std::size_t>(hash ^ hash >> 29);
        }
    };
    using Memory = std::unordered_set<State, HashState>;

    static constexpr unsigned any_direction = 0xFF;

    // Where a king may turn after a capture in this direction. Pieces that stay on the board keep it from
    // turning round by themselves.
    static constexpr unsigned turns(Rules const& rules, Direction direction) {
        unsigned const across = any_direction & ~mask(direction) & ~unsigned{mask(reverse(direction))};
        return rules.removal == Removal::at_once && rules.may_reverse ? across | mask(reverse(direction))
                                                                      : across;
    }
    // There and straight on.
    template <class At>
    auto ways_on(At direction) const {
        if constexpr (R::is_fixed) {
            return std::integral_constant<unsigned, turns(R::value, At::value) | mask(At::value)>{};
        } else {
            return turns(*rules_, direction) | mask(direction);
        }
    }

    // A function of its own, since it hardly ever runs.
    [[gnu::noinline]] bool run_with_memory(Set origins) {
        Memory memory;
        memory_ = &memory;
        sink_.clear();
        search_within(budget_.distinct, cost_of_memory, origins);
        memory_ = nullptr;
        return nodes_ <= most_;
    }

    // At most so many nodes, or as many as are left where each costs as much.
    void search_within(int most, int cost, Set origins) {
        nodes_ = 0;
        most_ = budget_.left == nullptr
                    ? most
                    : static_cast<int>(std::clamp<std::int64_t>(*budget_.left / cost, 0, most));
        search(origins);
        if (budget_.left != nullptr) { *budget_.left -= std::int64_t{std::min(nodes_, most_ + 1)} * cost; }
    }

    void search(Set origins) {
        for (auto origin : origins) {
            origin_ = origin;
            empty_ = position_.empty() | origin;
            crowned_ = false;
            if (memory_ != nullptr) { memory_->clear(); }
            if (position_.kings.meets(origin)) {
                prey_ = position_.theirs;
                from_king(origin, Set{}, KingsMet{}, any_direction);
                continue;
            }
            prey_ = prey_of_men(position_);
            if (rules_->jumps_only) {
                each_direction(rules_.template man_captures<Us>(),
                               [&](auto direction) { jump_along(direction, origin, Set{}); });
            } else if (position_.has_parachutists() && position_.marked(origin)) {
                drop(origin);
            } else {
                from_man(rules_.template man_captures<Us>(), origin, Set{}, KingsMet{});
            }
        }
    }

    // Whether this node is worth a visit: counted, within the budget and not yet remembered.
    bool enter(Set at, Set taken, KingsMet met, unsigned directions) {
        if (!sink_.admits(taken)) { return false; }
        ++nodes_;
        return nodes_ <= most_ &&
               (memory_ == nullptr || memory_->insert({at, taken, met, directions}).second);
    }

    // What is free once these are taken.
    Set free(Set taken) const { return rules_->removal == Removal::at_once ? empty_ | taken : empty_; }

    // A parachutist takes once.
    void drop(Set at) {
        each_direction(rules_.template parachutist_captures<Us>(), [&](auto direction) {
            auto const prey = rules_.step(direction, at) & prey_;
            auto const land = rules_.step(direction, prey) & empty_;
            if (!land.empty()) {
                track(prey, land);
                finish(land, prey, meet(prey, Set{}, KingsMet{}), false);
                untrack();
            }
        });
    }

    // Konane: along one line, ending wherever it likes.
    template <class At>
    void jump_along(At direction, Set at, Set taken) {
        if (!sink_.admits(taken)) { return; }
        auto const prey = rules_.step(direction, at) & prey_;
        auto const land = rules_.step(direction, prey) & empty_;
        if (land.empty()) { return; }
        track(prey, land);
        finish(land, taken | prey, KingsMet{}, false);
        jump_along(direction, land, taken | prey);
        untrack();
    }

    template <class List>
    void from_man(List const& directions, Set at, Set taken, KingsMet met) {
        if (!enter(at, taken, met, 0)) { return; }
        each_direction(directions, [&](auto direction) {
            auto const prey = rules_.step(direction, at) & (prey_ - taken);
            auto const land = rules_.step(direction, prey) & free(taken);
            if (!land.empty()) {
                land_man(prey, land, taken | prey, meet(prey, taken, met), ways_on(direction));
            }
        });
    }

    // `ways`: where a king may go on that has come in this direction.
    void land_man(Set prey, Set land, Set taken, KingsMet met, unsigned ways) {
        track(prey, land);
        bool const arrives = land.meets(rules_.template crown_squares<Us>());
        bool const crowns = arrives && detail::may_crown(position_, origin_);
        bool const stops = rules_->promotion == Promotion::stop && crowns;
        if (rules_->promotion == Promotion::carry_on && crowns) {
            land_crowned(land, taken, met, ways);
        } else if (!stops && man_can_take(land, taken)) {
            from_man(rules_.template man_goes_on<Us>(), land, taken, met);
        } else {
            finish(land, taken, met, crowns);
        }
        untrack();
    }

    // A man crowned while taking: from here on it takes as a king.
    void land_crowned(Set land, Set taken, KingsMet met, unsigned ways) {
        auto const prey_of_man = prey_;
        prey_ = position_.theirs;
        crowned_ = true;
        if (king_can_take(ways, land, taken)) {
            from_king(land, taken, met, ways);
        } else {
            finish(land, taken, met, true);
        }
        crowned_ = false;
        prey_ = prey_of_man;
    }

    bool man_can_take(Set at, Set taken) const {
        auto const& directions = rules_.template man_goes_on<Us>();
        return !jumps_from(rules_, directions, at, prey_ - taken, free(taken)).empty();
    }

    // Whether a king could go on from one of `from` in one of the ways, a bit for each direction.
    template <class Ways>
    bool king_can_take(Ways ways, Set from, Set taken) const {
        Set found;
        each_direction(rules_.king_captures(), [&](auto direction) {
            if ((ways & mask(direction)) != 0) {
                found |= king_takes_from(rules_, direction, from, prey_ - taken, free(taken));
            }
        });
        return !found.empty();
    }

    // One way on for a king: the piece it takes and the squares behind it where it may land.
    struct Jump {
        Set prey;
        Set lands;
        Set nearest;           // of the lands, the one directly behind the piece taken
        bool goes_on = false;  // then only landings from which the capture goes on are legal
    };

    template <class At>
    Jump jump(At direction, Set at, Set taken) const {
        Jump found;
        auto const empty = free(taken);
        auto ray = at;
        if (rules_->flying_king) { ray |= rules_.slide(direction, at, empty); }
        found.prey = rules_.step(direction, ray) & (prey_ - taken);
        found.nearest = rules_.step(direction, found.prey) & empty;
        found.lands = found.nearest;
        if (rules_->flying_king && rules_->landing != Landing::behind) {
            found.lands |= rules_.slide(direction, found.nearest, empty);
        }
        if (!found.lands.empty()) {
            found.goes_on = king_can_take(ways_on(direction), found.lands, taken | found.prey);
        }
        if (rules_->landing == Landing::behind_last_king && !found.goes_on &&
            position_.kings.meets(found.prey)) {
            found.lands = found.nearest;
        }
        return found;
    }

    // `directions`: a bit for each direction that the king may take in. Straight on it may go from the
    // square directly behind the piece just taken only, or one line would count as many routes.
    void from_king(Set at, Set taken, KingsMet met, unsigned directions) {
        if (!enter(at, taken, met, directions | (crowned_ ? any_direction + 1 : 0U))) { return; }
        std::array<Jump, 8> jumps;
        Set lands;
        each_direction(rules_.king_captures(), [&](auto direction) {
            if ((directions & mask(direction)) != 0) {
                auto& found = jumps[static_cast<std::size_t>(Direction{direction})];
                found = jump(direction, at, taken);
                lands |= found.lands;
            }
        });
        for (auto land : lands) {
            std::size_t direction = 0;
            while (!jumps[direction].lands.meets(land)) { ++direction; }
            land_king(jumps[direction], static_cast<Direction>(direction), land, taken, met);
        }
    }

    void land_king(Jump const& jump, Direction direction, Set land, Set taken, KingsMet met) {
        auto const all_taken = taken | jump.prey;
        auto const all_met = meet(jump.prey, taken, met);
        track(jump.prey, land);
        if (!jump.goes_on) {
            finish(land, all_taken, all_met, crowned_);
        } else {
            unsigned const straight = land == jump.nearest ? mask(direction) : 0U;
            from_king(land, all_taken, all_met, turns(*rules_, direction) | straight);
        }
        untrack();
    }

    KingsMet meet(Set prey, Set taken, KingsMet met) const {
        if (!rules_->asks(Priority::kings_first) || !position_.kings.meets(prey)) { return met; }
        int const before = taken.count();
        return before < kings_met_in_order ? met | KingsMet{1} << (63 - before) : met;
    }

    void track(Set prey, Set land) {
        if constexpr (Sink::tracks) { trail_.push(prey, land); }
    }
    void untrack() {
        if constexpr (Sink::tracks) { trail_.pop(); }
    }
    void finish(Set land, Set taken, KingsMet met, bool crowns) {
        sink_.take(Capture<R>{origin_, land, taken, crowns}, met, trail_);
    }

    struct NoTrail {};

    [[no_unique_address]] R rules_;
    Position<R> const& position_;
    Sink& sink_;
    Set origin_;
    Set empty_;
    Set prey_;
    bool crowned_ = false;
    Budget budget_;
    int nodes_ = 0;
    int most_ = 0;
    Memory* memory_ = nullptr;
    [[no_unique_address]] std::conditional_t<Sink::tracks, Trail<R>, NoTrail> trail_;
};

}  // namespace crownhead
