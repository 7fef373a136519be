// The features of the evaluation: patterns of men in windows of squares, kings and marked men by square.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "crownhead/engine/material_evaluation.hpp"

namespace crownhead::engine {

// Which features there are, and their numbers, as the side to move sees the board, which sits below: its
// square 0 is the far left corner.
//
// A window is 4 × 4 on a checkered board (eight squares), 3 × 3 on others; windows overlap by half. Its
// pattern is a number to base 3, a digit a square: empty, a man of ours, a man of theirs. These are the
// pattern tables of Logistello (Buro 1998) with the windows of Scan (Letouzey). Further features: a king or a
// marked man on each square, the balance of men, a side that alone has kings, mobility, and the tempo.
class FeatureNumbers {
  public:
    static constexpr int chunk_bits = 6;  // the board is read in chunks of a few bits
    static constexpr std::size_t lanes_at_once = 16;

    constexpr explicit FeatureNumbers(Rules const& rules) : FeatureNumbers{rules, Layout{rules.board}} {}

    int window_squares;
    int patterns;
    int windows_down;
    int windows_across;
    int windows;
    int own_king;
    int their_king;
    int own_mark;
    int their_mark;
    int men;             // balance
    int own_only_kings;  // we have kings, they have none
    int their_only_kings;
    int mobility;  // balance
    int tempo;
    int count;
    int max_phase;       // of the tapered evaluation, with all pieces on the board; less with fewer
    std::size_t lanes;   // windows, filled up to a number that vector instructions like
    std::size_t chunks;  // of the board

    struct Place {
        int row;
        int file;
    };

    // Where the square of a window with digit `k` is, as the side to move sees it.
    constexpr Place place(int window, int k) const {
        int const row = start(window / windows_across, height_) + (checkered_ ? k / 2 : k / side_);
        int const left = start(window % windows_across, width_);
        if (!checkered_) { return {row, left + k % side_}; }
        int const file = left + 2 * (k % 2);
        return {row, ((row + file) % 2 == 1) == indented_ ? file : file + 1};
    }

    // How many windows overlap there.
    constexpr int overlap(Place place) const {
        int down = 0;
        int across = 0;
        for (int i = 0; i < windows_down; ++i) { down += covers(start(i, height_), place.row); }
        for (int i = 0; i < windows_across; ++i) { across += covers(start(i, width_), place.file); }
        return down * across;
    }

    // Which digit of a window a square of the board is, or -1; the side to move goes towards row 0 or not.
    constexpr int digit(int window, int row, int file, bool rises) const {
        int const i = (rises ? row : height_ - 1 - row) - start(window / windows_across, height_);
        int const j = (rises ? file : width_ - 1 - file) - start(window % windows_across, width_);
        if (i < 0 || i >= side_ || j < 0 || j >= side_) { return -1; }
        return checkered_ ? i * 2 + j / 2 : i * side_ + j;
    }

  private:
    constexpr FeatureNumbers(Rules const& rules, Layout const& layout)
        : window_squares{layout.checkered() ? 8 : 9},
          patterns{layout.checkered() ? 6561 : 19683},
          side_{layout.checkered() ? 4 : 3},
          width_{rules.board.width},
          height_{rules.board.height},
          checkered_{layout.checkered()},
          indented_{rules.board.indented} {
        int const squares = layout.squares();
        int const marks = rules.marked != Marked::none ? squares : 0;
        windows_down = count_starts(height_);
        windows_across = count_starts(width_);
        windows = windows_down * windows_across;
        own_king = windows * patterns;
        their_king = own_king + squares;
        own_mark = their_king + squares;
        their_mark = own_mark + marks;
        men = their_mark + marks;
        own_only_kings = men + 1;
        their_only_kings = own_only_kings + 1;
        mobility = their_only_kings + 1;
        tempo = mobility + 1;
        count = tempo + 1;
        max_phase = 3 * squares;
        lanes = (static_cast<std::size_t>(windows) + lanes_at_once - 1) / lanes_at_once * lanes_at_once;
        chunks = static_cast<std::size_t>((layout.bits() + chunk_bits - 1) / chunk_bits);
    }

    constexpr int count_starts(int length) const {
        return (length - side_) / 2 + 1 + ((length - side_) % 2 != 0 ? 1 : 0);
    }
    constexpr int start(int i, int length) const { return std::min(2 * i, length - side_); }
    constexpr int covers(int first, int line) const { return first <= line && line < first + side_ ? 1 : 0; }

    int side_;
    int width_;
    int height_;
    bool checkered_;
    bool indented_;
};

// They follow from the rules: a constant where those are, else a member.
template <class R>
struct FeatureNumbersOf {
    static constexpr std::size_t most_lanes = 64;

    explicit FeatureNumbersOf(R rules) : numbers{*rules} {}

    FeatureNumbers numbers;
};
template <class R>
requires(R::is_fixed) struct FeatureNumbersOf<R> {
    static constexpr FeatureNumbers numbers{R::value};
    static constexpr std::size_t most_lanes = numbers.lanes;

    explicit FeatureNumbersOf(R) {}
};

// The features of positions.
template <class R>
class Features {
    using Set = typename R::Set;

  public:
    explicit Features(R rules) : rules_{rules}, numbers_{rules} {
        for (bool rises : {false, true}) { index_tables_[rises] = make_index_table(rises); }
    }

    constexpr FeatureNumbers const& numbers() const { return numbers_.numbers; }

    constexpr int phase(Position<R> const& position) const {
        return std::min(4 * position.occupied().count(), numbers().max_phase);
    }

