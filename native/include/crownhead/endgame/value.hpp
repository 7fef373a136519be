// What a position of an endgame table is worth to its side to move: won or lost in so many plies, or drawn.
#pragma once

#include <cstdint>

namespace crownhead::endgame {

//       draw    0
//       win     2 · plies + 1
//       loss    2 · plies + 2
using Value = std::uint16_t;

inline constexpr Value drawn = 0;
inline constexpr Value no_position = 0xFFFF;  // an index at which two men would stand on one square
inline constexpr int longest = 16'000;        // plies; a `Value` has no room for more

constexpr Value win(int plies) { return static_cast<Value>(2 * plies + 1); }
constexpr Value loss(int plies) { return static_cast<Value>(2 * plies + 2); }
constexpr bool is_win(Value value) { return value % 2 == 1; }
constexpr bool is_loss(Value value) { return value % 2 == 0 && value != drawn; }
constexpr int distance(Value value) { return (value - 1) / 2; }

// In the order of the numbers in files of results.
enum class Result : std::uint8_t { draw, win, loss };

constexpr Result result_of(Value value) {
    return is_win(value) ? Result::win : is_loss(value) ? Result::loss : Result::draw;
}

// The value of a position from those of its successors.
class BestValue {
  public:
    void add(Value child) {
        ++moves_;
        if (is_loss(child)) {
            if (!wins_ || distance(child) + 1 < soonest_) { soonest_ = distance(child) + 1; }
            wins_ = true;
        } else if (is_win(child)) {
            latest_ = latest_ > distance(child) + 1 ? latest_ : distance(child) + 1;
        } else {
            draws_ = true;
        }
    }
    bool any() const { return moves_ > 0; }
    bool wins() const { return wins_; }
    bool draws() const { return draws_; }
    int latest() const { return latest_; }
    Value value() const { return wins_ ? win(soonest_) : draws_ ? drawn : loss(latest_); }

  private:
    int moves_ = 0;
    int soonest_ = 0;
    int latest_ = 0;
    bool wins_ = false;
    bool draws_ = false;
};

}  // namespace crownhead::endgame
