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

// The set with its board turned round by 180°.
template <Rules R>
constexpr typename Position<R>::Set turned(typename Position<R>::Set set) {
    using Board = Geometry<R.board>;
    using Word = typename Board::Word;
    auto const swap = [](std::uint64_t word) {
        word = (word >> 1 & 0x5555555555555555U) | (word & 0x5555555555555555U) << 1;
        word = (word >> 2 & 0x3333333333333333U) | (word & 0x3333333333333333U) << 2;
        word = (word >> 4 & 0x0F0F0F0F0F0F0F0FU) | (word & 0x0F0F0F0F0F0F0F0FU) << 4;
        return static_cast<std::uint64_t>(__builtin_bswap64(word));
    };
    if constexpr (R.one_way) {
        return set;
    } else if constexpr (sizeof(Word) > 8) {
        auto const low = static_cast<std::uint64_t>(set.bits());
        auto const high = static_cast<std::uint64_t>(set.bits() >> 64);
        return typename Position<R>::Set{(Wide{swap(low)} << 64 | swap(high)) >> (128 - Board::bits)};
    } else {
        return typename Position<R>::Set{static_cast<Word>(swap(set.bits()) >> (64 - Board::bits))};
    }
}

// The same position with the colours changed and the board turned round, so that what is true of one is
// true of the other. Where both sides' men go one way the board need not be turned.
template <Rules R>
constexpr Position<R> turned(Position<R> const& position) {
    Position<R> other{turned<R>(position.own), turned<R>(position.theirs), turned<R>(position.kings)};
    if constexpr (R.marked != Marked::none) { other.marks = turned<R>(position.marks); }
    return other;
}

// Numbers from 0, without gaps except for men of both sides on one square. All positions have Black to move.
template <Rules R>
class PositionIndexer {
    using Board = Geometry<R.board>;
    using Set = typename Position<R>::Set;
    using Black = Side<R, Colour::black>;
    using White = Side<R, Colour::white>;

    static_assert(turned<R>(Black::crown_squares) == White::crown_squares);
    static_assert(turned<R>(Black::far_row) == White::far_row);

  public:
    explicit PositionIndexer(Material const& material)
        : counts_{material.own.marked, material.theirs.marked, material.own.men,
                  material.theirs.men, material.own.kings,     material.theirs.kings} {
        int const others = material.count() - material.own.kings - material.theirs.kings;
        room_[4] = static_cast<std::size_t>(Board::squares - others);
        room_[5] = room_[4] - counts_[4];
        for (std::size_t i = 0; i < 4; ++i) { room_[i] = static_cast<std::size_t>(squares[i].count()); }
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
        Set ground = Board::board - men - their_men;
        std::uint64_t number = strides_[4] * rank(position.own_kings(), ground);
        ground = ground - position.own_kings();
        number += rank(position.theirs & position.kings, ground);
        if constexpr (R.marked != Marked::none) {
            number += strides_[0] * rank(men & position.marks, squares[0]);
            number += strides_[1] * rank(their_men & position.marks, squares[1]);
            number += strides_[2] * rank(men - position.marks, squares[2]);
            number += strides_[3] * rank(their_men - position.marks, squares[3]);
        } else {
            number += strides_[2] * rank(men, squares[2]);
            number += strides_[3] * rank(their_men, squares[3]);
        }
        return number;
    }

    // The position of a number that has one.
    Position<R> position(std::uint64_t number) const {
        std::array<Set, kinds> sets;
        Set occupied;
        for (std::size_t i = 0; i < kinds; ++i) {
            if (counts_[i] == 0) { continue; }
            Set const ground = i < 4 ? squares[i] : Board::board - occupied;
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
    static constexpr std::array<Set, kinds> squares = [] {
        std::array<Set, kinds> sets{Board::board,
                                    Board::board,
                                    Board::board - Black::crown_squares,
                                    Board::board - White::crown_squares,
                                    Board::board,
                                    Board::board};
        if (R.has_parachutists()) {
            sets[0] = Black::far_row;
            sets[1] = White::far_row;
        }
        return sets;
    }();

    static std::uint64_t rank(Set set, Set ground) {
        std::uint64_t number = 0;
        std::size_t nth = 0;
        for (auto one : set) {
            Set const below{static_cast<typename Board::Word>(one.bits() - 1)};
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

    static Position<R> assembled(std::array<Set, kinds> const& sets) {
        Position<R> position{sets[0] | sets[2] | sets[4], sets[1] | sets[3] | sets[5], sets[4] | sets[5]};
        if constexpr (R.marked != Marked::none) { position.marks = sets[0] | sets[1]; }
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
        Iterator(PositionIndexer const& indexer, std::uint64_t number) {
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
            return assembled({groups_[0].set, groups_[1].set, groups_[2].set, groups_[3].set, groups_[4].set,
                              groups_[5].set});
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
            if (kind < 4) { return squares[kind]; }
            auto const men = groups_[0].set | groups_[1].set | groups_[2].set | groups_[3].set;
            return Board::board - men - (kind == 5 ? groups_[4].set : Set{});
        }
        void begin_from(std::size_t kind) {
            for (std::size_t i = kind; i < kinds; ++i) {
                if (groups_[i].count == 0) { continue; }
                if (i >= 4) { groups_[i].stand_on(ground(i)); }
                groups_[i].begin();
            }
        }

        std::array<Combination, kinds> groups_;
    };

    std::array<std::size_t, kinds> counts_;
    std::array<std::size_t, kinds> room_{};
    std::array<std::uint64_t, kinds> strides_{};
    std::uint64_t size_ = 0;
};

}  // namespace crownhead::endgame
