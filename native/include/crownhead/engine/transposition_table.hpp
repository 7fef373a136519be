// The transposition table: what searches found out about positions, shared by threads without a lock.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "crownhead/engine/score.hpp"
#include "crownhead/large_pages.hpp"

namespace crownhead::engine {

// A move in the transposition table, the killer moves and the history; 0: none. Two moves of a position share
// a code so seldom that only the move ordering suffers.
using MoveCode = std::uint16_t;

struct Entry {
    MoveCode best_move = 0;
    std::int16_t score = 0;
    std::int8_t depth = 0;
    Bound bound = Bound::none;
    std::uint8_t age = 0;
    std::uint8_t unused = 0;
};
static_assert(sizeof(Entry) == 8);

class TranspositionTable {
  public:
    explicit TranspositionTable(std::size_t megabytes) { resize(megabytes); }

    void resize(std::size_t megabytes) {
        std::size_t const wanted = (megabytes << 20) / sizeof(Bucket);
        buckets_ = std::bit_floor(wanted < 1024 ? std::size_t{1024} : wanted);
        memory_ = LargeVector<Bucket>(buckets_);
    }

    void clear() {
        for (std::size_t i = 0; i < buckets_; ++i) {
            for (auto& slot : memory_[i].slots) { slot.write(0, Entry{}); }
        }
        age_ = 0;
    }

    // Entries stored from now on are newer than all that are there.
    void start_new_search() { age_ = static_cast<std::uint8_t>(age_ + 1); }

    bool probe(std::uint64_t key, Entry& found) const {
        for (auto const& slot : bucket(key).slots) {
            if (slot.read(key, found)) { return found.bound != Bound::none; }
        }
        return false;
    }

    // Replaces the entry of the same position, else that of the least depth; each search that has begun since
    // counts against an entry like four plies.
    void store(std::uint64_t key, MoveCode best_move, Score score, int depth, Bound bound) {
        Slot* worst = nullptr;
        int least = 1 << 20;
        for (auto& slot : bucket(key).slots) {
            Entry held;
            if (slot.read(key, held)) {
                if (best_move == 0) { best_move = held.best_move; }
                worst = &slot;
                break;
            }
            held = slot.any();
            int const age = static_cast<std::uint8_t>(age_ - held.age);
            int const worth = held.bound == Bound::none ? -1000 : held.depth - 4 * age;
            if (worth < least) {
                least = worth;
                worst = &slot;
            }
        }
        worst->write(key, Entry{best_move, static_cast<std::int16_t>(score), static_cast<std::int8_t>(depth),
                                bound, age_, 0});
    }

    void prefetch(std::uint64_t key) const { __builtin_prefetch(&bucket(key)); }

  private:
    // Lockless hashing (Hyatt and Mann 2002): the key is stored XOR the data, so halves of two writes do not
    // match.
    struct Slot {
        std::atomic<std::uint64_t> check{0};
        std::atomic<std::uint64_t> data{0};

        bool read(std::uint64_t key, Entry& entry) const {
            auto const bits = data.load(std::memory_order_relaxed);
            if ((check.load(std::memory_order_relaxed) ^ bits) != key) { return false; }
            entry = std::bit_cast<Entry>(bits);
            return true;
        }
        Entry any() const { return std::bit_cast<Entry>(data.load(std::memory_order_relaxed)); }
        void write(std::uint64_t key, Entry const& entry) {
            auto const bits = std::bit_cast<std::uint64_t>(entry);
            data.store(bits, std::memory_order_relaxed);
            check.store(key ^ bits, std::memory_order_relaxed);
        }
    };
    struct alignas(64) Bucket {
        Slot slots[4];
    };

    Bucket& bucket(std::uint64_t key) { return memory_[key & (buckets_ - 1)]; }
    Bucket const& bucket(std::uint64_t key) const { return memory_[key & (buckets_ - 1)]; }

    std::size_t buckets_ = 0;
    LargeVector<Bucket> memory_;
    std::uint8_t age_ = 0;
};

}  // namespace crownhead::engine
