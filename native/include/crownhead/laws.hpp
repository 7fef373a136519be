// The laws of one set of rules behind an interface, for code that handles positions of any variant.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "crownhead/ending.hpp"
#include "crownhead/perft.hpp"
#include "crownhead/state.hpp"

namespace crownhead {

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

// All squares are numbers, from 1. Where bits lie is the same whatever the size of the words that are used.
class Laws {
  public:
    // `table` outlives the laws.
    explicit Laws(RuleTable<Wide> const& table) : table_{table} {}
    virtual ~Laws() = default;

    Rules const& rules() const { return table_.rules; }
    int squares() const { return table_.board.squares; }
    Wide bit(int number) const { return Wide{1} << index(table_.board.square(number)); }
    std::uint8_t number(int bit) const { return table_.board.number(static_cast<Square>(bit)); }
    Wide crown_squares(Colour colour) const { return side(colour).crown_squares.bits(); }
    Wide far_row(Colour colour) const { return side(colour).far_row.bits(); }

    // `Verdict::illegal` comes from `play` alone. Moves are shown ascending by path.
    virtual Verdict legal_moves(State const& state, PlyVisitor visit, Budget budget) const = 0;
    virtual Verdict find(State const& state, std::span<std::uint8_t const> named, PlyVisitor visit,
                         Budget budget) const = 0;
    virtual Verdict play(State const& state, Ply const& ply, State& next, Budget budget) const = 0;
    virtual Count perft(State const& state, int depth, bool bulk, Patience patience) const = 0;
    virtual Decision ending(State const& state) const = 0;

  private:
    Side<Wide> const& side(Colour colour) const {
        return colour == Colour::black ? table_.black : table_.white;
    }

    RuleTable<Wide> const& table_;
};

}  // namespace crownhead
