// Sets of squares as machine words: the algebra that everything else in the kernel is written in.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

namespace crownhead {

__extension__ typedef unsigned __int128 Wide;  // boards of more than 64 bits, ghost squares included

template <class Word>
concept BitWord = std::same_as<Word, std::uint64_t> || std::same_as<Word, Wide>;

template <BitWord Word>
constexpr int popcount(Word word) {
    if constexpr (std::same_as<Word, Wide>) {
        return std::popcount(static_cast<std::uint64_t>(word)) +
               std::popcount(static_cast<std::uint64_t>(word >> 64));
    } else {
        return std::popcount(word);
    }
}

template <BitWord Word>
constexpr int lowest_bit(Word word) {
    if constexpr (std::same_as<Word, Wide>) {
        auto const low = static_cast<std::uint64_t>(word);
        return low != 0 ? std::countr_zero(low)
                        : 64 + std::countr_zero(static_cast<std::uint64_t>(word >> 64));
    } else {
        return std::countr_zero(word);
    }
}

// A place on the board: the index of its bit.
enum class Square : std::uint8_t {};

constexpr int index(Square square) { return static_cast<int>(square); }

// A set of squares (bitboard), one bit each. Iterating visits the squares in ascending order, each as a set
// of one, which can be shifted, united and tested without becoming a number.
template <BitWord Word>
class Squares {
  public:
    constexpr Squares() = default;
    constexpr explicit Squares(Word bits) : bits_{bits} {}
    constexpr explicit Squares(Square square) : bits_{static_cast<Word>(Word{1} << index(square))} {}

    constexpr Word bits() const { return bits_; }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr explicit operator bool() const { return bits_ != 0; }
    constexpr int count() const { return popcount(bits_); }
    constexpr Square first() const { return static_cast<Square>(lowest_bit(bits_)); }
    constexpr bool meets(Squares other) const { return (bits_ & other.bits_) != 0; }
    constexpr bool within(Squares other) const { return (bits_ & ~other.bits_) == 0; }
    constexpr bool single() const { return bits_ != 0 && (bits_ & (bits_ - 1)) == 0; }

    friend constexpr bool operator==(Squares, Squares) = default;
    friend constexpr Squares operator|(Squares a, Squares b) { return Squares{a.bits_ | b.bits_}; }
    friend constexpr Squares operator&(Squares a, Squares b) { return Squares{a.bits_ & b.bits_}; }
    friend constexpr Squares operator^(Squares a, Squares b) { return Squares{a.bits_ ^ b.bits_}; }
    friend constexpr Squares operator-(Squares a, Squares b) { return Squares{a.bits_ & ~b.bits_}; }
    constexpr Squares& operator|=(Squares other) { return *this = *this | other; }
    constexpr Squares& operator&=(Squares other) { return *this = *this & other; }

    class Iterator {
      public:
        constexpr explicit Iterator(Word rest) : rest_{rest} {}
        constexpr Squares operator*() const { return Squares{rest_ & (Word{0} - rest_)}; }
        constexpr Iterator& operator++() {
            rest_ &= rest_ - 1;
            return *this;
        }
        friend constexpr bool operator==(Iterator, Iterator) = default;

      private:
        Word rest_;
    };
    constexpr Iterator begin() const { return Iterator{bits_}; }
    constexpr Iterator end() const { return Iterator{Word{0}}; }

  private:
    Word bits_{};
};

// Towards higher squares by `distance`, or towards lower ones if it is negative.
template <BitWord Word>
constexpr Squares<Word> shift(Squares<Word> squares, int distance) {
    constexpr int width = 8 * sizeof(Word);
    if (distance >= width || distance <= -width) { return {}; }
    return Squares<Word>{distance >= 0 ? static_cast<Word>(squares.bits() << distance)
                                       : static_cast<Word>(squares.bits() >> -distance)};
}

// Towards higher squares by `distance`, 0 or more; what leaves the word at its end enters it at the
// beginning.
template <BitWord Word>
constexpr Squares<Word> rotate(Squares<Word> squares, unsigned distance) {
    constexpr unsigned last = 8 * sizeof(Word) - 1;
    return Squares<Word>{
        static_cast<Word>(squares.bits() << (distance & last) | squares.bits() >> (-distance & last))};
}

}  // namespace crownhead
