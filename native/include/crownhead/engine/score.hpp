// What a position is worth to its side to move, in hundredths of a man.
#pragma once

#include <cstdint>

namespace crownhead::engine {

using Score = int;

inline constexpr int most_plies = 200;  // from the root to the deepest leaf
inline constexpr Score unbounded = 32'000;
inline constexpr Score won_now = 30'000;
inline constexpr Score draw = 0;
inline constexpr Score surely_won = 25'000;  // by an endgame table, but not within the draw rules

// A win is worth more the sooner it comes: `won_now` less the plies from the root until it.
constexpr Score won_in(int plies) { return won_now - plies; }
constexpr Score lost_in(int plies) { return -won_now + plies; }
constexpr bool is_won(Score score) { return score >= won_now - 2 * most_plies; }
constexpr bool is_lost(Score score) { return score <= -won_now + 2 * most_plies; }
constexpr bool is_decided(Score score) { return is_won(score) || is_lost(score); }
// An endgame table says so, at least.
constexpr bool is_sure(Score score) {
    return score >= surely_won - 2 * most_plies || score <= 2 * most_plies - surely_won;
}

// What a score claims of the true value.
enum class Bound : std::uint8_t { none, at_least, at_most, exact };

}  // namespace crownhead::engine
