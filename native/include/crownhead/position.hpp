// A position as its side to move sees it, and the positions that its moves lead to.
#pragma once

#include "crownhead/rule_source.hpp"

namespace crownhead {

// The king that a side has moved last, and how many steps in a row it has made. Nothing runs for a side
// without men.
template <class Set>
class KingRun {
  public:
    constexpr KingRun() = default;
    constexpr KingRun(Set king, int steps)
        : square_{king.empty() ? Square{} : king.first()}, steps_{static_cast<std::uint8_t>(steps)} {}

    constexpr Set king() const { return steps_ == 0 ? Set{} : Set{square_}; }  // that king or none
    constexpr int steps() const { return steps_; }
    friend constexpr bool operator==(KingRun, KingRun) = default;

  private:
    Square square_{};
    std::uint8_t steps_ = 0;
};

struct NoMarks {
    friend constexpr bool operator==(NoMarks, NoMarks) = default;
};
struct NoRun {
    friend constexpr bool operator==(NoRun, NoRun) = default;
};
struct NoOtherRun {
    friend constexpr bool operator==(NoOtherRun, NoOtherRun) = default;
};

// Three words, and more where the rules may ask for it:
//
//       own     pieces of the side to move, of every kind
//       theirs  pieces of the other side
//       kings   kings of both sides
//       marks   marked men of both sides
//
// R is where its rules come from, `Fixed` or `Generic`.
template <class R>
struct Position {
    using Set = typename R::Set;

    [[no_unique_address]] R rules;
    Set own;
    Set theirs;
    Set kings;
    [[no_unique_address]] std::conditional_t<R::may_have_marks, Set, NoMarks> marks{};
    [[no_unique_address]] std::conditional_t<R::may_count_runs, KingRun<Set>, NoRun> own_run{};
    [[no_unique_address]] std::conditional_t<R::may_count_runs, KingRun<Set>, NoOtherRun> their_run{};

    friend constexpr bool operator==(Position const&, Position const&) = default;

    constexpr Set occupied() const { return own | theirs; }
    constexpr Set empty() const { return rules.board().board - occupied(); }
    constexpr Set own_men() const { return own - kings; }
    constexpr Set own_kings() const { return own & kings; }

    constexpr bool has_marks() const { return R::may_have_marks && rules->marked != Marked::none; }
    constexpr bool has_mules() const { return R::may_have_marks && rules->has_mules(); }
    constexpr bool has_parachutists() const { return R::may_have_marks && rules->has_parachutists(); }
    constexpr bool counts_runs() const { return R::may_count_runs && rules->king_run > 0; }

    // Marked men among `set`.
    constexpr Set marked([[maybe_unused]] Set set) const {
        if constexpr (R::may_have_marks) {
            return set & marks;
        } else {
            return {};
        }
    }
    // Men that move as men do.
    constexpr Set walking_men() const { return has_parachutists() ? own_men() - marked(own) : own_men(); }
    // Kings that may step.
    constexpr Set stepping_kings() const {
        if constexpr (R::may_count_runs) {
            bool const spent = counts_runs() && own_run.steps() >= rules->king_run;
            return spent ? own_kings() - own_run.king() : own_kings();
        } else {
            return own_kings();
        }
    }
    // Konane: pieces are taken off by their own side until two squares are free.
    constexpr bool in_opening() const { return rules->jumps_only && empty().count() < 2; }
};

// A capture by any of its routes: the identity of the move.
template <class R>
struct Capture {
    using Set = typename R::Set;

    Set origin;
    Set target;
    Set taken;
    bool crowns;

    friend constexpr bool operator==(Capture const&, Capture const&) = default;
};

namespace detail {

// A mule remains one wherever it goes; a parachutist has become a man.
template <class R>
constexpr void move_mark([[maybe_unused]] Position<R>& position, [[maybe_unused]] typename R::Set origin,
                         [[maybe_unused]] typename R::Set target) {
    if constexpr (R::may_have_marks) {
        if (!position.marks.meets(origin)) { return; }
        position.marks = position.marks - origin;
        if (position.has_mules()) { position.marks |= target; }
    }
}

// The men among `set` who would be crowned there: a mule on a crown square remains one.
template <class R>
constexpr bool may_crown(Position<R> const& position, typename R::Set man) {
    return !position.has_mules() || position.marked(man).empty();
}

// The runs after a move that was no step of a king; the board of `next` is that after the move.
template <class R>
constexpr void end_run([[maybe_unused]] Position<R>& next, [[maybe_unused]] Position<R> const& position) {
    if constexpr (R::may_count_runs) {
        if (!position.counts_runs()) { return; }
        next.their_run = {};
        next.own_run = {};
        bool const stands = position.their_run.king().within(next.own & next.kings);
        if (stands && !next.own_men().empty()) { next.own_run = position.their_run; }
    }
}

}  // namespace detail

// After a man steps to an empty square.
template <Colour Us, class R>
constexpr Position<R> after_man_step(Position<R> const& position, typename R::Set origin,
                                     typename R::Set target) {
    auto next = position;
    next.own = position.theirs;
    next.theirs = position.own ^ (origin | target);
    if (detail::may_crown(position, origin)) {
        next.kings |= target & position.rules.template crown_squares<Us>();
    }
    detail::move_mark(next, origin, target);
    if constexpr (R::may_count_runs) {
        next.own_run = position.their_run;
        next.their_run = {};
    }
    return next;
}

// After a king moves to an empty square.
template <class R>
constexpr Position<R> after_king_step(Position<R> const& position, typename R::Set origin,
                                      typename R::Set target) {
    auto next = position;
    next.own = position.theirs;
    next.theirs = position.own ^ (origin | target);
    next.kings = position.kings ^ (origin | target);
    if constexpr (R::may_count_runs) {
        next.own_run = position.their_run;
        next.their_run = {};
        if (position.counts_runs() && !position.own_men().empty()) {
            int const before = position.own_run.king() == origin ? position.own_run.steps() : 0;
            next.their_run = {target, before + 1};
        }
    }
    return next;
}

// After a side takes a piece of its own off the board.
template <class R>
constexpr Position<R> after_removal(Position<R> const& position, typename R::Set piece) {
    auto next = position;
    next.own = position.theirs;
    next.theirs = position.own - piece;
    return next;
}

template <class R>
constexpr Position<R> after(Position<R> const& position, Capture<R> const& capture) {
    bool const was_king = position.kings.meets(capture.origin);
    auto next = position;
    next.own = position.theirs - capture.taken;
    next.theirs = (position.own - capture.origin) | capture.target;
    next.kings = position.kings - (capture.taken | capture.origin);
    if (was_king || capture.crowns) { next.kings |= capture.target; }
    if constexpr (R::may_have_marks) {
        next.marks = next.marks - capture.taken;
        detail::move_mark(next, capture.origin, capture.target);
    }
    detail::end_run(next, position);
    return next;
}

}  // namespace crownhead
