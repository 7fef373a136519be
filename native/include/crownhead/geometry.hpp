// Where the squares of a board lie in a word, and what a step in each direction does to a set of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "crownhead/bits.hpp"
#include "crownhead/rules.hpp"

namespace crownhead {

// On a checkered board of an even width every second row is followed by a ghost, a bit that is no square, so
// that a diagonal step is a shift by the same distance from every square, and one off the side of the board
// ends on a ghost. 8 × 8, indented (numbers 1 … 32 at their bits; # ghosts):
//
//        .  0  .  1  .  2  .  3          up-left    -5        up-right   -4
//        4  .  5  .  6  .  7  .   # 8    down-left  +4        down-right +5
//        .  9  . 10  . 11  . 12
//       13  . 14  . 15  . 16  .   # 17   35 bits; 10 × 10 takes 54, 12 × 12 takes 77
//        . 18  . 19  . 20  . 21
//       22  . 23  . 24  . 25  .   # 26
//        . 27  . 28  . 29  . 30
//       31  . 32  . 33  . 34  .
//
// On the other grids, and on checkered boards of an odd width, each square is the bit below its number. A
// step that would lead round an edge there, or along a line that is not drawn, is masked out; so are steps
// sideways on a checkered board.
class Layout {
  public:
    static constexpr int longest_side = 16;

    constexpr explicit Layout(Board const& board) : board_{board} {}

    constexpr Board const& board() const { return board_; }
    constexpr bool checkered() const { return board_.grid == Grid::checkered; }
    constexpr int squares() const {
        int const all = board_.width * board_.height;
        return checkered() ? (all + (board_.indented ? 0 : 1)) / 2 : all;
    }
    constexpr int bits() const {
        int const ghosts = has_ghosts() ? (board_.height - 1 + (board_.indented ? 0 : 1)) / 2 : 0;
        return squares() + ghosts;
    }

    constexpr bool is_played(int row, int file) const {
        if (row < 0 || row >= board_.height || file < 0 || file >= board_.width) { return false; }
        return !checkered() || ((row + file) % 2 == 1) == board_.indented;
    }
    // Of a square that is played on. Row and file are those that the numbers see.
    constexpr Square at(int row, int file) const {
        int const place = row * board_.width + file;
        if (!checkered()) { return static_cast<Square>(place); }
        int const ghosts = has_ghosts() ? (row + (board_.indented ? 0 : 1)) / 2 : 0;
        return static_cast<Square>(place / 2 + ghosts);
    }

    constexpr int distance(Direction direction) const {
        int const down = rows_down(direction);
        int const right = files_right(direction);
        if (!checkered()) { return down * board_.width + right; }
        int const two_rows = board_.width + (has_ghosts() ? 1 : 0);
        if (!is_diagonal(direction)) { return down * two_rows + right; }
        return (down * two_rows + right) / 2;
    }

    // How far the next square lies in a direction, in rows or files.
    constexpr int stride(Direction direction) const { return checkered() && !is_diagonal(direction) ? 2 : 1; }

    constexpr bool is_drawn(int row, int file, Direction direction) const {
        return board_.grid != Grid::lines || !is_diagonal(direction) || (row + file) % 2 == 0;
    }

    static constexpr int rows_down(Direction direction) {
        constexpr std::array rows{-1, -1, -1, 0, 0, 1, 1, 1};
        return rows[static_cast<std::size_t>(direction)];
    }
    static constexpr int files_right(Direction direction) {
        constexpr std::array files{-1, 0, 1, -1, 1, -1, 0, 1};
        return files[static_cast<std::size_t>(direction)];
    }
    static constexpr bool is_diagonal(Direction direction) {
        return rows_down(direction) != 0 && files_right(direction) != 0;
    }

  private:
    constexpr bool has_ghosts() const { return checkered() && board_.width % 2 == 0; }

    Board board_;
};

// Directions of a set, in ascending order of what a step adds to a square.
struct DirectionList {
    std::array<Direction, 8> list{};
    std::size_t size = 0;

    constexpr Direction const* begin() const { return list.data(); }
    constexpr Direction const* end() const { return list.data() + size; }
    friend constexpr bool operator==(DirectionList const&, DirectionList const&) = default;
};

// The layout of a board in words of one size, worked out. At run time a step is a rotation: what it brings
// round the ends of the word is masked out with the rest that no step can reach.
template <BitWord Word>
struct Geometry {
    using Set = Squares<Word>;
    static constexpr std::size_t width = 8 * sizeof(Word);  // of a word, in bits

