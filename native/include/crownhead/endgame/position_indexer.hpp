// The index of a position in the table of its material, by the combinatorial number system (Lehmer).
#pragma once

#include <array>
#include <cstddef>

#include "crownhead/endgame/material.hpp"
#include "crownhead/ending.hpp"

namespace crownhead::endgame {

inline constexpr std::size_t most_squares = 145;

// Binomial coefficients: how many sets of `chosen` there are among `of`.
inline constexpr auto binomial = [] {
    std::array<std::array<std::uint64_t, most_pieces + 1>, most_squares> table{};
    for (std::size_t of = 0; of < most_squares; ++of) {
        table[of][0] = 1;
        for (std::size_t chosen = 1; chosen <= most_pieces && of > 0; ++chosen) {
            table[of][chosen] = table[of - 1][chosen - 1] + table[of - 1][chosen];
        }
    }
    return table;
}();

// The set with its board turned round by 180°; as it is where both sides' men go one way.
template <class R>
constexpr typename R::Set turned(R rules, typename R::Set set) {
    using Word = typename R::Word;
    auto const swap = [](std::uint64_t word) {
        word = (word >> 1 & 0x5555555555555555U) | (word & 0x5555555555555555U) << 1;
        word = (word >> 2 & 0x3333333333333333U) | (word & 0x3333333333333333U) << 2;
        word = (word >> 4 & 0x0F0F0F0F0F0F0F0FU) | (word & 0x0F0F0F0F0F0F0F0FU) << 4;
        return static_cast<std::uint64_t>(__builtin_bswap64(word));
    };
    if (rules->one_way) { return set; }
    int const bits = rules.board().bits;
    if constexpr (sizeof(Word) > 8) {
        auto const low = static_cast<std::uint64_t>(set.bits());
        auto const high = static_cast<std::uint64_t>(set.bits() >> 64);
        return typename R::Set{(Wide{swap(low)} << 64 | swap(high)) >> (128 - bits)};
    } else {
        return typename R::Set{swap(set.bits()) >> (64 - bits)};
    }
}

// The same position with the colours changed and the board turned round, so that what is true of one is
// true of the other. Where both sides' men go one way the board need not be turned.
template <class R>
constexpr Position<R> turned(Position<R> const& position) {
    auto const& rules = position.rules;
    Position<R> other{rules, turned(rules, position.own), turned(rules, position.theirs),
                      turned(rules, position.kings)};
    if constexpr (R::may_have_marks) { other.marks = turned(rules, position.marks); }
    return other;
}

// Whether the sides see the same board, so that one table serves both.
template <class R>
constexpr bool is_turned_onto_itself(R rules) {
    constexpr auto black = Colour::black;
    constexpr auto white = Colour::white;
    auto const crowning = rules.template crown_squares<white>();
    return turned(rules, rules.board().board) == rules.board().board &&
           turned(rules, rules.template crown_squares<black>()) == crowning &&
           turned(rules, rules.template far_row<black>()) == rules.template far_row<white>();
}

// Numbers from 0, without gaps except for men of both sides on one square. All positions have Black to move.
template <class R>
class PositionIndexer {
    using Set = typename R::Set;

  public:
    PositionIndexer(R rules, Material const& material)
        : rules_{rules}, squares_{squares_of(rules)}, counts_{material.own.marked, material.theirs.marked,
                                                              material.own.men,    material.theirs.men,
                                                              material.own.kings,  material.theirs.kings} {
        int const others = material.count() - material.own.kings - material.theirs.kings;
        room_[4] = static_cast<std::size_t>(rules.board().squares - others);
        room_[5] = room_[4] - counts_[4];
        for (std::size_t i = 0; i < 4; ++i) { room_[i] = static_cast<std::size_t>(squares_[i].count()); }
        std::uint64_t stride = 1;
        for (std::size_t i = kinds; i-- > 0;) {
            strides_[i] = stride;
            stride *= binomial[room_[i]][counts_[i]];
        }
        size_ = stride;
    }

    std::uint64_t size() const { return size_; }

    std::uint64_t index(Position<R> const& position) const {
        Set const men = position.own_men();
        Set const their_men = position.theirs - position.kings;
        Set ground = board() - men - their_men;
        std::uint64_t number = strides_[4] * rank(position.own_kings(), ground);
        ground = ground - position.own_kings();
        number += rank(position.theirs & position.kings, ground);
        Set const marked = position.marked(men);
        Set const their_marked = position.marked(their_men);
        number += strides_[0] * rank(marked, squares_[0]);
        number += strides_[1] * rank(their_marked, squares_[1]);
        number += strides_[2] * rank(men - marked, squares_[2]);
        number += strides_[3] * rank(their_men - their_marked, squares_[3]);
        return number;
    }

    // The position of a number that has one.
    Position<R> position(std::uint64_t number) const {
        std::array<Set, kinds> sets;
        Set occupied;
        for (std::size_t i = 0; i < kinds; ++i) {
            if (counts_[i] == 0) { continue; }
            Set const ground = i < 4 ? squares_[i] : board() - occupied;
            sets[i] = unranked(number / strides_[i] % binomial[room_[i]][counts_[i]], counts_[i], ground);
            occupied |= sets[i];
        }
        return assembled(sets);
    }

    // Calls `visit(number, position)` for the numbers from `begin` to before `end` that have a position.
    template <class Visit>
    void each(std::uint64_t begin, std::uint64_t end, Visit&& visit) const {
        if (begin >= end) { return; }
        Iterator iterator{*this, begin};
        std::uint64_t const block = strides_[3];
        for (auto number = begin; number < end;) {
            if (iterator.overlaps()) {
                number += block - number % block;
                iterator.skip();
                continue;
            }
            visit(number, iterator.position());
            ++number;
            iterator.advance(kinds - 1);
        }
    }

