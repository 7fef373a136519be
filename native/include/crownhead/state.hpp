// A position of any rules, for code that knows none of them.
#pragma once

#include "crownhead/position.hpp"

namespace crownhead {

// The bits lie as the position's own board has them.
struct State {
    Wide own;
    Wide theirs;
    Wide kings;
    Wide marks;
    Colour turn;
    // Where the rules limit the steps of one king in a row; the sets hold one king or none.
    Wide own_run = 0;
    Wide their_run = 0;
    std::uint8_t own_steps = 0;
    std::uint8_t their_steps = 0;

    friend constexpr bool operator==(State const&, State const&) = default;
};

template <class R>
Position<R> unpack(R rules, State const& state) {
    using Set = typename R::Set;
    auto const set = [](Wide bits) { return Set{static_cast<typename R::Word>(bits)}; };
    Position<R> position{rules, set(state.own), set(state.theirs), set(state.kings)};
    if constexpr (R::may_have_marks) { position.marks = set(state.marks); }
    if constexpr (R::may_count_runs) {
        position.own_run = {set(state.own_run), state.own_steps};
        position.their_run = {set(state.their_run), state.their_steps};
    }
    return position;
}

template <Colour Turn, class R>
State pack(Position<R> const& position) {
    State state{position.own.bits(), position.theirs.bits(), position.kings.bits(), 0, Turn};
    if constexpr (R::may_have_marks) { state.marks = position.marks.bits(); }
    if constexpr (R::may_count_runs) {
        state.own_run = position.own_run.king().bits();
        state.own_steps = static_cast<std::uint8_t>(position.own_run.steps());
        state.their_run = position.their_run.king().bits();
        state.their_steps = static_cast<std::uint8_t>(position.their_run.steps());
    }
    return state;
}

// Calls `act.operator()<Us>(position)` as the side to move sees it.
template <class R, class Act>
auto as_mover(R rules, State const& state, Act&& act) {
    auto const position = unpack(rules, state);
    return state.turn == Colour::black ? act.template operator()<Colour::black>(position)
                                       : act.template operator()<Colour::white>(position);
}

}  // namespace crownhead
