// Makes and checks the tables of one rule set: from few pieces to many, each file as soon as it is known.
#pragma once

#include "crownhead/endgame/endgames.hpp"
#include "crownhead/endgame/solver.hpp"

namespace crownhead::endgame {

template <Rules R>
class Workshop {
  public:
    explicit Workshop(Task const& task) : task_{task}, lookup_{known_, task.stuck_wins} {
        for (int pieces = 2; pieces <= task.pieces; ++pieces) {
            auto const more = materials(pieces, kinds_of<R>);
            todo_.insert(todo_.end(), more.begin(), more.end());
        }
    }

    void build() {
        std::filesystem::create_directories(task_.folder);
        for (auto const& material : todo_) {
            Stage stage = begin(material);
            stage.was_there = is_finished(material, stage.counts);
            if (!stage.was_there) { stage.counts = make(material, stage); }
            finish(stage);
        }
    }

    // Throws BadFile where there is no such table.
    void verify() {
        for (auto const& material : todo_) {
            Stage stage = begin(material);
            require(material);
            check(material, stage);
            if (!material.is_even()) { check(material.turned(), stage); }
            finish(stage);
        }
    }

  private:
    Stage begin(Material const& material) {
        Stage stage;
        stage.material = material.name();
        stage.done = done_;
        stage.total = static_cast<int>(todo_.size());
        tell(stage);
        return stage;
    }
    void finish(Stage& stage) {
        stage.done = ++done_;
        stage.finished = true;
        stage.part = 0;
        tell(stage);
    }
    void tell(Stage const& stage) const {
        if (task_.goes_on && !task_.goes_on(stage)) { throw Stopped{}; }
    }

    Head head(Material const& material, Content content) const {
        return {task_.fingerprint, content, material};
    }
    TableFile open(Material const& material, Content content) const {
        return {path_of(task_.folder, material, content), head(material, content)};
    }

    bool is_finished(Material const& material, Counts& counts) const {
        try {
            auto const results = open(material, Content::results);
            open(material, Content::distances);
            counts = sum(results);
            return true;
        } catch (BadFile const&) { return false; }
    }

    static Counts sum(TableFile const& file) {
        Counts counts;
        for (auto const& table : file.tables()) { add(counts, table.counts); }
        return counts;
    }
    static void add(Counts& counts, Counts const& more) {
        counts.wins += more.wins;
        counts.losses += more.losses;
        counts.draws += more.draws;
        counts.longest_win = std::max(counts.longest_win, more.longest_win);
        counts.longest_loss = std::max(counts.longest_loss, more.longest_loss);
    }

    // What the moves from a material lead to, that with a file of its own.
    static std::vector<Material> successors(Material const& material, bool by_captures_alone) {
        std::vector<Force> mine{material.own};
        if (material.own.men > 0 && kinds_of<R>.kings) {
            auto crowned = material.own;
            --crowned.men;
            ++crowned.kings;
            mine.push_back(crowned);
        }
        if (material.own.marked > 0 && R.has_parachutists()) {
            auto landed = material.own;
            --landed.marked;
            ++landed.men;
            mine.push_back(landed);
        }
        std::vector<Material> found;
        auto const& theirs = material.theirs;
        for (auto const& own : mine) {
            Force rest;
            for (rest.kings = 0; rest.kings <= theirs.kings; ++rest.kings) {
                for (rest.men = 0; rest.men <= theirs.men; ++rest.men) {
                    for (rest.marked = 0; rest.marked <= theirs.marked; ++rest.marked) {
                        bool const takes = rest != theirs;
                        bool const crowns = own.kings > material.own.kings;
                        if (rest.count() > 0 && (takes || (crowns && !by_captures_alone))) {
                            found.push_back(Material{rest, own}.filed());
                        }
                    }
                }
            }
        }
        return found;
    }

    void require_successors(Material const& material, bool by_captures_alone) {
        for (auto const& next : successors(material, by_captures_alone)) { require(next); }
        for (auto const& next : successors(material.turned(), by_captures_alone)) { require(next); }
    }

    // Takes a table that is made from its files.
    void require(Material const& material) {
        if (known_.holds(material)) { return; }
        require_successors(material, true);
        auto const results = open(material, Content::results);
        auto const distances = open(material, Content::distances);
        std::vector<Values> values;
        for (std::size_t i = 0; i < results.tables().size(); ++i) {
            Placement<R> const placement{i == 0 ? material : material.turned()};
            if (results.tables()[i].positions != placement.size() ||
                distances.tables()[i].positions != placement.size()) {
                throw BadFile("expected an endgame table of " + std::to_string(placement.size()) +
                              " positions, got " +
                              path_of(task_.folder, material, Content::results).string());
            }
            values.push_back(unpacked(placement, results.tables()[i], distances.tables()[i]));
        }
        keep(material, std::move(values));
    }

