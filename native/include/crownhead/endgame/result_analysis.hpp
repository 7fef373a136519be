// Retrograde analysis of results alone, of one material and the same with the sides exchanged: a byte a
// position, in no order of plies.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "crownhead/endgame/parallel.hpp"
#include "crownhead/endgame/solved_results.hpp"
#include "crownhead/endgame/table_file.hpp"

namespace crownhead::endgame {

// What is known of a position while its material is solved; a number below `marks` is that of its moves
// within the two materials whose result is still open.
namespace status {
using Status = std::uint8_t;
inline constexpr Status marks = 0xF0;
inline constexpr Status no_position = 0xF0;
// In which something can be taken, or the game is over: not stored.
inline constexpr Status draw_unstored = 0xF1;
inline constexpr Status win_unstored = 0xF2;
inline constexpr Status loss_unstored = 0xF3;
inline constexpr Status draw_or_better = 0xF4;  // some move draws, others are open
inline constexpr Status draw = 0xF5;
inline constexpr Status win = 0xF6;
inline constexpr Status loss = 0xF7;
// The same with the predecessors still to be visited.
inline constexpr Status pending = 0x08;

constexpr bool is_pending(Status status) { return status >= marks && (status & pending) != 0; }
}  // namespace status

// What is known of one material when it is solved.
struct SolvedMaterial {
    Counts counts;
    ResultRow results;
    LargeVector<std::uint8_t> stored;  // numbers of `Result`, or `any_result` where a file need not know
};

template <class R>
class ResultAnalysis {
    using Status = status::Status;

  public:
    // `solved` knows the positions that captures and crownings lead to. `goes_on` is called now and then with
    // the part of the work that is done; false stops it.
    ResultAnalysis(Material const& material, SolvedResults<R> const& solved, int threads,
                   std::function<bool(double)> const& goes_on)
        : solved_{solved}, threads_{threads}, goes_on_{goes_on} {
        tables_.push_back(std::make_unique<Table>(solved.rules(), material));
        if (!material.is_even()) {
            tables_.push_back(std::make_unique<Table>(solved.rules(), material.turned()));
        }
    }

    // The material, and the same with the sides exchanged unless that is itself. Nothing if stopped.
    std::vector<SolvedMaterial> solve() {
        for (std::size_t i = 0; i < tables_.size() && !stopped_; ++i) { initialize(i); }
        for (bool again = true; again && !stopped_;) {
            again_ = false;
            for (std::size_t i = 0; i < tables_.size() && !stopped_; ++i) { propagate(i); }
            again = again_;
        }
        std::vector<SolvedMaterial> solved;
        if (stopped_) { return solved; }
        for (auto& table : tables_) { solved.push_back(finished(table->statuses)); }
        return solved;
    }

  private:
    // Positions whose predecessors a thread visits next; what finds no place there waits for another sweep.
    static constexpr std::size_t most_waiting = 1 << 14;

    struct Table {
        Table(R rules, Material const& material)
            : indexer{rules, material}, statuses(indexer.size(), status::no_position) {}

        PositionIndexer<R> indexer;
        LargeVector<Status> statuses;
    };
    struct Found {
        Position<R> position;
        bool is_win;
        std::size_t table;
    };

    std::size_t other(std::size_t table) const { return tables_.size() - 1 - table; }

    void report_progress(double part) {
        if (goes_on_ && !goes_on_(part)) { stopped_ = true; }
    }

    // First pass: what captures and crownings alone decide, else the number of moves whose result is open.
    void initialize(std::size_t number) {
        auto& table = *tables_[number];
        double const parts = static_cast<double>(tables_.size());
        parallel_for(
            table.indexer.size(), threads_,
            [&](std::uint64_t begin, std::uint64_t end) {
                table.indexer.each(begin, end, [&](std::uint64_t index, Position<R> const& position) {
                    table.statuses[index] = initial_status(position);
                });
            },
            [&](double part) {
                report_progress(0.4 * (static_cast<double>(number) + part) / parts);
                return !stopped_;
            });
    }

    static Status stored(Result result) {
        return result == Result::win    ? status::win | status::pending
               : result == Result::loss ? status::loss | status::pending
                                        : status::draw;
    }
    static Status unstored(Result result) {
        return result == Result::win    ? status::win_unstored | status::pending
               : result == Result::loss ? status::loss_unstored | status::pending
                                        : status::draw_unstored;
    }

    Status initial_status(Position<R> const& position) const {
        if (Value value = drawn; is_over(position, solved_.stuck_wins(), value)) {
            return unstored(result_of(value));
        }
        if (auto const origins = capturing<Colour::black>(position); !origins.empty()) {
            return unstored(solved_.by_captures(position, origins));
        }
        BestResult known;
        int unknown = 0;
        if (may_crown(position)) {
            each_successor_by_quiet_move(position, [&](Position<R> const& next) {
                if (next.kings.count() == position.kings.count()) {
                    ++unknown;
                } else {
                    known.add(solved_(next));
                }
            });
        } else {
            unknown = count_quiet<Colour::black>(position);
        }
        if (!known.any() && unknown == 0) {
            return stored(solved_.stuck_wins() ? Result::win : Result::loss);
        }
        if (unknown == 0 || known.wins()) { return stored(known.result()); }
        if (known.draws()) { return status::draw_or_better; }
        if (unknown >= status::marks) { throw std::runtime_error("expected fewer than 240 moves"); }
        return static_cast<Status>(unknown);
    }

