// What of a position its value is summed from: men in windows of squares, kings and marked men by square.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "crownhead/position.hpp"

namespace crownhead::engine {

// Seen by the side to move, which sits below: square 0 of its sight is the far left corner.
//
// A window is 4 × 4 on a checkered board (eight squares), 3 × 3 on others; windows overlap by half. Its
// index is written to base 3, a digit a square: empty, a man of ours, a man of theirs. This is what Scan
// showed to be enough. Further features tell of a king or marked man on each square, of the balance of
// pieces, and of whose turn it is.
template <Rules R>
class Features {
    using Board = Geometry<R.board>;
    using Set = typename Board::Set;

    static constexpr int side = Board::checkered ? 4 : 3;
    static constexpr int window_squares = Board::checkered ? 8 : 9;
    static constexpr int states = Board::checkered ? 6561 : 19683;

    static constexpr int count_starts(int length) {
        int count = 0;
        for (int start = 0; start <= length - side; start += 2) { ++count; }
        return count + ((length - side) % 2 != 0 ? 1 : 0);
    }
    static constexpr int start(int i, int length) { return std::min(2 * i, length - side); }

  public:
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
    static constexpr int turn = their_only_kings + 1;
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
        visit(turn, 1);
    }

    // The number of a square as the side to move sees it, 0 … squares - 1.
    template <Colour Us>
    static constexpr int seen(Square square) {
        int const number = Board::number(square) - 1;
        return Side<R, Us>::rises ? number : Board::squares - 1 - number;
    }

  private:
    using Part = std::array<std::uint16_t, 256>;
    static constexpr int bytes = (Board::bits + 7) / 8;
    static constexpr int bytes_of_window = 4;  // a window touches no more, its rows lie close together
    struct Window {
        std::array<std::uint8_t, bytes_of_window> byte{};
        std::array<Part, bytes_of_window> part{};
    };

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
    static std::array<Window, windows> make_windows() {
        std::array<Window, windows> made{};
        std::array<int, 10> power{1};
        for (std::size_t k = 1; k < power.size(); ++k) { power[k] = 3 * power[k - 1]; }
        for (int w = 0; w < windows; ++w) {
            std::array<int, static_cast<std::size_t>(bytes)> place;
            place.fill(-1);
            int used = 0;
            auto& window = made[static_cast<std::size_t>(w)];
            for (int row = 0; row < R.board.height; ++row) {
                for (int file = 0; file < R.board.width; ++file) {
                    int const k = digit<Us>(w, row, file);
                    if (k < 0 || Board::at(row, file).empty()) { continue; }
                    int const bit = index(Board::at(row, file).first());
                    auto& slot = place[static_cast<std::size_t>(bit / 8)];
                    if (slot < 0) {
                        slot = used++;
                        window.byte[static_cast<std::size_t>(slot)] = static_cast<std::uint8_t>(bit / 8);
                    }
                    auto& part = window.part[static_cast<std::size_t>(slot)];
                    for (std::size_t value = 0; value < 256; ++value) {
                        if ((value >> (bit % 8) & 1) != 0) {
                            part[value] =
                                static_cast<std::uint16_t>(part[value] + power[static_cast<std::size_t>(k)]);
                        }
                    }
                }
            }
        }
        return made;
    }

    template <Colour Us>
    static std::array<Window, windows> const& windows_of() {
        static std::array<Window, windows> const made = make_windows<Us>();
        return made;
    }

    static std::uint8_t byte(Set set, int number) {
        return static_cast<std::uint8_t>(set.bits() >> 8 * number);
    }

    template <Colour Us, class Visit>
    static void each_window(Set own, Set theirs, Visit&& visit) {
        int base = 0;
        for (auto const& window : windows_of<Us>()) {
            int found = base;
            for (std::size_t i = 0; i < bytes_of_window; ++i) {
                auto const& part = window.part[i];
                found += part[byte(own, window.byte[i])] + 2 * part[byte(theirs, window.byte[i])];
            }
            visit(found, 1);
            base += states;
        }
    }

    template <Colour Us, class Visit>
    static void each_square(Set set, int base, Visit&& visit) {
        for (auto one : set) { visit(base + seen<Us>(one.first()), 1); }
    }
};

}  // namespace crownhead::engine