    Board shape;
    int squares;
    int bits;
    int longest_slide;
    bool checkered;
    Set board;
    std::array<int, 8> distance{};
    std::array<unsigned, 8> rotation{};  // the distance, modulo the bits of a word
    std::array<Set, 8> reached{};        // the squares that a step in the direction can lead to
    std::array<bool, 8> clean{};         // no step leads round an edge, so that it needs no mask
    std::array<Set, Layout::longest_side> rows{};
    std::array<Square, width> square_of{};        // of each number less one
    std::array<std::uint8_t, width> number_of{};  // of each bit, 0 for a ghost
    Set corners_and_middle{};                     // the corners and the four squares in the middle

    // The board fits the word.
    constexpr explicit Geometry(Board const& shape)
        : shape{shape},
          squares{Layout{shape}.squares()},
          bits{Layout{shape}.bits()},
          longest_slide{std::max(shape.width, shape.height) - 1},
          checkered{Layout{shape}.checkered()} {
        Layout const layout{shape};
        int number = 0;
        for (int row = 0; row < shape.height; ++row) {
            auto& line = rows[static_cast<std::size_t>(row)];
            for (int file = 0; file < shape.width; ++file) {
                if (!layout.is_played(row, file)) { continue; }
                Square const square = layout.at(row, file);
                line |= Set{square};
                square_of[static_cast<std::size_t>(number)] = square;
                number_of[static_cast<std::size_t>(square)] = static_cast<std::uint8_t>(++number);
            }
            board |= line;
        }
        for (int i = 0; i < 8; ++i) { add_direction(layout, static_cast<Direction>(i)); }
        for (int row : {0, shape.height - 1, shape.height / 2 - 1, shape.height / 2}) {
            bool const outer = row == 0 || row == shape.height - 1;
            for (int file : {outer ? 0 : shape.width / 2 - 1, outer ? shape.width - 1 : shape.width / 2}) {
                corners_and_middle |= at(row, file);
            }
        }
    }

    constexpr Square square(int number) const { return square_of[static_cast<std::size_t>(number - 1)]; }
    constexpr std::uint8_t number(Square square) const { return number_of[static_cast<std::size_t>(square)]; }

    // Row and file as the numbers see them; the empty set where no square is.
    constexpr Set at(int row, int file) const {
        Layout const layout{shape};
        return layout.is_played(row, file) ? Set{layout.at(row, file)} : Set{};
    }
    constexpr Set row(int row) const { return rows[static_cast<std::size_t>(row)]; }

    constexpr bool rises(Colour colour) const { return (colour == Colour::white) == shape.white_lowers; }

    constexpr Set step(Direction direction, Set set) const {
        auto const i = static_cast<std::size_t>(direction);
        return rotate(set, rotation[i]) & reached[i];
    }

    // The squares of `through` that are reached from `set` in a direction without leaving `through`.
    constexpr Set slide(Direction direction, Set set, Set through) const {
        auto const i = static_cast<std::size_t>(direction);
        unsigned const one = rotation[i];
        through &= reached[i];
        set = rotate(set, one) & through;
        set |= rotate(set, one) & through;
        through &= rotate(through, one);
        set |= rotate(set, 2 * one) & through;
        through &= rotate(through, 2 * one);
        set |= rotate(set, 4 * one) & through;
        if (longest_slide > 8) {
            through &= rotate(through, 4 * one);
            set |= rotate(set, 8 * one) & through;
        }
        return set;
    }

    constexpr DirectionList in_order(Directions wanted) const {
        DirectionList found;
        for (int i = 0; i < 8; ++i) {
            auto const direction = static_cast<Direction>(i);
            if ((wanted & mask(direction)) != 0) { found.list[found.size++] = direction; }
        }
        std::ranges::sort(found.list.begin(), found.list.begin() + static_cast<std::ptrdiff_t>(found.size),
                          {}, [&](Direction one) { return distance[static_cast<std::size_t>(one)]; });
        return found;
    }

  private:
    constexpr void add_direction(Layout const& layout, Direction direction) {
        auto const i = static_cast<std::size_t>(direction);
        int const stride = layout.stride(direction);
        for (int row = 0; row < shape.height; ++row) {
            for (int file = 0; file < shape.width; ++file) {
                if (layout.is_played(row, file) && layout.is_drawn(row, file, direction)) {
                    reached[i] |= at(row + stride * Layout::rows_down(direction),
                                     file + stride * Layout::files_right(direction));
                }
            }
        }
        distance[i] = layout.distance(direction);
        rotation[i] = static_cast<unsigned>(distance[i]) % width;
        clean[i] = (shift(board, distance[i]) & board) == reached[i];
    }
};

}  // namespace crownhead