    Values unpacked(Placement<R> const& placement, TableFile::Table const& results,
                    TableFile::Table const& distances) {
        auto const noted = results.numbers.all(placement.size());
        auto const plies = distances.numbers.all(placement.size());
        Values values(placement.size(), no_position);
        in_parallel(
            placement.size(), task_.threads,
            [&](std::uint64_t begin, std::uint64_t end) {
                placement.each(begin, end, [&](std::uint64_t index, Position<R> const& position) {
                    if (is_over(position, task_.stuck_wins, values[index])) { return; }
                    auto const origins = capturing<Colour::black>(position);
                    if (!origins.empty()) {
                        values[index] = value_by_captures(position, origins, lookup_);
                    } else {
                        auto const result = static_cast<Result>(noted[index]);
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
        known_.keep(material, std::move(values[0]));
        if (!material.is_even()) { known_.keep(material.turned(), std::move(values[1])); }
    }

    Counts make(Material const& material, Stage& stage) {
        require_successors(material, false);
        std::function<bool(double)> const goes_on = [&](double part) {
            stage.part = 0.9 * part;
            tell(stage);
            return true;
        };
        Solver<R> solver{material, lookup_, task_.threads, goes_on};
        keep(material, solver.solve());
        return write(material);
    }

    // The distances first: where the results are, all is there.
    Counts write(Material const& material) {
        std::vector<Section> results(1);
        std::vector<Section> distances(1);
        fill(material, results[0], distances[0]);
        if (!material.is_even()) {
            fill(material.turned(), results.emplace_back(), distances.emplace_back());
        }
        for (auto const content : {Content::distances, Content::results}) {
            write_table(path_of(task_.folder, material, content), head(material, content),
                        content == Content::results ? results : distances);
        }
        Counts counts;
        for (auto const& section : results) { add(counts, section.counts); }
        return counts;
    }

    // What is found by taking, or known without asking, need not be packed.
    void fill(Material const& material, Section& results, Section& distances) {
        auto const& values = known_.of(material);
        Placement<R> const placement{material};
        std::vector<std::uint16_t> noted(values.size(), any_number);
        std::vector<std::uint16_t> plies(values.size(), any_number);
        in_parallel(
            values.size(), task_.threads,
            [&](std::uint64_t begin, std::uint64_t end) {
                placement.each(begin, end, [&](std::uint64_t index, Position<R> const& position) {
                    Value value = values[index];
                    if (Value known = drawn; is_over(position, task_.stuck_wins, known) ||
                                             !capturing<Colour::black>(position).empty()) {
                        return;
                    }
                    noted[index] = static_cast<std::uint16_t>(result_of(value));
                    if (value != drawn) { plies[index] = static_cast<std::uint16_t>(distance(value)); }
                });
            },
            [](double) { return true; });
        results.counts = distances.counts = count(values);
        results.positions = distances.positions = values.size();
        std::jthread const aside{[&] { distances.packed = pack(plies); }};
        results.packed = pack(noted);
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

    // Every position agrees with its successors, and the counts are those of the file.
    void check(Material const& material, Stage& stage) {
        require_successors(material, false);
        auto const& values = known_.of(material);
        Placement<R> const placement{material};
        std::atomic<std::uint64_t> wrong{0};
        std::atomic<std::uint64_t> checked{0};
        in_parallel(
            values.size(), task_.threads,
            [&](std::uint64_t begin, std::uint64_t end) {
                placement.each(begin, end, [&](std::uint64_t index, Position<R> const& position) {
                    checked.fetch_add(1, std::memory_order_relaxed);
                    if (values[index] != value_by_successors(position)) {
                        wrong.fetch_add(1, std::memory_order_relaxed);
                    }
                });
            },
            [&](double part) {
                stage.part = part;
                tell(stage);
                return true;
            });
        auto const file = open(material.filed(), Content::results);
        auto const& noted = file.tables()[material == material.filed() ? 0 : 1].counts;
        if (noted != count(values)) { wrong.fetch_add(1); }
        stage.wrong += wrong;
        stage.checked += checked;
        add(stage.counts, noted);
    }

    Value value_by_successors(Position<R> const& position) const {
        Value value = drawn;
        if (is_over(position, task_.stuck_wins, value)) { return value; }
        if (auto const origins = capturing<Colour::black>(position); !origins.empty()) {
            return value_by_captures(position, origins, lookup_);
        }
        Best best;
        each_after_quiet(position, [&](Position<R> const& next) { best.add(lookup_(next)); });
        return best.any() ? best.value() : value;
    }

    Task const& task_;
    std::vector<Material> todo_;
    int done_ = 0;
    Known known_;
    Lookup<R> lookup_;
};

}  // namespace crownhead::endgame
