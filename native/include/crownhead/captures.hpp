// The capture search: every route of every piece, tried in ascending order of the squares it lands on.
#pragma once

#include <cstddef>
#include <unordered_set>

#include "crownhead/movegen.hpp"

namespace crownhead {

// How many nodes one capture search may visit before it gives up. Boards of real games need a few
// hundred at most; crafted ones take the second attempt, which is slower but visits no state twice.
struct Budget {
    int plain = 1 << 11;
    int distinct = 1 << 18;
};

// Kings met on a route, the first in the highest bit; asked for by Priority::kings_first alone.
using KingsMet = std::uint64_t;

// The sort key of a route under the capture priority of R.
template <Rules R>
constexpr std::uint64_t rank(Position<R> const& position, Capture<R> const& capture, KingsMet met) {
    std::uint64_t key = 0;
    for (Priority component : R.priority) {
        switch (component) {
            case Priority::none: break;
            case Priority::most_pieces: key = key << 6 | static_cast<unsigned>(capture.taken.count()); break;
            case Priority::with_king:
                key = key << 1 | (position.kings.meets(capture.origin) ? 1U : 0U);
                break;
            case Priority::most_kings:
                key = key << 6 | static_cast<unsigned>((capture.taken & position.kings).count());
                break;
            case Priority::kings_first: key = key << 48 | met >> 16; break;
        }
    }
    return key;
}

// The squares of a route: what was taken, and where the piece landed after each. Where the line goes
// on behind a piece taken, that is the square directly behind it (PDN 3.0).
template <Rules R>
struct Trail {
    using Set = typename Position<R>::Set;
    static constexpr std::size_t capacity = static_cast<std::size_t>(Geometry<R.board>::squares);

    std::array<Square, capacity> taken;
    std::array<Square, capacity> landed;
    std::size_t length = 0;

    void push(Set piece, Set land) {
        taken[length] = piece.first();
        landed[length] = land.first();
        ++length;
    }
    void pop() { --length; }
};

// A Sink is told of every route that ends a capture:
//
//     static constexpr bool tracks           whether it wants to see the trails
//     static constexpr bool may_skip_routes  whether one route of those that meet in a state will do
//     bool admits(Set taken)                 whether routes that have taken these are of interest
//     void clear()                           forget everything, the search starts anew
//     void take(Capture, KingsMet, Trail const&)
template <Rules R, Colour Us, class Sink>
class CaptureSearch {
    using Board = Geometry<R.board>;
    using Set = typename Position<R>::Set;

  public:
    CaptureSearch(Position<R> const& position, Sink& sink, Budget budget = {})
        : position_{position}, sink_{sink}, budget_{budget} {}

    // All captures of the pieces in `origins`. False: the budget is spent, the sink holds nonsense.
    bool run(Set origins) {
        search(origins);
        return nodes_ <= budget_.plain || (Sink::may_skip_routes && run_with_memory(origins));
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

    static constexpr unsigned any_direction = 0b1111;
    static constexpr unsigned mask(Direction direction) { return 1U << static_cast<unsigned>(direction); }
    static constexpr unsigned across(Direction direction) {
        return any_direction & ~mask(direction) & ~mask(reverse(direction));
    }

    // In a function of its own, for it hardly ever runs.
    [[gnu::noinline]] bool run_with_memory(Set origins) {
        Memory memory;
        memory_ = &memory;
        nodes_ = 0;
        sink_.clear();
        search(origins);
        memory_ = nullptr;
        return nodes_ <= budget_.distinct;
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
            } else {
                prey_ = prey_of_men(position_);
                from_man(origin, Set{}, KingsMet{});
            }
        }
    }

    // Whether this node is worth a visit: counted, within the budget and not yet remembered.
    bool enter(Set at, Set taken, KingsMet met, unsigned directions) {
        if (!sink_.admits(taken)) { return false; }
        ++nodes_;
        if (memory_ == nullptr) { return nodes_ <= budget_.plain; }
        return nodes_ <= budget_.distinct && memory_->insert({at, taken, met, directions}).second;
    }

    void from_man(Set at, Set taken, KingsMet met) {
        if (!enter(at, taken, met, 0)) { return; }
        each_direction<man_capture_directions<R, Us>()>([&]<Direction D>() {
            auto const prey = Board::template step<D>(at) & (prey_ - taken);
            auto const land = Board::template step<D>(prey) & empty_;
            if (!land.empty()) { land_man(prey, land, taken | prey, meet(prey, taken, met)); }
        });
    }

