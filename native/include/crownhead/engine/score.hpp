// What a position is worth to its side to move, in hundredths of a man.
#pragma once

#include <cstdint>

namespace crownhead::engine {

using Score = int;

inline constexpr int max_ply = 200;  // from the root to the deepest leaf
inline constexpr Score infinite_score = 32'000;
inline constexpr Score win_score = 30'000;
inline constexpr Score draw = 0;
inline constexpr Score table_win_score = 25'000;  // by an endgame table, but not within the draw rules

// A win is worth more the sooner it comes: `win_score` less the plies from the root until it.
constexpr Score won_in(int plies) { return win_score - plies; }
constexpr Score lost_in(int plies) { return -win_score + plies; }
constexpr bool is_won(Score score) { return score >= win_score - 2 * max_ply; }
constexpr bool is_lost(Score score) { return score <= -win_score + 2 * max_ply; }
// A forced win or loss, at a known distance.
constexpr bool is_forced(Score score) { return is_won(score) || is_lost(score); }
// A forced one, or one from an endgame table.
constexpr bool is_decisive(Score score) {
    return score >= table_win_score - 2 * max_ply || score <= 2 * max_ply - table_win_score;
}

// What a score says of the true value: a lower bound after a fail high, an upper bound after a fail low.
enum class Bound : std::uint8_t { none, lower, upper, exact };

}  // namespace crownhead::engine
