// The features of the evaluation: patterns of men in windows of squares, kings and marked men by square.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "crownhead/engine/material_evaluation.hpp"

namespace crownhead::engine {

// As the side to move sees the board, which sits below: its square 0 is the far left corner.
//
// A window is 4 × 4 on a checkered board (eight squares), 3 × 3 on others; windows overlap by half. Its
// pattern is a number to base 3, a digit a square: empty, a man of ours, a man of theirs. These are the
// pattern tables of Logistello (Buro 1998) with the windows of Scan (Letouzey). Further features: a king or a
// marked man on each square, the balance of men, a side that alone has kings, mobility, and the tempo.
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
    static constexpr int patterns = Board::checkered ? 6561 : 19683;
    static constexpr int windows_down = count_starts(R.board.height);
    static constexpr int windows_across = count_starts(R.board.width);
    static constexpr int windows = windows_down * windows_across;
    static constexpr bool marks = R.marked != Marked::none;

    static constexpr int own_king = windows * patterns;
    static constexpr int their_king = own_king + Board::squares;
    static constexpr int own_mark = their_king + Board::squares;
    static constexpr int their_mark = own_mark + (marks ? Board::squares : 0);
    static constexpr int men = their_mark + (marks ? Board::squares : 0);  // balance
    static constexpr int own_only_kings = men + 1;                         // we have kings, they have none
    static constexpr int their_only_kings = own_only_kings + 1;
    static constexpr int mobility = their_only_kings + 1;  // balance
    static constexpr int tempo = mobility + 1;
    static constexpr int count = tempo + 1;

    // The game phase of the tapered evaluation: `max_phase` with all pieces on the board, less with fewer.
    static constexpr int max_phase = 3 * Board::squares;
    static constexpr int phase(Position<R> const& position) {
        return std::min(4 * position.occupied().count(), max_phase);
    }

    // Calls `visit(feature, times)` for each feature that the position has.
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
        visit(mobility, mobility_of<Us>(position));
        visit(tempo, 1);
    }

    // The number of a square as the side to move sees it, 0 … squares - 1.
    template <Colour Us>
    static constexpr int as_mover_sees(Square square) {
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

    // The moves of the side to move, less those of the other after a null move.
    template <Colour Us>
    static int mobility_of(Position<R> const& position) {
        auto const other = after_null_move(position);
        if constexpr (R.jumps_only) {
            return capturing<Us>(position).count() - capturing<opponent(Us)>(other).count();
        } else {
            return count_quiet<Us>(position) - count_quiet<opponent(Us)>(other);
        }
    }

  private:
    static constexpr int covers(int first, int line) { return first <= line && line < first + side ? 1 : 0; }
    static constexpr int power(int k) { return k == 0 ? 1 : 3 * power(k - 1); }

    // The board is read in chunks of a few bits; a table gives what each adds to the patterns of all windows.
    static constexpr int chunk_bits = 6;
    static constexpr int chunks = (Board::bits + chunk_bits - 1) / chunk_bits;
    static constexpr std::size_t lanes = (windows + 7) / 8 * 8;
    struct alignas(16) Indices {
        std::array<std::uint16_t, lanes> lane{};
    };
    using IndexTables = std::array<std::array<Indices, 1U << chunk_bits>, static_cast<std::size_t>(chunks)>;

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
    static IndexTables make_index_tables() {
        IndexTables made{};
        for (int row = 0; row < R.board.height; ++row) {
            for (int file = 0; file < R.board.width; ++file) {
                if (!Board::at(row, file).empty()) { add_square<Us>(made, row, file); }
            }
        }
        return made;
    }

    template <Colour Us>
    static void add_square(IndexTables& made, int row, int file) {
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
    static IndexTables const& index_tables_of() {
        static IndexTables const made = make_index_tables<Us>();
        return made;
    }

    static std::size_t chunk(Set set, int number) {
        return static_cast<std::size_t>(set.bits() >> chunk_bits * number) & ((1U << chunk_bits) - 1);
    }

    template <Colour Us, class Visit>
    static void each_window(Set own, Set theirs, Visit&& visit) {
        Indices found;
        auto const& tables = index_tables_of<Us>();
        for (int i = 0; i < chunks; ++i) {
            auto const& ours = tables[static_cast<std::size_t>(i)][chunk(own, i)];
            auto const& others = tables[static_cast<std::size_t>(i)][chunk(theirs, i)];
            for (std::size_t w = 0; w < lanes; ++w) {
                found.lane[w] = static_cast<std::uint16_t>(found.lane[w] + ours.lane[w] + 2 * others.lane[w]);
            }
        }
        for (int w = 0; w < windows; ++w) {
            visit(w * patterns + found.lane[static_cast<std::size_t>(w)], 1);
        }
    }

    template <Colour Us, class Visit>
    static void each_square(Set set, int base, Visit&& visit) {
        for (auto one : set) { visit(base + as_mover_sees<Us>(one.first()), 1); }
    }
};

}  // namespace crownhead::engine
