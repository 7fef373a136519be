// What of a position its value is summed from: men in windows of squares, kings and marked men by square.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "crownhead/engine/evaluation.hpp"

namespace crownhead::engine {

// Seen by the side to move, which sits below: square 0 of its sight is the far left corner.
//
// A window is 4 × 4 on a checkered board (eight squares), 3 × 3 on others; windows overlap by half. Its
// index is written to base 3, a digit a square: empty, a man of ours, a man of theirs. This is what Scan
// showed to be enough. Further features tell of a king or marked man on each square, of the balance of
// pieces, of the moves each side has, and of whose turn it is.
template <Rules R>
class Features {
    using Board = Geometry<R.board>;
    using Set = typename Board::Set;

    static constexpr int side = Board::checkered ? 4 : 3;

    static constexpr int count_starts(int length) {
        int count = 0;
        for (int start = 0; start <= length - side; start += 2) { ++count; }
        return count + ((length - side) % 2 != 0 ? 1 : 0);
    }
    static constexpr int start(int i, int length) { return std::min(2 * i, length - side); }

  public:
    static constexpr int window_squares = Board::checkered ? 8 : 9;
    static constexpr int states = Board::checkered ? 6561 : 19683;
    static constexpr int windows_down = count_starts(R.board.height);
    static constexpr int windows_across = count_starts(R.board.width);
    static constexpr int windows = windows_down * windows_across;
    static constexpr bool marks = R.marked != Marked::none;

    static constexpr int own_king = windows * states;
    static constexpr int their_king = own_king + Board::squares;
    static constexpr int own_mark = their_king + Board::squares;
    static constexpr int their_mark = own_mark + (marks ? Board::squares : 0);
    static constexpr int men = their_mark + (marks ? Board::squares : 0);  // more than theirs
    static constexpr int own_only_kings = men + 1;                         // we have kings, they have none
    static constexpr int their_only_kings = own_only_kings + 1;
    static constexpr int freedom = their_only_kings + 1;  // moves more than theirs
    static constexpr int turn = freedom + 1;
    static constexpr int count = turn + 1;

    // Of `stages` all pieces of a full game weigh for its beginning, none for its end.
    static constexpr int stages = 3 * Board::squares;
    static constexpr int stage(Position<R> const& position) {
        return std::min(4 * position.occupied().count(), stages);
    }

    // Calls `visit(feature, times)` for each.
    template <Colour Us, class Visit>
    static void each(Position<R> const& position, Visit&& visit) {
        Set own = position.own_men();
        Set theirs = position.theirs - position.kings;
        if constexpr (marks) {
            each_square<Us>(own & position.marks, own_mark, visit);
            each_square<Us>(theirs & position.marks, their_mark, visit);
            own = own - position.marks;
            theirs = theirs - position.marks;
        }
        each_window<Us>(own, theirs, visit);
        if (!position.kings.empty()) {
            auto const ours = position.own_kings();
            auto const others = position.kings - ours;
            each_square<Us>(ours, own_king, visit);
            each_square<Us>(others, their_king, visit);
            if (others.empty()) { visit(own_only_kings, 1); }
            if (ours.empty()) { visit(their_only_kings, 1); }
        }
        visit(men, own.count() - theirs.count());
        visit(freedom, freedom_of<Us>(position));
        visit(turn, 1);
    }

    // The number of a square as the side to move sees it, 0 … squares - 1.
    template <Colour Us>
    static constexpr int seen(Square square) {
        int const number = Board::number(square) - 1;
        return Side<R, Us>::rises ? number : Board::squares - 1 - number;
    }

    struct Place {
        int row;
        int file;
    };

    // Where the square of a window with digit `k` is, as the side to move sees it.
    static constexpr Place place(int window, int k) {
        int const row =
            start(window / windows_across, R.board.height) + (Board::checkered ? k / 2 : k / side);
        int const left = start(window % windows_across, R.board.width);
        if (!Board::checkered) { return {row, left + k % side}; }
        int const file = left + 2 * (k % 2);
        return {row, Board::at(row, file).empty() ? file + 1 : file};
    }

