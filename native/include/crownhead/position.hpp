// A position as its side to move sees it, and the positions that its moves lead to.
#pragma once

#include "crownhead/geometry.hpp"

namespace crownhead {

struct NoMarks {
    friend constexpr bool operator==(NoMarks, NoMarks) = default;
};

// The king that a side has moved last, and how many steps in a row it has made. Nothing runs for a side
// without men.
template <class Set>
struct KingRun {
    Set king;
    std::uint8_t steps = 0;

    friend constexpr bool operator==(KingRun const&, KingRun const&) = default;
};

struct NoRun {
    friend constexpr bool operator==(NoRun, NoRun) = default;
};
struct NoOtherRun {
    friend constexpr bool operator==(NoOtherRun, NoOtherRun) = default;
};

// Three words, and more where the rules ask for it:
//
//       own     pieces of the side to move, of every kind
//       theirs  pieces of the other side
//       kings   kings of both sides
//       marks   marked men of both sides
template <Rules R>
struct Position {
    using Board = Geometry<R.board>;
    using Set = typename Board::Set;
    static constexpr bool counts_runs = R.king_run > 0;

    Set own;
    Set theirs;
    Set kings;
    [[no_unique_address]] std::conditional_t<R.marked != Marked::none, Set, NoMarks> marks{};
    [[no_unique_address]] std::conditional_t<counts_runs, KingRun<Set>, NoRun> own_run{};
    [[no_unique_address]] std::conditional_t<counts_runs, KingRun<Set>, NoOtherRun> their_run{};

    friend constexpr bool operator==(Position const&, Position const&) = default;

    constexpr Set occupied() const { return own | theirs; }
    constexpr Set empty() const { return Board::board - occupied(); }
    constexpr Set own_men() const { return own - kings; }
    constexpr Set own_kings() const { return own & kings; }

    // Men that move as men do.
    constexpr Set walking_men() const {
        if constexpr (R.has_parachutists()) {
            return own_men() - marks;
        } else {
            return own_men();
        }
    }
    // Kings that may step.
    constexpr Set stepping_kings() const {
        if constexpr (counts_runs) {
            return own_run.steps < R.king_run ? own_kings() : own_kings() - own_run.king;
        } else {
            return own_kings();
        }
    }
    // Konane: pieces are taken off by their own side until two squares are free.
    constexpr bool in_opening() const {
        if constexpr (R.jumps_only) {
            return empty().count() < 2;
        } else {
            return false;
        }
    }
};

// A capture by any of its routes: the identity of the move.
template <Rules R>
struct Capture {
    using Set = typename Position<R>::Set;

    Set origin;
    Set target;
    Set taken;
    bool crowns;

    friend constexpr bool operator==(Capture const&, Capture const&) = default;
};

namespace detail {

// A mule remains one wherever it goes; a parachutist has become a man.
template <Rules R>
constexpr void move_mark(Position<R>& position, [[maybe_unused]] typename Position<R>::Set origin,
                         [[maybe_unused]] typename Position<R>::Set target) {
    if constexpr (R.has_mules()) {
        if (position.marks.meets(origin)) { position.marks = (position.marks - origin) | target; }
    } else if constexpr (R.has_parachutists()) {
        position.marks = position.marks - origin;
    }
}

// The men among `set` who would be crowned there: a mule on a crown square remains one.
template <Rules R>
constexpr bool may_crown([[maybe_unused]] Position<R> const& position,
                         [[maybe_unused]] typename Position<R>::Set man) {
    if constexpr (R.has_mules()) {
        return !position.marks.meets(man);
    } else {
        return true;
    }
}

// The runs after a move that was no step of a king; the board of `next` is that after the move.
template <Rules R>
constexpr void end_run(Position<R>& next, Position<R> const& position) {
    if constexpr (Position<R>::counts_runs) {
        next.their_run = {};
        next.own_run = {};
        bool const stands = position.their_run.king.within(next.own & next.kings);
        if (stands && !next.own_men().empty()) { next.own_run = position.their_run; }
    }
}

}  // namespace detail

// After a man steps to an empty square.
template <Colour Us, Rules R>
constexpr Position<R> after_man_step(Position<R> const& position, typename Position<R>::Set origin,
                                     typename Position<R>::Set target) {
    auto next = position;
    next.own = position.theirs;
    next.theirs = position.own ^ (origin | target);
    if (detail::may_crown(position, origin)) { next.kings |= target & Side<R, Us>::crown_squares; }
    detail::move_mark(next, origin, target);
    if constexpr (Position<R>::counts_runs) {
        next.own_run = position.their_run;
        next.their_run = {};
    }
    return next;
}

// After a king moves to an empty square.
template <Rules R>
constexpr Position<R> after_king_step(Position<R> const& position, typename Position<R>::Set origin,
                                      typename Position<R>::Set target) {
    auto next = position;
    next.own = position.theirs;
    next.theirs = position.own ^ (origin | target);
    next.kings = position.kings ^ (origin | target);
    if constexpr (Position<R>::counts_runs) {
        next.own_run = position.their_run;
        next.their_run = {};
        if (!position.own_men().empty()) {
            int const before = position.own_run.king == origin ? position.own_run.steps : 0;
            next.their_run = {target, static_cast<std::uint8_t>(before + 1)};
        }
    }
    return next;
}

// After a side takes a piece of its own off the board.
template <Rules R>
constexpr Position<R> after_removal(Position<R> const& position, typename Position<R>::Set piece) {
    auto next = position;
    next.own = position.theirs;
    next.theirs = position.own - piece;
    return next;
}

template <Rules R>
constexpr Position<R> after(Position<R> const& position, Capture<R> const& capture) {
    bool const was_king = position.kings.meets(capture.origin);
    auto next = position;
    next.own = position.theirs - capture.taken;
    next.theirs = (position.own - capture.origin) | capture.target;
    next.kings = position.kings - (capture.taken | capture.origin);
    if (was_king || capture.crowns) { next.kings |= capture.target; }
    if constexpr (R.marked != Marked::none) {
        next.marks = next.marks - capture.taken;
        detail::move_mark(next, capture.origin, capture.target);
    }
    detail::end_run(next, position);
    return next;
}

}  // namespace crownhead
