// The builder of tables with distances: builds and verifies them from few pieces to many.
#pragma once

#include "crownhead/endgame/material_successors.hpp"
#include "crownhead/endgame/retrograde_analysis.hpp"
#include "crownhead/endgame/stages.hpp"
#include "crownhead/endgame/table_folder.hpp"

namespace crownhead::endgame {

template <class R>
class TableBuilder {
  public:
    // `todo` in the order of the build.
    TableBuilder(R rules, BuildOptions const& options, std::vector<Material> todo, Stages& stages)
        : rules_{rules},
          options_{options},
          todo_{std::move(todo)},
          stages_{stages},
          lookup_{rules, solved_, options.stuck_wins} {}

    void build() {
        for (auto const& material : todo_) {
            auto stage = stages_.begin(material);
            stage.existed = is_finished(material, stage.counts);
            if (!stage.existed) { stage.counts = solve(material, stage); }
            stages_.finish(stage);
        }
    }

    // Throws BadFile where there is no such table.
    void verify() {
        for (auto const& material : todo_) {
            auto stage = stages_.begin(material);
            load(material);
            check(material, stage);
            if (!material.is_even()) { check(material.turned(), stage); }
            stages_.finish(stage);
        }
    }

  private:
    Head head(Material const& material, Content content) const {
        return {options_.fingerprint, content, material};
    }
    TableFile open(Material const& material, Content content) const {
        return {map_table(path_of(options_.folder, material, content)), head(material, content)};
    }

    bool is_finished(Material const& material, Counts& counts) const {
        try {
            auto const results = open(material, Content::results);
            open(material, Content::distances);
            counts = sum(results);
            return true;
        } catch (BadFile const&) { return false; }
    }

    void load_successors(Material const& material, bool by_captures_alone) {
        for (auto const& next : successors_of_both(*rules_, material, by_captures_alone)) { load(next); }
    }

    // Reads a finished table from its files.
    void load(Material const& material) {
        if (solved_.holds(material)) { return; }
        load_successors(material, true);
        auto const results = open(material, Content::results);
        auto const distances = open(material, Content::distances);
        std::vector<Values> values;
        for (std::size_t i = 0; i < results.tables().size(); ++i) {
            PositionIndexer<R> const indexer{rules_, i == 0 ? material : material.turned()};
            if (results.tables()[i].positions != indexer.size() ||
                distances.tables()[i].positions != indexer.size()) {
                throw BadFile("expected an endgame table of " + std::to_string(indexer.size()) +
                              " positions, got " +
                              path_of(options_.folder, material, Content::results).string());
            }
            values.push_back(unpacked(indexer, results.tables()[i], distances.tables()[i]));
        }
        keep(material, std::move(values));
    }

    Values unpacked(PositionIndexer<R> const& indexer, TableFile::Table const& results,
                    TableFile::Table const& distances) {
        auto const stored_results = results.all_results();
        auto const plies = distances.numbers.all(indexer.size());
        Values values(indexer.size(), no_position);
        parallel_for(
            indexer.size(), options_.threads,
            [&](std::uint64_t begin, std::uint64_t end) {
                indexer.each(begin, end, [&](std::uint64_t index, Position<R> const& position) {
                    if (is_over(position, options_.stuck_wins, values[index])) { return; }
                    auto const origins = capturing<Colour::black>(position);
                    if (!origins.empty()) {
                        values[index] = value_by_captures(position, origins, lookup_);
                    } else {
                        auto const result = static_cast<Result>(stored_results[index]);
                        values[index] = result == Result::win    ? win(plies[index])
                                        : result == Result::loss ? loss(plies[index])
                                                                 : drawn;
                    }
                });
            },
            [](double) { return true; });
        return values;
    }

    void keep(Material const& material, std::vector<Values> values) {
        lookup_.prepare(material);
        lookup_.prepare(material.turned());
        solved_.keep(material, std::move(values[0]));
        if (!material.is_even()) { solved_.keep(material.turned(), std::move(values[1])); }
    }

    Counts solve(Material const& material, Stage& stage) {
        load_successors(material, false);
        std::function<bool(double)> const goes_on = [&](double part) {
            stage.part = 0.9 * part;
            stages_.report(stage);
            return true;
        };
        RetrogradeAnalysis<R> analysis{material, lookup_, options_.threads, goes_on};
        keep(material, analysis.solve());
        return write(material);
    }

