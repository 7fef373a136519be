// Move generation for the search: lists of moves, each with the position it leads to and its place in the
// order.
#pragma once

#include "crownhead/engine/transposition_table.hpp"
#include "crownhead/hash.hpp"
#include "crownhead/legal.hpp"

namespace crownhead::engine {

template <class R>
struct SearchMove {
    Position<R> next;
    std::uint64_t key = 0;
    typename R::Set origin;
    typename R::Set target;
    int order = 0;  // move ordering: the highest comes first
    MoveCode code = 0;
    std::uint8_t taken = 0;  // pieces
    bool crowns = false;
    bool by_man = false;

    // No position from before it can come again.
    bool is_irreversible() const { return taken > 0 || by_man; }
};

// The hash key of a position for the transposition table and for repetitions.
template <Colour Us, class R>
std::uint64_t key_of(Position<R> const& position) {
    auto const word = [](auto set, int shift) { return static_cast<std::uint64_t>(set.bits() >> shift); };
    constexpr std::uint64_t turn = Us == Colour::black ? 0x9E3779B97F4A7C15U : 0;
    std::uint64_t hash = fold(word(position.own, 0) ^ 0x2B7E151628AED2A7U, 0x243F6A8885A308D3U ^ turn);
    hash = fold(hash ^ word(position.theirs, 0), 0x13198A2E03707345U);
    hash = fold(hash ^ word(position.kings, 0), 0xA4093822299F31D1U);
    if constexpr (sizeof(position.own.bits()) > 8) {
        hash = fold(hash ^ word(position.own, 64), 0x082EFA98EC4E6C89U);
        hash = fold(hash ^ word(position.theirs, 64) ^ word(position.kings, 32), 0x452821E638D01377U);
        hash = fold(hash ^ word(position.kings, 64), 0xBE5466CF34E90C6DU);
    }
    if (position.has_marks()) {
        auto const marks = position.marked(position.occupied());
        hash = fold(hash ^ word(marks, 0), 0xC0AC29B7C97C50DDU);
        if constexpr (sizeof(position.own.bits()) > 8) {
            hash = fold(hash ^ word(marks, 64), 0x3F84D5B5B5470917U);
        }
    }
    if constexpr (R::may_count_runs) {
        if (position.counts_runs()) {
            auto const bits = [&](auto run) {
                auto king = word(run.king(), 0);
                if constexpr (sizeof(position.own.bits()) > 8) {
                    king ^= fold(word(run.king(), 64), 0x636920D871574E69U);
                }
                return king ^ static_cast<std::uint64_t>(run.steps());
            };
            hash = fold(hash ^ bits(position.own_run), 0x9216D5D98979FB1BU);
            hash = fold(hash ^ bits(position.their_run), 0xD1310BA698DFB5ACU);
        }
    }
    return hash;
}

// A quiet move's code holds its two squares; a capture's is a hash of what makes it, with the top bit set.
// Where two captures of a position have the same hash, `MoveList::add` gives one of them another code.
template <class Set>
MoveCode code_of(Set origin, Set target, Set taken) {
    auto const from = static_cast<unsigned>(index(origin.first()));
    // A piece that is taken off goes nowhere; no code is 0, which stands for no move.
    auto const to = target.empty() ? 0x7FU : static_cast<unsigned>(index(target.first()));
    if (taken.empty()) { return static_cast<MoveCode>(from << 7 | to); }
    auto word = static_cast<std::uint64_t>(taken.bits());
    if constexpr (sizeof(taken.bits()) > 8) { word ^= static_cast<std::uint64_t>(taken.bits() >> 61); }
    auto const mixed = fold(fold(word, 0xA4093822299F31D1U) ^ from << 7 ^ to, 0x9E3779B97F4A7C15U);
    return static_cast<MoveCode>(0x8000U | (mixed & 0x7FFFU));
}

// A stack of move lists in memory that is allocated once.
template <class R>
class Arena {
  public:
    Arena() : memory_{std::allocator<SearchMove<R>>{}.allocate(size)} {}
    Arena(Arena const&) = delete;
    Arena& operator=(Arena const&) = delete;
    ~Arena() { std::allocator<SearchMove<R>>{}.deallocate(memory_, size); }

    class MoveList {
      public:
        explicit MoveList(Arena& arena) : arena_{arena}, begin_{arena.used_} {}
        MoveList(MoveList const&) = delete;
        MoveList& operator=(MoveList const&) = delete;
        ~MoveList() { arena_.used_ = begin_; }

        // False where there is no room; positions of games never need that much.
        bool add(SearchMove<R> const& move) {
            if (arena_.used_ == size) { return false; }
            auto& added = *std::construct_at(arena_.memory_ + arena_.used_, move);
            while (added.taken > 0 && has(added.code)) {
                added.code = static_cast<MoveCode>(0x8000U | (added.code + 1U));
            }
            ++arena_.used_;
            return true;
        }
        int count() const { return static_cast<int>(arena_.used_ - begin_); }
        SearchMove<R>& operator[](int i) { return arena_.memory_[begin_ + static_cast<std::size_t>(i)]; }

        // Selection sort, a step at a time: brings the best of those from `i` on to `i`.
        SearchMove<R>& pick(int i) {
            int best = i;
            for (int j = i + 1; j < count(); ++j) {
                if ((*this)[j].order > (*this)[best].order) { best = j; }
            }
            if (best != i) { std::swap((*this)[i], (*this)[best]); }
            return (*this)[i];
        }

      private:
        bool has(MoveCode code) {
            for (int i = 0; i < count(); ++i) {
                if ((*this)[i].code == code) { return true; }
            }
            return false;
        }

        Arena& arena_;
        std::size_t begin_;
    };

  private:
    static constexpr std::size_t size = std::size_t{1} << 14;
    static_assert(std::is_trivially_destructible_v<SearchMove<R>>);
    SearchMove<R>* memory_;  // filled as far as it is used: a short search touches little of it
    std::size_t used_ = 0;
};

// Fills `list` with the legal moves of a position that is not decided; `origins` are the pieces that can
// take. False: there are too many captures.
template <Colour Us, class R>
bool generate_moves(Position<R> const& position, typename R::Set origins, typename Arena<R>::MoveList& list) {
    using Set = typename R::Set;
    if (!origins.empty()) {
        CaptureList<R> captures{position};
        if (!find_captures<Us>(position, origins, captures)) { return false; }
        for (auto const& capture : captures) {
            SearchMove<R> move{.next = after(position, capture),
                               .origin = capture.origin,
                               .target = capture.target,
                               .code = code_of(capture.origin, capture.target, capture.taken),
                               .taken = static_cast<std::uint8_t>(capture.taken.count()),
                               .crowns = capture.crowns,
                               .by_man = !position.kings.meets(capture.origin)};
            if (!list.add(move)) { return false; }
        }
        return true;
    }
    bool room = true;
    each_quiet_successor<Us>(position, [&](Position<R> const& next) {
        Set const origin = position.own - next.theirs;
        Set const target = next.theirs - position.own;
        room &= list.add(SearchMove<R>{.next = next,
                                       .origin = origin,
                                       .target = target,
                                       .code = code_of(origin, target, Set{}),
                                       .crowns = next.kings.meets(target) && !position.kings.meets(origin),
                                       .by_man = !position.kings.meets(origin)});
    });
    return room;
}

}  // namespace crownhead::engine