  private:
    static constexpr std::size_t kinds = 6;

    // Where marked men, men and kings of both sides may stand, the side to move first.
    static std::array<Set, kinds> squares_of(R rules) {
        constexpr auto black = Colour::black;
        constexpr auto white = Colour::white;
        Set const all = rules.board().board;
        bool const waits = rules->has_parachutists();
        return {waits ? rules.template far_row<black>() : all,
                waits ? rules.template far_row<white>() : all,
                all - rules.template crown_squares<black>(),
                all - rules.template crown_squares<white>(),
                all,
                all};
    }

    Set board() const { return rules_.board().board; }

    static std::uint64_t rank(Set set, Set ground) {
        std::uint64_t number = 0;
        std::size_t nth = 0;
        for (auto one : set) {
            Set const below{static_cast<typename R::Word>(one.bits() - 1)};
            number += binomial[static_cast<std::size_t>((ground & below).count())][++nth];
        }
        return number;
    }

    static Set unranked(std::uint64_t rank, std::size_t count, Set ground) {
        std::array<Set, most_squares> places;
        std::size_t room = 0;
        for (auto one : ground) { places[room++] = one; }
        Set set;
        std::size_t place = room;
        for (std::size_t nth = count; nth > 0; --nth) {
            do { --place; } while (binomial[place][nth] > rank);
            rank -= binomial[place][nth];
            set |= places[place];
        }
        return set;
    }

    Position<R> assembled(std::array<Set, kinds> const& sets) const {
        Position<R> position{rules_, sets[0] | sets[2] | sets[4], sets[1] | sets[3] | sets[5],
                             sets[4] | sets[5]};
        if constexpr (R::may_have_marks) { position.marks = sets[0] | sets[1]; }
        return position;
    }

    // The squares of the pieces of one kind, stepping through all combinations in the order of `rank`.
    struct Combination {
        std::array<std::uint8_t, most_pieces> chosen;
        std::array<Set, most_squares> places;
        std::size_t room = 0;
        std::size_t count = 0;
        Set set;

        void stand_on(Set ground) {
            room = 0;
            for (auto one : ground) { places[room++] = one; }
        }
        void gather() {
            set = Set{};
            for (std::size_t i = 0; i < count; ++i) { set |= places[chosen[i]]; }
        }
        void begin() {
            for (std::size_t i = 0; i < count; ++i) { chosen[i] = static_cast<std::uint8_t>(i); }
            gather();
        }
        bool next() {
            if (count == 0) { return false; }
            std::size_t moved = 0;
            while (moved + 1 < count && chosen[moved] + 1 == chosen[moved + 1]) { ++moved; }
            if (static_cast<std::size_t>(++chosen[moved]) == room) { return false; }
            for (std::size_t i = 0; i < moved; ++i) { chosen[i] = static_cast<std::uint8_t>(i); }
            gather();
            return true;
        }
        void start_at(std::uint64_t rank) {
            std::size_t place = room;
            for (std::size_t nth = count; nth > 0; --nth) {
                do { --place; } while (binomial[place][nth] > rank);
                rank -= binomial[place][nth];
                chosen[nth - 1] = static_cast<std::uint8_t>(place);
            }
            gather();
        }
    };

    class Iterator {
      public:
        Iterator(PositionIndexer const& indexer, std::uint64_t number) : indexer_{indexer} {
            for (std::size_t i = 0; i < kinds; ++i) { groups_[i].count = indexer.counts_[i]; }
            for (std::size_t i = 0; i < kinds; ++i) {
                auto const radix = binomial[indexer.room_[i]][indexer.counts_[i]];
                groups_[i].stand_on(ground(i));
                groups_[i].start_at(number / indexer.strides_[i] % radix);
                if (i == 3 && overlaps()) {
                    // Kings cannot be placed; iteration goes on from the next arrangement of men.
                    begin_from(4);
                    return;
                }
            }
        }

        bool overlaps() const {
            return (groups_[0].set | groups_[2].set).meets(groups_[1].set | groups_[3].set) ||
                   groups_[0].set.meets(groups_[2].set) || groups_[1].set.meets(groups_[3].set);
        }
        Position<R> position() const {
            return indexer_.assembled({groups_[0].set, groups_[1].set, groups_[2].set, groups_[3].set,
                                       groups_[4].set, groups_[5].set});
        }
        // To the next arrangement of men.
        void skip() { advance(3); }

        void advance(std::size_t kind) {
            for (std::size_t i = kind + 1; i-- > 0;) {
                if (groups_[i].next()) {
                    begin_from(i + 1);
                    return;
                }
            }
        }

      private:
        Set ground(std::size_t kind) const {
            if (kind < 4) { return indexer_.squares_[kind]; }
            auto const men = groups_[0].set | groups_[1].set | groups_[2].set | groups_[3].set;
            return indexer_.board() - men - (kind == 5 ? groups_[4].set : Set{});
        }
        void begin_from(std::size_t kind) {
            for (std::size_t i = kind; i < kinds; ++i) {
                if (groups_[i].count == 0) { continue; }
                if (i >= 4) { groups_[i].stand_on(ground(i)); }
                groups_[i].begin();
            }
        }

        PositionIndexer const& indexer_;
        std::array<Combination, kinds> groups_;
    };

    R rules_;
    std::array<Set, kinds> squares_;
    std::array<std::size_t, kinds> counts_;
    std::array<std::size_t, kinds> room_{};
    std::array<std::uint64_t, kinds> strides_{};
    std::uint64_t size_ = 0;
};

}  // namespace crownhead::endgame
