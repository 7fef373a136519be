// Retrograde analysis (Ströhlein 1970, Thompson 1986) of one material and the same with the sides exchanged.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "crownhead/endgame/parallel.hpp"
#include "crownhead/endgame/retrograde_moves.hpp"

namespace crownhead::endgame {

// The values of all positions of a material.
using Values = std::vector<Value>;

// The values of the materials solved so far, by key.
class SolvedValues {
  public:
    SolvedValues() : values_(Material::keys) {}
    bool holds(Material const& material) const { return !values_[material.key()].empty(); }
    Values const& of(Material const& material) const { return values_[material.key()]; }
    void keep(Material const& material, Values values) { values_[material.key()] = std::move(values); }

  private:
    std::vector<Values> values_;
};

// The value of a position of a solved material.
template <class R>
class Lookup {
  public:
    Lookup(R rules, SolvedValues const& solved, bool stuck_wins)
        : rules_{rules}, solved_{solved}, stuck_wins_{stuck_wins} {}

    // Makes the index of a material. Not to be called while other threads look values up.
    void prepare(Material const& material) {
        auto& indexer = indexers_[material.key()];
        if (!indexer) { indexer = std::make_unique<PositionIndexer<R>>(rules_, material); }
    }

    Value operator()(Position<R> const& position) const {
        if (Value value = drawn; is_over(position, stuck_wins_, value)) { return value; }
        auto const material = material_of(position);
        return solved_.of(material)[indexers_[material.key()]->index(position)];
    }

    R rules() const { return rules_; }
    bool stuck_wins() const { return stuck_wins_; }

  private:
    R rules_;
    SolvedValues const& solved_;
    bool stuck_wins_;
    std::vector<std::unique_ptr<PositionIndexer<R>>> indexers_{Material::keys};
};

// The value of a position in which something can be taken: its successors have fewer pieces.
template <class R>
Value value_by_captures(Position<R> const& position, typename R::Set origins, Lookup<R> const& lookup) {
    BestValue best;
    each_successor_by_capture(position, origins, [&](Position<R> const& next) { best.add(lookup(next)); });
    return best.value();
}

template <class R>
class RetrogradeAnalysis {
  public:
    // `lookup` knows the positions that captures and crownings lead to. `goes_on` is called now and then with
    // the part of the work that is done; false stops it.
    RetrogradeAnalysis(Material const& material, Lookup<R> const& lookup, int threads,
                       std::function<bool(double)> const& goes_on)
        : lookup_{lookup}, threads_{threads}, goes_on_{goes_on} {
        tables_.push_back(std::make_unique<Table>(lookup.rules(), material));
        if (!material.is_even()) {
            tables_.push_back(std::make_unique<Table>(lookup.rules(), material.turned()));
        }
    }

    // The values of the material, and of the same with the sides exchanged unless that is itself. Nothing if
    // stopped.
    std::vector<Values> solve() {
        for (std::size_t i = 0; i < tables_.size() && !stopped_; ++i) { initialize(i); }
        for (int plies = 0; plies <= longest_.load() && !stopped_; ++plies) {
            report_progress(0.5 + 0.5 * plies / (plies + 20.0));
            for (std::size_t i = 0; i < tables_.size() && !stopped_; ++i) { propagate(i, plies); }
        }
        std::vector<Values> solved;
        if (stopped_) { return solved; }
        for (auto& table : tables_) {
            for (auto& value : table->values) {
                if (is_bound(value)) { value = drawn; }
            }
            solved.push_back(std::move(table->values));
        }
        return solved;
    }

  private:
    // Flags a position from which some moves are known to lose, but not yet all: its loss, if it is one,
    // takes at least as long as recorded.
    static constexpr Value bound_flag = 0x8000;
    static constexpr bool is_bound(Value value) { return (value & bound_flag) != 0 && value != no_position; }
    static constexpr std::uint8_t no_count = 0xFF;  // of a position whose value is known, or no loss

    struct Table {
        Table(R rules, Material const& of)
            : material{of},
              indexer{rules, of},
              values(indexer.size(), no_position),
              unresolved(indexer.size(), 0) {}

        Material material;
        PositionIndexer<R> indexer;
        Values values;
        std::vector<std::uint8_t> unresolved;  // successors in the two tables without a value yet
    };

    Table& other(std::size_t table) { return *tables_[tables_.size() - 1 - table]; }

    void report_progress(double part) {
        if (goes_on_ && !goes_on_(part)) { stopped_ = true; }
    }