    void land_man(Set prey, Set land, Set taken, KingsMet met) {
        track(prey, land);
        bool const on_crown_row =
            land.meets(Board::template crown_row<Us>) && detail::may_crown(position_, origin_);
        bool const stops = R.promotion == Promotion::stop && land.meets(Board::template crown_row<Us>);
        if (R.promotion == Promotion::carry_on && on_crown_row) {
            land_crowned(land, taken, met);
        } else if (!stops && man_can_take(land, taken)) {
            from_man(land, taken, met);
        } else {
            finish(land, taken, met, on_crown_row);
        }
        untrack();
    }

    // A man crowned while taking: from here on it takes as a king.
    void land_crowned(Set land, Set taken, KingsMet met) {
        auto const prey_of_man = prey_;
        prey_ = position_.theirs;
        crowned_ = true;
        if (king_can_take<any_direction>(land, taken)) {
            from_king(land, taken, met, any_direction);
        } else {
            finish(land, taken, met, true);
        }
        crowned_ = false;
        prey_ = prey_of_man;
    }

    bool man_can_take(Set at, Set taken) const {
        bool found = false;
        each_direction<man_capture_directions<R, Us>()>([&]<Direction D>() {
            auto const prey = Board::template step<D>(at) & (prey_ - taken);
            found |= !(Board::template step<D>(prey) & empty_).empty();
        });
        return found;
    }

    // Whether a king could go on from one of `from` in one of the directions.
    template <unsigned Directions>
    bool king_can_take(Set from, Set taken) const {
        Set found;
        each_direction<all_directions>([&]<Direction D>() {
            if constexpr ((Directions & mask(D)) != 0) {
                found |= king_takes_from<D, R>(from, prey_ - taken, empty_);
            }
        });
        return !found.empty();
    }

    // One way on for a king: the piece it takes and the squares behind it where it may land.
    struct Jump {
        Set prey;
        Set lands;
        Set nearest;           // of the lands, the one directly behind the prey
        bool goes_on = false;  // then only landings from which the capture goes on are legal
    };

    template <Direction D>
    Jump jump(Set at, Set taken) const {
        Jump found;
        auto ray = at;
        if constexpr (R.flying_king) { ray |= Board::template slide<D>(at, empty_); }
        found.prey = Board::template step<D>(ray) & (prey_ - taken);
        found.nearest = Board::template step<D>(found.prey) & empty_;
        found.lands = found.nearest;
        if constexpr (R.flying_king) { found.lands |= Board::template slide<D>(found.nearest, empty_); }
        if (!found.lands.empty()) {
            found.goes_on = king_can_take<across(D) | mask(D)>(found.lands, taken | found.prey);
        }
        return found;
    }

    // `directions`: a bit for each direction that the king may take in. Straight on it may go from the
    // square directly behind the piece just taken only, lest one line count as many routes.
    void from_king(Set at, Set taken, KingsMet met, unsigned directions) {
        if (!enter(at, taken, met, directions | (crowned_ ? any_direction + 1 : 0U))) { return; }
        std::array<Jump, 4> jumps;
        Set lands;
        each_direction<all_directions>([&]<Direction D>() {
            if ((directions & mask(D)) != 0) {
                auto& found = jumps[static_cast<std::size_t>(D)];
                found = jump<D>(at, taken);
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
            from_king(land, all_taken, all_met, across(direction) | straight);
        }
        untrack();
    }

    KingsMet meet(Set prey, Set taken, KingsMet met) const {
        if constexpr (R.asks(Priority::kings_first)) {
            return position_.kings.meets(prey) ? met | KingsMet{1} << (63 - taken.count()) : met;
        } else {
            return met;
        }
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

    Position<R> const& position_;
    Sink& sink_;
    Set origin_;
    Set empty_;
    Set prey_;
    bool crowned_ = false;
    Budget budget_;
    int nodes_ = 0;
    Memory* memory_ = nullptr;
    [[no_unique_address]] std::conditional_t<Sink::tracks, Trail<R>, NoTrail> trail_;
};

}  // namespace crownhead