    // The distances first: where there are results, both files are complete.
    Counts write(Material const& material) {
        std::vector<Section> results(1);
        std::vector<Section> distances(1);
        fill(material, results[0], distances[0]);
        if (!material.is_even()) {
            fill(material.turned(), results.emplace_back(), distances.emplace_back());
        }
        for (auto const content : {Content::distances, Content::results}) {
            write_table(path_of(options_.folder, material, content), head(material, content),
                        content == Content::results ? results : distances);
        }
        Counts counts;
        for (auto const& section : results) { add(counts, section.counts); }
        return counts;
    }

    // Positions with captures, and those that end the game, are not stored: a probe works them out.
    void fill(Material const& material, Section& results, Section& distances) {
        auto const& values = solved_.of(material);
        PositionIndexer<R> const indexer{rules_, material};
        std::vector<std::uint16_t> stored_results(values.size(), dont_care);
        std::vector<std::uint16_t> plies(values.size(), dont_care);
        parallel_for(
            values.size(), options_.threads,
            [&](std::uint64_t begin, std::uint64_t end) {
                indexer.each(begin, end, [&](std::uint64_t index, Position<R> const& position) {
                    Value value = values[index];
                    if (Value known = drawn; is_over(position, options_.stuck_wins, known) ||
                                             !capturing<Colour::black>(position).empty()) {
                        return;
                    }
                    stored_results[index] = static_cast<std::uint16_t>(result_of(value));
                    if (value != drawn) { plies[index] = static_cast<std::uint16_t>(distance(value)); }
                });
            },
            [](double) { return true; });
        results.counts = distances.counts = count(values);
        results.positions = distances.positions = values.size();
        std::jthread const aside{[&] { distances.packed = pack(plies); }};
        if (material.count() <= most_pieces_as_numbers) {
            results.packed = pack(stored_results);
        } else {
            std::vector<std::uint8_t> narrow(stored_results.size());
            std::ranges::transform(stored_results, narrow.begin(), [](std::uint16_t result) {
                return static_cast<std::uint8_t>(result == dont_care ? any_result : result);
            });
            results.packed_results = pack_results(narrow);
        }
    }

    static Counts count(Values const& values) {
        Counts counts;
        for (auto const value : values) {
            if (value == no_position) { continue; }
            auto const plies = static_cast<std::uint64_t>(distance(value));
            if (value == drawn) {
                ++counts.draws;
            } else if (is_win(value)) {
                ++counts.wins;
                counts.longest_win = std::max(counts.longest_win, plies);
            } else {
                ++counts.losses;
                counts.longest_loss = std::max(counts.longest_loss, plies);
            }
        }
        return counts;
    }

    // Whether every position agrees with its successors, and the counts with those of the file.
    void check(Material const& material, Stage& stage) {
        load_successors(material, false);
        auto const& values = solved_.of(material);
        PositionIndexer<R> const indexer{rules_, material};
        std::atomic<std::uint64_t> wrong{0};
        std::atomic<std::uint64_t> checked{0};
        parallel_for(
            values.size(), options_.threads,
            [&](std::uint64_t begin, std::uint64_t end) {
                indexer.each(begin, end, [&](std::uint64_t index, Position<R> const& position) {
                    checked.fetch_add(1, std::memory_order_relaxed);
                    if (values[index] != value_by_successors(position)) {
                        wrong.fetch_add(1, std::memory_order_relaxed);
                    }
                });
            },
            [&](double part) {
                stage.part = part;
                stages_.report(stage);
                return true;
            });
        auto const file = open(material.filed(), Content::results);
        auto const& stored_counts = file.tables()[material == material.filed() ? 0 : 1].counts;
        if (stored_counts != count(values)) { wrong.fetch_add(1); }
        stage.wrong += wrong;
        stage.checked += checked;
        add(stage.counts, stored_counts);
    }

    Value value_by_successors(Position<R> const& position) const {
        Value value = drawn;
        if (is_over(position, options_.stuck_wins, value)) { return value; }
        if (auto const origins = capturing<Colour::black>(position); !origins.empty()) {
            return value_by_captures(position, origins, lookup_);
        }
        BestValue best;
        each_successor_by_quiet_move(position, [&](Position<R> const& next) { best.add(lookup_(next)); });
        return best.any() ? best.value() : value;
    }

    R rules_;
    BuildOptions const& options_;
    std::vector<Material> todo_;
    Stages& stages_;
    SolvedValues solved_;
    Lookup<R> lookup_;
};

}  // namespace crownhead::endgame
