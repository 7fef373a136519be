// Positions for tests, from FEN in square numbers: "W:WK30,21-24:B1,M5"; M and P are marked men.
#pragma once

#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>

#include "crownhead/laws.hpp"
#include "crownhead/position.hpp"

namespace crownhead::testing {

namespace detail {

inline int read_number(std::string_view& text) {
    int number = 0;
    auto const [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) { throw std::runtime_error("expected a square, got " + std::string{text}); }
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    return number;
}

inline std::string_view cut(std::string_view& text, char separator) {
    auto const at = text.find(separator);
    auto const piece = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
    return piece;
}

}  // namespace detail

// Calls `place(colour, kind, number)` for each piece, kind being K, M (any marked man) or a blank; returns
// the side to move.
template <class Place>
Colour read_fen(std::string_view fen, Place&& place) {
    auto const colour = [](char letter) { return letter == 'B' ? Colour::black : Colour::white; };
    auto const turn = colour(detail::cut(fen, ':').front());
    while (!fen.empty()) {
        auto side = detail::cut(fen, ':');
        auto const owner = colour(side.front());
        side.remove_prefix(1);
        while (!side.empty()) {
            auto piece = detail::cut(side, ',');
            char kind = ' ';
            if (auto const letter = piece.front(); letter == 'K' || letter == 'M' || letter == 'P') {
                kind = letter == 'K' ? 'K' : 'M';
                piece.remove_prefix(1);
            }
            int const first = detail::read_number(piece);
            if (!piece.empty()) { piece.remove_prefix(1); }
            int const last = piece.empty() ? first : detail::read_number(piece);
            for (int number = first; number <= last; ++number) { place(owner, kind, number); }
        }
    }
    return turn;
}

inline State state_of(Laws const& laws, std::string_view fen) {
    Wide black = 0;
    State state{};
    state.turn = read_fen(fen, [&](Colour owner, char kind, int number) {
        auto const bit = laws.bit(number);
        (owner == Colour::black ? black : state.theirs) |= bit;
        if (kind == 'K') { state.kings |= bit; }
        if (kind == 'M') { state.marks |= bit; }
    });
    state.own = black;
    if (state.turn == Colour::white) { std::swap(state.own, state.theirs); }
    return state;
}

template <class R>
Position<R> position_of(R rules, std::string_view fen) {
    using Set = typename R::Set;
    Set black;
    Position<R> position{rules, {}, {}, {}};
    auto const turn = read_fen(fen, [&](Colour owner, char kind, int number) {
        Set const square{rules.board().square(number)};
        (owner == Colour::black ? black : position.theirs) |= square;
        if (kind == 'K') { position.kings |= square; }
        if constexpr (R::may_have_marks) {
            if (kind == 'M') { position.marks |= square; }
        }
    });
    position.own = black;
    if (turn == Colour::white) { std::swap(position.own, position.theirs); }
    return position;
}

}  // namespace crownhead::testing
