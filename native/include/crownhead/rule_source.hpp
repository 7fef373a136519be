// Where the templates of the kernel take their rules from: constants, or a table that is made at run time.
// Both answer the same questions, so that one source serves both.
#pragma once

#include "crownhead/rule_table.hpp"

namespace crownhead {

// A list whose directions are known when the code is compiled.
template <DirectionList List>
struct ConstantList {};

// Calls `visit(direction)` for each of a list: with a `Constant`, or with a `Direction`.
template <DirectionList List, std::size_t I = 0, class Visit>
constexpr void each_direction(ConstantList<List> list, Visit&& visit) {
    if constexpr (I < List.size) {
        visit(Constant<List.list[I]>{});
        each_direction<List, I + 1>(list, visit);
    }
}
template <class Visit>
constexpr void each_direction(DirectionList const& list, Visit&& visit) {
    for (Direction direction : list) { visit(direction); }
}

// Rules that are constants. Empty: what is asked of it folds into the code.
template <Rules Value>
struct Fixed {
    using Word = std::conditional_t<(Layout{Value.board}.bits() <= 64), std::uint64_t, Wide>;
    using Set = Squares<Word>;

    static constexpr RuleTable<Word> table{Value};

    static constexpr bool is_fixed = true;
    static constexpr bool may_have_marks = Value.marked != Marked::none;
    static constexpr bool may_count_runs = Value.king_run > 0;
    static constexpr auto most_squares = static_cast<std::size_t>(table.board.squares);

    static_assert(Layout{Value.board}.bits() <= 128);
    static_assert(Value.king_steps == upside_down(Value.king_steps));
    static_assert(Value.king_captures == upside_down(Value.king_captures));

    static constexpr Rules value = Value;
    constexpr Rules const& operator*() const { return value; }
    constexpr Rules const* operator->() const { return &value; }
    static constexpr Geometry<Word> const& board() { return table.board; }

    template <Direction D>
    static constexpr Set step(Constant<D>, Set set) {
        constexpr auto i = static_cast<std::size_t>(D);
        if constexpr (table.board.clean[i]) {
            return shift(set, table.board.distance[i]);
        } else {
            return shift(set, table.board.distance[i]) & table.board.reached[i];
        }
    }

    template <Direction D>
    static constexpr Set slide(Constant<D>, Set set, Set through) {
        constexpr auto i = static_cast<std::size_t>(D);
        constexpr int one = table.board.distance[i];
        if constexpr (!table.board.clean[i]) { through &= table.board.reached[i]; }
        set = shift(set, one) & through;
        set |= shift(set, one) & through;
        through &= shift(through, one);
        set |= shift(set, 2 * one) & through;
        through &= shift(through, 2 * one);
        set |= shift(set, 4 * one) & through;
        if constexpr (table.board.longest_slide > 8) {
            through &= shift(through, 4 * one);
            set |= shift(set, 8 * one) & through;
        }
        return set;
    }

    template <Colour Us>
    static constexpr bool rises() {
        return table.template side<Us>().rises;
    }
    template <Colour Us>
    static constexpr Set far_row() {
        return table.template side<Us>().far_row;
    }
    template <Colour Us>
    static constexpr Set crown_squares() {
        return table.template side<Us>().crown_squares;
    }
    template <Colour Us>
    static constexpr auto man_steps() {
        return ConstantList<table.template side<Us>().man_steps>{};
    }
    template <Colour Us>
    static constexpr auto man_captures() {
        return ConstantList<table.template side<Us>().man_captures>{};
    }
    template <Colour Us>
    static constexpr auto man_goes_on() {
        return ConstantList<table.template side<Us>().man_goes_on>{};
    }
    template <Colour Us>
    static constexpr auto parachutist_captures() {
        return ConstantList<table.template side<Us>().parachutist_captures>{};
    }
    static constexpr auto king_steps() { return ConstantList<table.king_steps>{}; }
    static constexpr auto king_captures() { return ConstantList<table.king_captures>{}; }
    static constexpr auto capture_lines() { return ConstantList<table.capture_lines>{}; }

    // Of positions that are compared, all have the same rules.
    friend constexpr bool operator==(Fixed, Fixed) { return true; }
};

// Rules that a table holds, which lives longer than all that refers to it. `W`: the words of its boards.
template <BitWord W>
class Generic {
  public:
    using Word = W;
    using Set = Squares<Word>;

    static constexpr bool is_fixed = false;
    static constexpr bool may_have_marks = true;
    static constexpr bool may_count_runs = true;
    static constexpr std::size_t most_squares = Geometry<Word>::width;

    Generic() = default;
    constexpr explicit Generic(RuleTable<Word> const& table) : table_{&table} {}

    constexpr Rules const& operator*() const { return table_->rules; }
    constexpr Rules const* operator->() const { return &table_->rules; }
    constexpr Geometry<Word> const& board() const { return table_->board; }

    constexpr Set step(Direction direction, Set set) const { return board().step(direction, set); }
    constexpr Set slide(Direction direction, Set set, Set through) const {
        return board().slide(direction, set, through);
    }

    template <Colour Us>
    constexpr bool rises() const {
        return table_->template side<Us>().rises;
    }
    template <Colour Us>
    constexpr Set far_row() const {
        return table_->template side<Us>().far_row;
    }
    template <Colour Us>
    constexpr Set crown_squares() const {
        return table_->template side<Us>().crown_squares;
    }
    template <Colour Us>
    constexpr DirectionList const& man_steps() const {
        return table_->template side<Us>().man_steps;
    }
    template <Colour Us>
    constexpr DirectionList const& man_captures() const {
        return table_->template side<Us>().man_captures;
    }
    template <Colour Us>
    constexpr DirectionList const& man_goes_on() const {
        return table_->template side<Us>().man_goes_on;
    }
    template <Colour Us>
    constexpr DirectionList const& parachutist_captures() const {
        return table_->template side<Us>().parachutist_captures;
    }
    constexpr DirectionList const& king_steps() const { return table_->king_steps; }
    constexpr DirectionList const& king_captures() const { return table_->king_captures; }
    constexpr DirectionList const& capture_lines() const { return table_->capture_lines; }

    friend constexpr bool operator==(Generic, Generic) { return true; }

  private:
    RuleTable<Word> const* table_ = nullptr;
};

}  // namespace crownhead
