// Perft: how many sequences of moves of a given length a position has.
#pragma once

#include <cstdint>

#include "crownhead/ending.hpp"
#include "crownhead/legal.hpp"
#include "crownhead/single_captures.hpp"

namespace crownhead {

// Whether to go on; called every few milliseconds.
struct Patience {
    bool (*lasts)(void* context) = nullptr;
    void* context = nullptr;
};

enum class Halt : std::uint8_t { none, too_many_captures, impatience };

template <class R, bool Bulk>
class Perft {
  public:
    explicit Perft(Patience patience) : patience_{patience} {}

    template <Colour Us>
    std::uint64_t count(Position<R> const& position, int depth) {
        if (depth == 0) { return 1; }
        if (decided<Us>(position)) { return 0; }
        if (depth >= depth_of_patience && !wait()) { return 0; }
        auto const origins = capturing<Us>(position);
        if (!origins.empty()) [[unlikely]] {
            SingleCaptures<Us, R> const captures{position};
            if (captures.complete(origins)) { return count_single<Us>(position, captures, depth); }
            return count_captures<Us>(position, origins, depth);
        }
        if (Bulk && depth == 1) { return static_cast<std::uint64_t>(count_quiet<Us>(position)); }
        std::uint64_t nodes = 0;
        each_quiet_successor<Us>(
            position, [&](Position<R> const& next) { nodes += count<opponent(Us)>(next, depth - 1); });
        return nodes;
    }

    // Unless this is `none`, the count is not valid.
    Halt halt() const { return halt_; }

  private:
    static constexpr int depth_of_patience = 7;

    template <Colour Us>
    std::uint64_t count_single(Position<R> const& position, SingleCaptures<Us, R> const& captures,
                               int depth) {
        if (Bulk && depth == 1) { return static_cast<std::uint64_t>(captures.count()); }
        std::uint64_t nodes = 0;
        captures.each([&](Capture<R> const& capture) {
            nodes += count<opponent(Us)>(after(position, capture), depth - 1);
        });
        return nodes;
    }

    template <Colour Us>
    [[gnu::noinline]] std::uint64_t count_captures(Position<R> const& position, typename R::Set origins,
                                                   int depth) {
        CaptureList<R> captures{position};
        if (!find_captures<Us>(position, origins, captures)) {
            halt_ = Halt::too_many_captures;
            return 0;
        }
        if (Bulk && depth == 1) { return captures.size(); }
        std::uint64_t nodes = 0;
        for (auto const& capture : captures) {
            if (halt_ != Halt::none) { return 0; }
            nodes += count<opponent(Us)>(after(position, capture), depth - 1);
        }
        return nodes;
    }

    bool wait() {
        if (halt_ == Halt::none && patience_.lasts != nullptr && !patience_.lasts(patience_.context)) {
            halt_ = Halt::impatience;
        }
        return halt_ == Halt::none;
    }

    Patience patience_;
    Halt halt_ = Halt::none;
};

}  // namespace crownhead
