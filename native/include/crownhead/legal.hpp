// The legal captures of a position: those of the highest priority, each identity once.
#pragma once

#include <memory>
#include <unordered_set>

#include "crownhead/captures.hpp"
#include "crownhead/inline_list.hpp"

namespace crownhead {

// A capture and the route that is shown for it: of all legal ones the lowest, square by square.
template <class R>
struct Route {
    Capture<R> capture;
    Trail<R> trail;
};

template <class R>
constexpr Capture<R> const& identity(Capture<R> const& capture) {
    return capture;
}
template <class R>
constexpr Capture<R> const& identity(Route<R> const& route) {
    return route.capture;
}

// A sink that keeps the best; Entry is Capture<R>, or Route<R> where the squares of the route matter.
template <class R, class Entry>
class BestCaptures {
    using Set = typename R::Set;

  public:
    static constexpr bool tracks = std::is_same_v<Entry, Route<R>>;
    static constexpr bool may_skip_routes = true;

    explicit BestCaptures(Position<R> const& position) : position_{position} {}

    auto begin() const { return list_.begin(); }
    auto end() const { return list_.end(); }
    std::size_t size() const { return list_.size(); }
    Rank<R> rank() const { return rank_; }

    bool admits(Set) const { return true; }

    void clear() {
        list_.clear();
        rank_ = 0;
        seen_ = std::make_unique<Seen>();
    }

    template <class AnyTrail>
    void take(Capture<R> const& capture, KingsMet met, AnyTrail const& trail) {
        if (!position_.rules->free_choice()) {
            auto const key = crownhead::rank(position_, capture, met);
            if (key < rank_) { return; }
            if (key > rank_) {
                list_.clear();
                if (seen_) { seen_->clear(); }
                rank_ = key;
            }
        }
        if (known(capture)) { return; }
        if constexpr (tracks) {
            list_.push_back({capture, trail});
        } else {
            list_.push_back(capture);
        }
    }

  private:
    struct Hash {
        std::size_t operator()(Capture<R> const& capture) const {
            auto const word = capture.taken.bits() * 0x9E3779B97F4A7C15U ^ capture.target.bits();
            return static_cast<std::size_t>((word ^ word >> 31) * 0xD6E8FEB86659FD93U >>
                                            (capture.crowns ? 1 : 0));
        }
    };

    using Seen = std::unordered_set<Capture<R>, Hash>;

    // Routes come lowest first, so the first of an identity is the one to keep.
    bool known(Capture<R> const& capture) {
        if (seen_) { return !seen_->insert(capture).second; }
        for (auto const& entry : list_) {
            if (identity<R>(entry) == capture) { return true; }
        }
        return false;
    }

    Position<R> const& position_;
    InlineList<Entry, 32> list_;
    Rank<R> rank_ = 0;
    std::unique_ptr<Seen> seen_;  // for the search that remembers, where there may be many
};

template <class R>
using CaptureList = BestCaptures<R, Capture<R>>;
template <class R>
using RouteList = BestCaptures<R, Route<R>>;

// Fills `list` with the legal captures of the pieces in `origins`. False: there are too many.
template <Colour Us, class R, class Entry>
bool find_captures(Position<R> const& position, typename R::Set origins, BestCaptures<R, Entry>& list,
                   Budget budget = {}) {
    return CaptureSearch<R, Us, BestCaptures<R, Entry>>{position, list, budget}.run(origins);
}

}  // namespace crownhead