    // Calls `visit(feature, times)` for each feature that the position has.
    template <Colour Us, class Visit>
    void each(Position<R> const& position, Visit&& visit) const {
        auto const& of = numbers();
        Set own = position.own_men();
        Set theirs = position.theirs - position.kings;
        if (position.has_marks()) {
            each_square<Us>(position.marked(own), of.own_mark, visit);
            each_square<Us>(position.marked(theirs), of.their_mark, visit);
            own = own - position.marked(own);
            theirs = theirs - position.marked(theirs);
        }
        each_window(own, theirs, rules_.template rises<Us>(), visit);
        if (!position.kings.empty()) {
            auto const ours = position.own_kings();
            auto const others = position.kings - ours;
            each_square<Us>(ours, of.own_king, visit);
            each_square<Us>(others, of.their_king, visit);
            if (others.empty()) { visit(of.own_only_kings, 1); }
            if (ours.empty()) { visit(of.their_only_kings, 1); }
        }
        visit(of.men, own.count() - theirs.count());
        visit(of.mobility, mobility_of<Us>(position));
        visit(of.tempo, 1);
    }

    // The number of a square as the side to move sees it, 0 … squares - 1.
    template <Colour Us>
    constexpr int as_mover_sees(Square square) const {
        int const number = rules_.board().number(square) - 1;
        return rules_.template rises<Us>() ? number : rules_.board().squares - 1 - number;
    }

    // The moves of the side to move, less those of the other after a null move.
    template <Colour Us>
    static int mobility_of(Position<R> const& position) {
        auto const other = after_null_move(position);
        if (position.rules->jumps_only) {
            return capturing<Us>(position).count() - capturing<opponent(Us)>(other).count();
        }
        return count_quiet<Us>(position) - count_quiet<opponent(Us)>(other);
    }

  private:
    // What each chunk of the board adds to the pattern of each window: by chunk, its bits, window.
    using IndexTable = std::vector<std::uint16_t>;
    static constexpr std::size_t chunk_values = 1U << FeatureNumbers::chunk_bits;

    static constexpr int power(int k) { return k == 0 ? 1 : 3 * power(k - 1); }

    IndexTable make_index_table(bool rises) const {
        IndexTable made(numbers().chunks * chunk_values * numbers().lanes);
        for (int row = 0; row < rules_->board.height; ++row) {
            for (int file = 0; file < rules_->board.width; ++file) {
                auto const square = rules_.board().at(row, file);
                if (square.empty()) { continue; }
                for (int window = 0; window < numbers().windows; ++window) {
                    int const k = numbers().digit(window, row, file, rises);
                    if (k >= 0) { add_square(made, index(square.first()), window, power(k)); }
                }
            }
        }
        return made;
    }

    void add_square(IndexTable& made, int bit, int window, int digit) const {
        auto const chunk = static_cast<std::size_t>(bit / FeatureNumbers::chunk_bits);
        for (std::size_t value = 0; value < chunk_values; ++value) {
            if ((value >> (bit % FeatureNumbers::chunk_bits) & 1) == 0) { continue; }
            auto& lane =
                made[(chunk * chunk_values + value) * numbers().lanes + static_cast<std::size_t>(window)];
            lane = static_cast<std::uint16_t>(lane + digit);
        }
    }

    template <class Visit>
    void each_window(Set own, Set theirs, bool rises, Visit&& visit) const {
        std::size_t const lanes = numbers().lanes;
        alignas(16) std::array<std::uint16_t, FeatureNumbersOf<R>::most_lanes> found{};
        for (std::size_t lane = 0; lane < lanes; lane += FeatureNumbers::lanes_at_once) {
            // In registers: as a loop over lanes the compiler would add one after the other.
            Lanes sums{};
            Lanes doubled{};
            auto const* table = index_tables_[rises].data() + lane;
            for (std::size_t i = 0; i < numbers().chunks; ++i) {
                sums += Lanes{table + chunk(own, i) * lanes};
                doubled += Lanes{table + chunk(theirs, i) * lanes};
                table += chunk_values * lanes;
            }
            sums += doubled;
            sums += doubled;
            sums.store(found.data() + lane);
        }
        for (int window = 0; window < numbers().windows; ++window) {
            visit(window * numbers().patterns + found[static_cast<std::size_t>(window)], 1);
        }
    }

    static std::size_t chunk(Set set, std::size_t i) {
        return static_cast<std::size_t>(set.bits() >> (i * FeatureNumbers::chunk_bits)) & (chunk_values - 1);
    }

    // Sixteen lanes as two vectors of any processor that has vectors of 128 bits.
    class Lanes {
        using Eight = std::uint16_t __attribute__((vector_size(16)));

      public:
        Lanes() = default;
        explicit Lanes(std::uint16_t const* from) {
            std::memcpy(&low_, from, sizeof low_);
            std::memcpy(&high_, from + 8, sizeof high_);
        }
        void operator+=(Lanes const& other) {
            low_ += other.low_;
            high_ += other.high_;
        }
        void store(std::uint16_t* to) const {
            std::memcpy(to, &low_, sizeof low_);
            std::memcpy(to + 8, &high_, sizeof high_);
        }

      private:
        Eight low_{};
        Eight high_{};
    };

    template <Colour Us, class Visit>
    void each_square(Set set, int base, Visit&& visit) const {
        for (auto one : set) { visit(base + as_mover_sees<Us>(one.first()), 1); }
    }

    [[no_unique_address]] R rules_;
    [[no_unique_address]] FeatureNumbersOf<R> numbers_;
    std::array<IndexTable, 2> index_tables_;  // by whether the side to move rises
};

}  // namespace crownhead::engine