    // Whether a step of a man could end on a crown square.
    static bool may_crown(Position<R> const& position) {
        auto const& rules = position.rules;
        if (rules->lines_step) { return true; }
        typename R::Set reached;
        each_direction(rules.template man_steps<Colour::black>(),
                       [&](auto direction) { reached |= rules.step(direction, position.own_men()); });
        return reached.meets(rules.template crown_squares<Colour::black>());
    }

    // One sweep: the predecessors of all wins and losses that wait for it, and of those that they decide.
    void propagate(std::size_t number) {
        auto& table = *tables_[number];
        parallel_for(
            table.indexer.size(), threads_,
            [&](std::uint64_t begin, std::uint64_t end) {
                std::uint64_t waiting = 0;
                for (auto index = begin; index < end; ++index) {
                    waiting += status::is_pending(load(table, index)) ? 1 : 0;
                }
                // To step through all positions is quicker than to make many from their numbers.
                if (waiting * 16 > end - begin) {
                    table.indexer.each(begin, end, [&](std::uint64_t index, Position<R> const& position) {
                        visit_pending(number, index, [&] { return position; });
                    });
                } else if (waiting > 0) {
                    for (auto index = begin; index < end; ++index) {
                        visit_pending(number, index, [&] { return table.indexer.position(index); });
                    }
                }
            },
            [&](double part) {
                report_progress(0.4 + 0.5 * (static_cast<double>(number) + part) /
                                          static_cast<double>(tables_.size()));
                return !stopped_;
            });
    }

    static Status load(Table& table, std::uint64_t index) {
        return std::atomic_ref{table.statuses[index]}.load(std::memory_order_relaxed);
    }

    template <class PositionOf>
    void visit_pending(std::size_t number, std::uint64_t index, PositionOf const& position_of) {
        auto const seen = load(*tables_[number], index);
        if (!status::is_pending(seen)) { return; }
        auto const settled = static_cast<Status>(seen & ~status::pending);
        std::atomic_ref{tables_[number]->statuses[index]}.store(settled, std::memory_order_relaxed);
        bool const is_win = settled == status::win || settled == status::win_unstored;
        std::vector<Found> waiting{{position_of(), is_win, number}};
        while (!waiting.empty()) {
            auto const found = waiting.back();
            waiting.pop_back();
            auto const before = other(found.table);
            auto& table = *tables_[before];
            each_predecessor(found.position, [&](Position<R> const& position) {
                auto const at = table.indexer.index(position);
                bool const has_room = waiting.size() < most_waiting;
                bool const decided =
                    found.is_win ? count_down(table, at, has_room) : set_win(table, at, has_room);
                if (!decided) { return; }
                if (has_room) {
                    waiting.push_back({position, !found.is_win, before});
                } else {
                    again_ = true;
                }
            });
        }
    }

    // Whether it is won from now on.
    static bool set_win(Table& table, std::uint64_t index, bool settled) {
        std::atomic_ref status{table.statuses[index]};
        auto const wanted = static_cast<Status>(status::win | (settled ? 0 : status::pending));
        auto seen = status.load(std::memory_order_relaxed);
        while (seen < status::marks || seen == status::draw_or_better) {
            if (status.compare_exchange_weak(seen, wanted, std::memory_order_relaxed)) { return true; }
        }
        return false;
    }

    // Whether it is lost from now on.
    static bool count_down(Table& table, std::uint64_t index, bool settled) {
        std::atomic_ref status{table.statuses[index]};
        auto const lost = static_cast<Status>(status::loss | (settled ? 0 : status::pending));
        auto seen = status.load(std::memory_order_relaxed);
        while (seen < status::marks) {
            auto const next = seen == 1 ? lost : static_cast<Status>(seen - 1);
            if (status.compare_exchange_weak(seen, next, std::memory_order_relaxed)) { return seen == 1; }
        }
        return false;
    }

    static SolvedMaterial finished(LargeVector<Status>& statuses) {
        SolvedMaterial solved{{}, ResultRow{statuses.size()}, {}};
        for (std::size_t i = 0; i < statuses.size(); ++i) {
            auto& entry = statuses[i];
            bool const is_stored = entry < status::marks || entry >= status::draw_or_better;
            if (entry == status::no_position) {
                entry = any_result;
                continue;
            }
            auto const result = entry == status::win || entry == status::win_unstored     ? Result::win
                                : entry == status::loss || entry == status::loss_unstored ? Result::loss
                                                                                          : Result::draw;
            ++(result == Result::win    ? solved.counts.wins
               : result == Result::loss ? solved.counts.losses
                                        : solved.counts.draws);
            solved.results.set(i, result);
            entry = is_stored ? static_cast<std::uint8_t>(result) : any_result;
        }
        solved.stored = std::move(statuses);
        return solved;
    }

    SolvedResults<R> const& solved_;
    int threads_;
    std::function<bool(double)> const& goes_on_;
    std::vector<std::unique_ptr<Table>> tables_;
    std::atomic<bool> again_{false};
    std::atomic<bool> stopped_{false};
};

}  // namespace crownhead::endgame
