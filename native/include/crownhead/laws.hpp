// The laws of one rule set behind plain functions, for code that handles positions of any variant.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "crownhead/bits.hpp"
#include "crownhead/ending.hpp"
#include "crownhead/perft.hpp"
#include "crownhead/rules.hpp"

namespace crownhead {

namespace engine {
struct EngineFactory;
}
namespace endgame {
struct Endgames;
}

// A position of any rule set; the bits lie as its own board has them.
struct State {
    Wide own;
    Wide theirs;
    Wide kings;
    Wide marks;
    Colour turn;
    // Where the rules limit the steps of one king in a row; the sets hold one king or none.
    Wide own_run = 0;
    Wide their_run = 0;
    std::uint8_t own_steps = 0;
    std::uint8_t their_steps = 0;

    friend constexpr bool operator==(State const&, State const&) = default;
};

// A move in square numbers, alive while it is being shown.
struct Ply {
    std::uint8_t origin;
    std::uint8_t target;
    bool crowns;
    std::span<std::uint8_t const> captures;  // in the order taken
    std::span<std::uint8_t const> path;      // origin, landing squares, target
};

// A function to call with each move.
class PlyVisitor {
  public:
    template <class Visit>
    explicit PlyVisitor(Visit& visit)
        : context_{std::addressof(visit)}, call_{[](void* context, Ply const& ply) {
              (*static_cast<Visit*>(context))(ply);
          }} {}

    void operator()(Ply const& ply) const { call_(context_, ply); }

  private:
    void* context_;
    void (*call_)(void*, Ply const&);
};

enum class Verdict : std::uint8_t { done, illegal, too_many_captures };

struct Count {
    std::uint64_t nodes = 0;
    Halt halt = Halt::none;
};

// All squares are numbers, from 1. `Verdict::illegal` comes from `play` alone.
struct Laws {
    int squares;
    Marked marked;
    int king_run;
    Wide (*bit)(int number);
    std::uint8_t (*number)(int bit);
    Wide (*crown_squares)(Colour colour);
    Wide (*far_row)(Colour colour);
    Verdict (*legal_moves)(State const& state, PlyVisitor visit);  // ascending by path
    Verdict (*find)(State const& state, std::span<std::uint8_t const> named, PlyVisitor visit);
    Verdict (*play)(State const& state, Ply const& ply, State& next);
    Count (*perft)(State const& state, int depth, bool bulk, Patience patience);
    Decision (*ending)(State const& state);
};

// A row of the table as far as the kernel needs it. Squares are numbers.
struct Variant {
    std::string_view key;
    Laws const* laws;
    engine::EngineFactory const* engine_factory;
    endgame::Endgames const* endgames;
    std::string_view tables_key;  // the first variant with the same endgames: its tables serve both
    std::uint64_t fingerprint;    // of the rules of its endgames
    Objective objective;
    Colour first;
    std::span<std::uint8_t const> black;
    std::span<std::uint8_t const> white;
    std::span<std::uint8_t const> marked;  // among the above
};

std::span<Variant const> variants();

}  // namespace crownhead
