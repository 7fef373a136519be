// The builder of tables of results alone: one material after another, each from the files of those that its
// moves lead to, of which no more than needed are in memory.
#pragma once

#include "crownhead/endgame/needs.hpp"
#include "crownhead/endgame/result_analysis.hpp"
#include "crownhead/endgame/stages.hpp"
#include "crownhead/endgame/table_folder.hpp"

namespace crownhead::endgame {

template <class R>
class ResultBuilder {
  public:
    // `todo` in the order of the build.
    ResultBuilder(R rules, BuildOptions const& options, std::vector<Material> todo, Stages& stages)
        : rules_{rules},
          options_{options},
          todo_{std::move(todo)},
          stages_{stages},
          needs_{*rules, todo_},
          solved_{rules, options.stuck_wins} {}

    void build() {
        for (auto const& material : todo_) {
            auto stage = stages_.begin(material);
            stage.existed = is_finished(material, stage.counts);
            if (!stage.existed) { stage.counts = solve(material, stage); }
            needs_.finish(material);
            stages_.finish(stage);
        }
    }

    // Throws BadFile where there is no such table.
    void verify() {
        for (auto const& material : todo_) {
            auto stage = stages_.begin(material);
            make_room(material);
            load_successors(material, false);
            load(material);
            check(material, stage);
            if (!material.is_even()) { check(material.turned(), stage); }
            needs_.finish(material);
            stages_.finish(stage);
        }
    }

  private:
    TableFile open(Material const& material) const {
        return {map_table(path_of(options_.folder, material, Content::results)), head(material)};
    }
    Head head(Material const& material) const { return {options_.fingerprint, Content::results, material}; }

    bool is_finished(Material const& material, Counts& counts) const {
        try {
            counts = sum(open(material));
            return true;
        } catch (BadFile const&) { return false; }
    }

    // Drops what no material leads to any more; and where memory is short, all that this one does not lead
    // to.
    void make_room(Material const& material) {
        auto const sizes = PositionIndexer<R>{rules_, material}.size();
        auto const own = sizes * (material.is_even() ? 1 : 2) * 3 / 2;
        auto const wanted = successors_of_both(*rules_, material);
        std::uint64_t kept = 0;
        for (auto const& [next, needs] : needs_.all()) {
            if (needs == 0) { drop(next); }
            kept += solved_.of(next).bytes() + solved_.of(next.turned()).bytes();
        }
        if (kept + own <= options_.memory) { return; }
        for (auto const& [next, needs] : needs_.all()) {
            if (std::ranges::find(wanted, next) == wanted.end()) { drop(next); }
        }
    }
    void drop(Material const& material) {
        solved_.drop(material);
        solved_.drop(material.turned());
    }

    void load_successors(Material const& material, bool by_captures_alone) {
        for (auto const& next : successors_of_both(*rules_, material, by_captures_alone)) { load(next); }
    }

    // Reads a finished table; what is not stored follows from the tables that captures lead to.
    void load(Material const& material) {
        if (solved_.holds(material)) { return; }
        load_successors(material, true);
        needs_.note(material);
        auto const file = open(material);
        for (std::size_t i = 0; i < file.tables().size(); ++i) {
            auto const side = i == 0 ? material : material.turned();
            PositionIndexer<R> const indexer{rules_, side};
            if (file.tables()[i].positions != indexer.size()) {
                throw BadFile("expected an endgame table of " + std::to_string(indexer.size()) +
                              " positions, got " + file.name());
            }
            solved_.keep(side, completed(indexer, file.tables()[i].all_results()));
        }
    }

