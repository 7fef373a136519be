// Retrograde analysis of one material and the same turned round: from the ends of the game backwards.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "crownhead/endgame/moves.hpp"
#include "crownhead/endgame/parallel.hpp"

namespace crownhead::endgame {

// The values of all positions of a material.
using Values = std::vector<Value>;

// What is known of the materials that others lead to, by key.
class Known {
  public:
    Known() : values_(Material::keys) {}
    bool holds(Material const& material) const { return !values_[material.key()].empty(); }
    Values const& of(Material const& material) const { return values_[material.key()]; }
    void keep(Material const& material, Values values) { values_[material.key()] = std::move(values); }

  private:
    std::vector<Values> values_;
};

// Looks values up: each material's numbering is worked out once.
template <Rules R>
class Lookup {
  public:
    Lookup(Known const& known, bool stuck_wins) : known_{known}, stuck_wins_{stuck_wins} {}

    // Numbers the positions of these materials. Not to be called while others look up.
    void prepare(Material const& material) {
        auto& placement = placements_[material.key()];
        if (!placement) { placement = std::make_unique<Placement<R>>(material); }
    }

    Value operator()(Position<R> const& position) const {
        if (Value value = drawn; is_over(position, stuck_wins_, value)) { return value; }
        auto const material = material_of(position);
        return known_.of(material)[placements_[material.key()]->index(position)];
    }

    bool stuck_wins() const { return stuck_wins_; }

  private:
    Known const& known_;
    bool stuck_wins_;
    std::vector<std::unique_ptr<Placement<R>>> placements_{Material::keys};
};

// The value of a position in which something can be taken: what it leads to has fewer pieces.
template <Rules R>
Value value_by_captures(Position<R> const& position, typename Position<R>::Set origins,
                        Lookup<R> const& lookup) {
    Best best;
    each_after_capture(position, origins, [&](Position<R> const& next) { best.add(lookup(next)); });
    return best.value();
}

template <Rules R>
class Solver {
  public:
    // `lookup` knows whatever captures and crownings lead to. `goes_on` is asked now and then, with the part
    // of the work that is done.
    Solver(Material const& material, Lookup<R> const& lookup, int threads,
           std::function<bool(double)> const& goes_on)
        : lookup_{lookup}, threads_{threads}, goes_on_{goes_on} {
        tables_.push_back(std::make_unique<Table>(material));
        if (!material.is_even()) { tables_.push_back(std::make_unique<Table>(material.turned())); }
    }

    // The values of the material, and of the same turned unless that is itself. Nothing if told to stop.
    std::vector<Values> solve() {
        for (std::size_t i = 0; i < tables_.size() && !stopped_; ++i) { look_first(i); }
        for (int plies = 0; plies <= last_.load() && !stopped_; ++plies) {
            ask(0.5 + 0.5 * plies / (plies + 20.0));
            for (std::size_t i = 0; i < tables_.size() && !stopped_; ++i) { spread(i, plies); }
        }
        std::vector<Values> solved;
        if (stopped_) { return solved; }
        for (auto& table : tables_) {
            for (auto& value : table->values) {
                if (is_floor(value)) { value = drawn; }
            }
            solved.push_back(std::move(table->values));
        }
        return solved;
    }

  private:
    // A position from which some moves are known to lose, but not yet all: the loss it may come to is no
    // shorter than what is noted.
    static constexpr Value floor_mark = 0x8000;
    static constexpr bool is_floor(Value value) { return (value & floor_mark) != 0 && value != no_position; }
    static constexpr std::uint8_t cannot_lose = 0xFF;

    struct Table {
        explicit Table(Material const& of)
            : material{of}, placement{of}, values(placement.size(), no_position), left(placement.size(), 0) {}

        Material material;
        Placement<R> placement;
        Values values;
        std::vector<std::uint8_t> left;  // moves within the two tables whose outcome is not known
    };

    Table& other(std::size_t table) { return *tables_[tables_.size() - 1 - table]; }

    void ask(double part) {
        if (goes_on_ && !goes_on_(part)) { stopped_ = true; }
    }