    void record_distance(int plies) {
        if (plies > longest) { throw std::runtime_error("expected wins of at most 16000 plies"); }
        int longest_so_far = longest_.load(std::memory_order_relaxed);
        while (plies > longest_so_far &&
               !longest_.compare_exchange_weak(longest_so_far, plies, std::memory_order_relaxed)) {}
    }

    // First pass: the value of every position that captures and crownings alone decide, else the number of
    // its successors that are still unresolved.
    void initialize(std::size_t number) {
        auto& table = *tables_[number];
        double const parts = static_cast<double>(tables_.size());
        parallel_for(
            table.indexer.size(), threads_,
            [&](std::uint64_t begin, std::uint64_t end) {
                table.indexer.each(begin, end, [&](std::uint64_t index, Position<R> const& position) {
                    table.values[index] = initial_value(position, table.unresolved[index]);
                });
            },
            [&](double part) {
                report_progress(0.5 * (static_cast<double>(number) + part) / parts);
                return !stopped_;
            });
    }

    Value initial_value(Position<R> const& position, std::uint8_t& unresolved) {
        unresolved = no_count;
        Value value = drawn;
        if (is_over(position, lookup_.stuck_wins(), value)) { return recorded(value); }
        if (auto const origins = capturing<Colour::black>(position); !origins.empty()) {
            return recorded(value_by_captures(position, origins, lookup_));
        }
        BestValue known;
        int unknown = 0;
        each_successor_by_quiet_move(position, [&](Position<R> const& next) {
            if (next.kings.count() == position.kings.count()) {
                ++unknown;
            } else {
                known.add(lookup_(next));
            }
        });
        if (!known.any() && unknown == 0) { return recorded(lookup_.stuck_wins() ? win(0) : loss(0)); }
        if (unknown == 0 || known.wins()) { return recorded(known.value()); }
        if (known.draws()) { return drawn; }
        if (unknown >= no_count) { throw std::runtime_error("expected fewer than 255 moves"); }
        unresolved = static_cast<std::uint8_t>(unknown);
        return static_cast<Value>(bound_flag | known.latest());
    }

    Value recorded(Value value) {
        if (value != drawn) { record_distance(distance(value)); }
        return value;
    }

    // One iteration: from the positions won or lost in exactly so many plies to their predecessors.
    void propagate(std::size_t number, int plies) {
        auto& table = *tables_[number];
        auto& before = other(number);
        auto const won = win(plies);
        auto const lost = loss(plies);
        parallel_for(
            table.indexer.size(), threads_,
            [&](std::uint64_t begin, std::uint64_t end) {
                for (auto index = begin; index < end; ++index) {
                    Value const value = std::atomic_ref{table.values[index]}.load(std::memory_order_relaxed);
                    if (value != won && value != lost) { continue; }
                    each_predecessor(table.indexer.position(index), [&](Position<R> const& position) {
                        auto const found = before.indexer.index(position);
                        if (value == lost) {
                            set_win(before, found, plies + 1);
                        } else {
                            count_down(before, found, plies + 1);
                        }
                    });
                }
            },
            [&](double) { return true; });
    }

    void set_win(Table& table, std::uint64_t index, int plies) {
        std::atomic_ref value{table.values[index]};
        Value const wanted = win(plies);
        Value seen = value.load(std::memory_order_relaxed);
        while (!is_win_within(seen, plies) &&
               !value.compare_exchange_weak(seen, wanted, std::memory_order_relaxed)) {}
        record_distance(plies);
    }
    static bool is_win_within(Value value, int plies) {
        return !is_bound(value) && is_win(value) && distance(value) <= plies;
    }

    void count_down(Table& table, std::uint64_t index, int plies) {
        std::atomic_ref unresolved{table.unresolved[index]};
        if (unresolved.load(std::memory_order_relaxed) == no_count) { return; }
        if (unresolved.fetch_sub(1, std::memory_order_relaxed) != 1) { return; }
        std::atomic_ref value{table.values[index]};
        int const recorded = value.load(std::memory_order_relaxed) & ~bound_flag;
        int const known = plies > recorded ? plies : recorded;
        value.store(loss(known), std::memory_order_relaxed);
        record_distance(known);
    }

    Lookup<R> const& lookup_;
    int threads_;
    std::function<bool(double)> const& goes_on_;
    std::vector<std::unique_ptr<Table>> tables_;
    std::atomic<int> longest_{0};
    std::atomic<bool> stopped_{false};
};

}  // namespace crownhead::endgame
