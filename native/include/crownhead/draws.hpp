// What draw rules count along a game, advanced and taken back ply by ply.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crownhead/state.hpp"

namespace crownhead {

enum class DrawKind : std::uint8_t { repetition, quiet, material, balance };

// The pieces of a side.
struct DrawForce {
    int kings;
    int men;

    int pieces() const { return kings + men; }
    friend bool operator==(DrawForce const&, DrawForce const&) = default;
};

// What a move does that may end a count: bits of `crownhead.rules.draws`.
struct DrawProgress {
    static constexpr unsigned by_capture = 1;
    static constexpr unsigned by_man = 2;
    static constexpr unsigned by_crowning = 4;

    bool captures;
    bool by_a_man;
    bool crowns;

    unsigned bits() const {
        return (captures ? by_capture : 0U) | (by_a_man ? by_man : 0U) | (crowns ? by_crowning : 0U);
    }
};

struct CountedDraw {
    DrawKind kind;
    bool automatic;
    int enough;  // occurrences, or plies
    unsigned resets;
    std::vector<DrawForce> strong;
    std::vector<DrawForce> weak;
    int fewest;  // pieces on the board
    int most;
    bool on_road;
    Wide road;  // where the kings of the weak side must stand, if anywhere
};

class DrawCounts {
  public:
    static constexpr int not_standing =
        -1;  // in place of a count, where the pieces are not those of the rule

    DrawCounts(std::vector<CountedDraw> rules, State const& start);

    std::size_t plies() const { return line_.size() - 1; }
    State const& last() const { return line_.back(); }
    void push(DrawProgress const& move, State const& after);
    void pop();  // there is a ply to take back
    std::span<int const> counts() const { return std::span{counts_}.last(rules_.size()); }
    // Whether the count of a rule is enough, the rule being automatic or not.
    bool is_satisfied(std::size_t rule, bool automatic) const;
    std::size_t rules() const { return rules_.size(); }

  private:
    int next(CountedDraw const& rule, int count, unsigned done, int since, State const& state) const;
    int occurrences(State const& state, int since) const;
    static bool stands(CountedDraw const& rule, State const& state);

    std::vector<CountedDraw> rules_;
    std::vector<State> line_;
    std::vector<int> since_capture_;
    std::vector<int> counts_;  // of every rule, position by position
};

}  // namespace crownhead