    // How many windows overlap there.
    static constexpr int overlap(Place place) {
        int down = 0;
        int across = 0;
        for (int i = 0; i < windows_down; ++i) { down += covers(start(i, R.board.height), place.row); }
        for (int i = 0; i < windows_across; ++i) { across += covers(start(i, R.board.width), place.file); }
        return down * across;
    }

    // The moves of the side to move, less those that the other would have.
    template <Colour Us>
    static int freedom_of(Position<R> const& position) {
        auto const other = passed(position);
        if constexpr (R.jumps_only) {
            return capturing<Us>(position).count() - capturing<opponent(Us)>(other).count();
        } else {
            return count_quiet<Us>(position) - count_quiet<opponent(Us)>(other);
        }
    }

  private:
    static constexpr int covers(int first, int line) { return first <= line && line < first + side ? 1 : 0; }
    static constexpr int power(int k) { return k == 0 ? 1 : 3 * power(k - 1); }

    // The board is read in chunks of a few bits; each adds to the indices of all windows at once.
    static constexpr int chunk_bits = 6;
    static constexpr int chunks = (Board::bits + chunk_bits - 1) / chunk_bits;
    static constexpr std::size_t lanes = (windows + 7) / 8 * 8;
    struct alignas(16) Indices {
        std::array<std::uint16_t, lanes> lane{};
    };
    using Shares = std::array<std::array<Indices, 1U << chunk_bits>, static_cast<std::size_t>(chunks)>;

    // Which digit of a window each square of the board is, or -1.
    template <Colour Us>
    static constexpr int digit(int window, int row, int file) {
        bool const rises = Side<R, Us>::rises;
        int const i =
            (rises ? row : R.board.height - 1 - row) - start(window / windows_across, R.board.height);
        int const j =
            (rises ? file : R.board.width - 1 - file) - start(window % windows_across, R.board.width);
        if (i < 0 || i >= side || j < 0 || j >= side) { return -1; }
        return Board::checkered ? i * 2 + j / 2 : i * side + j;
    }

    template <Colour Us>
    static Shares make_shares() {
        Shares made{};
        for (int row = 0; row < R.board.height; ++row) {
            for (int file = 0; file < R.board.width; ++file) {
                if (!Board::at(row, file).empty()) { add_square<Us>(made, row, file); }
            }
        }
        return made;
    }

    template <Colour Us>
    static void add_square(Shares& made, int row, int file) {
        int const bit = index(Board::at(row, file).first());
        auto& chunk = made[static_cast<std::size_t>(bit / chunk_bits)];
        for (int w = 0; w < windows; ++w) {
            int const k = digit<Us>(w, row, file);
            if (k < 0) { continue; }
            for (std::size_t value = 0; value < chunk.size(); ++value) {
                if ((value >> (bit % chunk_bits) & 1) == 0) { continue; }
                auto& lane = chunk[value].lane[static_cast<std::size_t>(w)];
                lane = static_cast<std::uint16_t>(lane + power(k));
            }
        }
    }

    template <Colour Us>
    static Shares const& shares_of() {
        static Shares const made = make_shares<Us>();
        return made;
    }

    static std::size_t chunk(Set set, int number) {
        return static_cast<std::size_t>(set.bits() >> chunk_bits * number) & ((1U << chunk_bits) - 1);
    }

    template <Colour Us, class Visit>
    static void each_window(Set own, Set theirs, Visit&& visit) {
        Indices found;
        auto const& shares = shares_of<Us>();
        for (int i = 0; i < chunks; ++i) {
            auto const& ours = shares[static_cast<std::size_t>(i)][chunk(own, i)];
            auto const& others = shares[static_cast<std::size_t>(i)][chunk(theirs, i)];
            for (std::size_t w = 0; w < lanes; ++w) {
                found.lane[w] = static_cast<std::uint16_t>(found.lane[w] + ours.lane[w] + 2 * others.lane[w]);
            }
        }
        for (int w = 0; w < windows; ++w) { visit(w * states + found.lane[static_cast<std::size_t>(w)], 1); }
    }

    template <Colour Us, class Visit>
    static void each_square(Set set, int base, Visit&& visit) {
        for (auto one : set) { visit(base + seen<Us>(one.first()), 1); }
    }
};

}  // namespace crownhead::engine
