// What the parts of the module for browsers share: its one buffer, the variant that it plays, and what it
// asks of the page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crownhead/draws.hpp"
#include "crownhead/endgame/endgames.hpp"
#include "crownhead/engine/searcher.hpp"
#include "crownhead/failure.hpp"
#include "crownhead/rule_tables.hpp"
#include "crownhead/variant.hpp"

#define CROWNHEAD_EXPORT(name) extern "C" __attribute__((export_name(#name)))
#define CROWNHEAD_IMPORT(name) extern "C" __attribute__((import_module("crownhead"), import_name(#name)))

namespace crownhead::wasm {

// What the page writes and reads: arguments and answers, in place of each other. Numbers are little-endian.
std::vector<std::uint8_t>& buffer();

// Reads numbers of 32 bits from the buffer, one after the other.
class Numbers {
  public:
    explicit Numbers(std::size_t count) : count_{count} {}
    int next() {
        if (at_ >= count_) { fail(Failure::rules, "expected more numbers"); }
        std::int32_t number = 0;
        std::memcpy(&number, buffer().data() + 4 * at_++, sizeof number);
        return number;
    }
    // From 0 to `highest`.
    int next(int highest);

  private:
    std::size_t count_;
    std::size_t at_ = 0;
};

// The variant that this instance of the module plays, and its engine.
struct Played {
    explicit Played(VariantRow known, std::vector<CountedDraw> rules_of_draws);

    VariantRow row;
    RuleTables tables;
    Specialisation const* specialisation;  // where the module has code for these rules of their own
    std::unique_ptr<Laws> laws;
    std::vector<CountedDraw> draws;
    std::unique_ptr<engine::Searcher> searcher;
    std::unique_ptr<endgame::Tables> endgames;

    bool stuck_wins() const { return row.objective == Objective::mover_wins; }
};
Played& played();  // fails where it is not there yet

// A position in the buffer is a row of bytes: the side to move (0 Black, 1 White), the square and the steps
// of Black's run of a king, those of White's, then for each square in the order of its number 0 for none, 1 a
// black man, 2 a black king, 3 a marked black man, 4 to 6 the same of White.
inline constexpr std::size_t head_of_position = 5;
std::size_t size_of_position();
// Fails (`Failure::rules`) where it is none.
State read_position(std::uint8_t const* bytes);
void write_position(State const& state, std::uint8_t* bytes);

}  // namespace crownhead::wasm