    void note(int plies) {
        if (plies > longest) { throw std::runtime_error("expected wins of at most 16000 plies"); }
        int last = last_.load(std::memory_order_relaxed);
        while (plies > last && !last_.compare_exchange_weak(last, plies, std::memory_order_relaxed)) {}
    }

    // Every position by itself: what captures and crownings lead to is known.
    void look_first(std::size_t number) {
        auto& table = *tables_[number];
        double const parts = static_cast<double>(tables_.size());
        in_parallel(
            table.placement.size(), threads_,
            [&](std::uint64_t begin, std::uint64_t end) {
                table.placement.each(begin, end, [&](std::uint64_t index, Position<R> const& position) {
                    table.values[index] = first_value(position, table.left[index]);
                });
            },
            [&](double part) {
                ask(0.5 * (static_cast<double>(number) + part) / parts);
                return !stopped_;
            });
    }

    Value first_value(Position<R> const& position, std::uint8_t& left) {
        left = cannot_lose;
        Value value = drawn;
        if (is_over(position, lookup_.stuck_wins(), value)) { return noted(value); }
        if (auto const origins = capturing<Colour::black>(position); !origins.empty()) {
            return noted(value_by_captures(position, origins, lookup_));
        }
        Best known;
        int unknown = 0;
        each_after_quiet(position, [&](Position<R> const& next) {
            if (next.kings.count() == position.kings.count()) {
                ++unknown;
            } else {
                known.add(lookup_(next));
            }
        });
        if (!known.any() && unknown == 0) { return noted(lookup_.stuck_wins() ? win(0) : loss(0)); }
        if (unknown == 0 || known.wins()) { return noted(known.value()); }
        if (known.draws()) { return drawn; }
        if (unknown >= cannot_lose) { throw std::runtime_error("expected fewer than 255 moves"); }
        left = static_cast<std::uint8_t>(unknown);
        return static_cast<Value>(floor_mark | known.latest());
    }

    Value noted(Value value) {
        if (value != drawn) { note(distance(value)); }
        return value;
    }

    // Tells the positions before those that are won or lost in exactly so many plies.
    void spread(std::size_t number, int plies) {
        auto& table = *tables_[number];
        auto& before = other(number);
        auto const won = win(plies);
        auto const lost = loss(plies);
        in_parallel(
            table.placement.size(), threads_,
            [&](std::uint64_t begin, std::uint64_t end) {
                for (auto index = begin; index < end; ++index) {
                    Value const value = std::atomic_ref{table.values[index]}.load(std::memory_order_relaxed);
                    if (value != won && value != lost) { continue; }
                    each_before_quiet(table.placement.position(index), [&](Position<R> const& position) {
                        auto const found = before.placement.index(position);
                        if (value == lost) {
                            win_in(before, found, plies + 1);
                        } else {
                            count_down(before, found, plies + 1);
                        }
                    });
                }
            },
            [&](double) { return true; });
    }

    void win_in(Table& table, std::uint64_t index, int plies) {
        std::atomic_ref value{table.values[index]};
        Value const wanted = win(plies);
        Value seen = value.load(std::memory_order_relaxed);
        while (!is_win_within(seen, plies) &&
               !value.compare_exchange_weak(seen, wanted, std::memory_order_relaxed)) {}
        note(plies);
    }
    static bool is_win_within(Value value, int plies) {
        return !is_floor(value) && is_win(value) && distance(value) <= plies;
    }

    void count_down(Table& table, std::uint64_t index, int plies) {
        std::atomic_ref left{table.left[index]};
        if (left.load(std::memory_order_relaxed) == cannot_lose) { return; }
        if (left.fetch_sub(1, std::memory_order_relaxed) != 1) { return; }
        std::atomic_ref value{table.values[index]};
        int const noted = value.load(std::memory_order_relaxed) & ~floor_mark;
        int const known = plies > noted ? plies : noted;
        value.store(loss(known), std::memory_order_relaxed);
        note(known);
    }

    Lookup<R> const& lookup_;
    int threads_;
    std::function<bool(double)> const& goes_on_;
    std::vector<std::unique_ptr<Table>> tables_;
    std::atomic<int> last_{0};
    std::atomic<bool> stopped_{false};
};

}  // namespace crownhead::endgame