    ResultRow completed(PositionIndexer<R> const& indexer, std::vector<std::uint8_t> results) const {
        parallel_for(
            indexer.size(), options_.threads,
            [&](std::uint64_t begin, std::uint64_t end) {
                indexer.each(begin, end, [&](std::uint64_t index, Position<R> const& position) {
                    if (Value value = drawn; is_over(position, options_.stuck_wins, value)) {
                        results[index] = static_cast<std::uint8_t>(result_of(value));
                    } else if (auto const origins = capturing<Colour::black>(position); !origins.empty()) {
                        results[index] = static_cast<std::uint8_t>(solved_.by_captures(position, origins));
                    }
                });
            },
            [](double) { return true; });
        ResultRow row{results.size()};
        for (std::size_t i = 0; i < results.size(); ++i) { row.set(i, static_cast<Result>(results[i])); }
        return row;
    }

    Counts solve(Material const& material, Stage& stage) {
        make_room(material);
        load_successors(material, false);
        std::function<bool(double)> const goes_on = [&](double part) {
            stage.part = part;
            stages_.report(stage);
            return true;
        };
        auto solved = ResultAnalysis<R>{material, solved_, options_.threads, goes_on}.solve();
        std::vector<Section> sections(solved.size());
        parallel_for(
            solved.size(), options_.threads, 1,
            [&](std::uint64_t begin, std::uint64_t end) {
                for (auto i = begin; i < end; ++i) {
                    sections[i].counts = solved[i].counts;
                    sections[i].positions = solved[i].stored.size();
                    sections[i].packed_results = pack_results(solved[i].stored);
                    solved[i].stored = {};
                }
            },
            [](double) { return true; });
        write_table(path_of(options_.folder, material, Content::results), head(material), sections);
        solved_.keep(material, std::move(solved[0].results));
        if (!material.is_even()) { solved_.keep(material.turned(), std::move(solved[1].results)); }
        Counts counts;
        for (auto const& section : sections) { add(counts, section.counts); }
        return counts;
    }

    // Whether every position that is stored agrees with its successors, and the counts with those of the
    // file.
    void check(Material const& material, Stage& stage) {
        auto const& results = solved_.of(material);
        PositionIndexer<R> const indexer{rules_, material};
        std::array<std::atomic<std::uint64_t>, 3> found{};
        std::atomic<std::uint64_t> wrong{0};
        std::atomic<std::uint64_t> checked{0};
        parallel_for(
            indexer.size(), options_.threads,
            [&](std::uint64_t begin, std::uint64_t end) {
                std::array<std::uint64_t, 3> counts{};
                std::uint64_t compared = 0;
                indexer.each(begin, end, [&](std::uint64_t index, Position<R> const& position) {
                    auto const result = results[index];
                    ++counts[static_cast<std::size_t>(result)];
                    ++compared;
                    if (result != by_successors(position)) { wrong.fetch_add(1, std::memory_order_relaxed); }
                });
                for (std::size_t i = 0; i < 3; ++i) { found[i] += counts[i]; }
                checked += compared;
            },
            [&](double part) {
                stage.part = part;
                stages_.report(stage);
                return true;
            });
        auto const file = open(material.filed());
        auto const& counts = file.tables()[material == material.filed() ? 0 : 1].counts;
        bool const agrees = counts.draws == found[0] && counts.wins == found[1] && counts.losses == found[2];
        stage.wrong += wrong + (agrees ? 0 : 1);
        stage.checked += checked;
        add(stage.counts, counts);
    }

    Result by_successors(Position<R> const& position) const {
        if (Value value = drawn; is_over(position, options_.stuck_wins, value)) { return result_of(value); }
        if (auto const origins = capturing<Colour::black>(position); !origins.empty()) {
            return solved_.by_captures(position, origins);
        }
        BestResult best;
        each_successor_by_quiet_move(position, [&](Position<R> const& next) { best.add(solved_(next)); });
        if (best.any()) { return best.result(); }
        return options_.stuck_wins ? Result::win : Result::loss;
    }

    R rules_;
    BuildOptions const& options_;
    std::vector<Material> todo_;
    Stages& stages_;
    Needs needs_;
    SolvedResults<R> solved_;
};

}  // namespace crownhead::endgame
