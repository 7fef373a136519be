// Probing: the open endgame tables of one set of rules.
#pragma once

#include "crownhead/endgame/endgames.hpp"
#include "crownhead/endgame/retrograde_moves.hpp"

namespace crownhead::endgame {

template <class R>
class RuleSetTables final : public Tables {
  public:
    // Opens what there is. Fails (`Failure::table`) for a file that is no table of these rules.
    RuleSetTables(R rules, TableFiles const& files, std::uint64_t fingerprint, bool stuck_wins)
        : rules_{rules}, stuck_wins_{stuck_wins}, open_(Material::keys) {
        for (int pieces = 2; pieces <= most_pieces; ++pieces) {
            for (auto const& material : materials(pieces, kinds_of(*rules))) {
                if (open_material(files, fingerprint, material)) { most_ = pieces; }
            }
        }
    }

    std::optional<ProbeResult> probe(State const& state) const override {
        return probe_black(as_black(state));
    }
    std::optional<ProbeResult> probe_quiet(State const& state) const override {
        return probe_quiet_black(as_black(state));
    }
    std::optional<Result> quiet_result(State const& state) const override {
        auto const position = as_black(state);
        if (position.occupied().count() > most_) { return {}; }
        auto const* table = table_of(position);
        if (table == nullptr) { return {}; }
        return table->results->result(table->indexer.index(position));
    }

    std::vector<TableInfo> inventory() const override { return inventory_; }

  private:
    using Set = typename R::Set;

    struct OpenTable {
        PositionIndexer<R> indexer;
        TableFile::Table const* results;
        Unpacker const* plies;
    };

    Position<R> as_black(State const& state) const {
        auto const position = unpack(rules_, state);
        return state.turn == Colour::black ? position : turned(position);
    }

    // Whether there is a table of the material.
    bool open_material(TableFiles const& files, std::uint64_t fingerprint, Material const& material) {
        auto const open = [&](Content content) -> TableFile const* {
            auto bytes = files.open(material, content);
            if (!bytes) { return nullptr; }
            Head const head{fingerprint, content, material};
            return files_.emplace_back(std::make_unique<TableFile>(std::move(bytes), head)).get();
        };
        auto const* const found = open(Content::results);
        if (found == nullptr) { return false; }
        auto const& results = *found;
        auto const* const plies = open(Content::distances);
        for (std::size_t i = 0; i < results.tables().size(); ++i) {
            auto const side = i == 0 ? material : material.turned();
            PositionIndexer<R> const indexer{rules_, side};
            if (results.tables()[i].positions != indexer.size() ||
                (plies != nullptr && plies->tables()[i].positions != indexer.size())) {
                fail(Failure::table, "expected an endgame table, got " + results.name() +
                                         ", which has another number of positions");
            }
            open_[side.key()] = std::make_unique<OpenTable>(OpenTable{
                indexer, &results.tables()[i], plies == nullptr ? nullptr : &plies->tables()[i].numbers});
        }
        TableInfo info{material.name(), material.count(), plies != nullptr, results.bytes(), {}};
        if (plies != nullptr) { info.bytes += plies->bytes(); }
        for (auto const& table : results.tables()) {
            info.counts.wins += table.counts.wins;
            info.counts.losses += table.counts.losses;
            info.counts.draws += table.counts.draws;
            info.counts.longest_win = std::max(info.counts.longest_win, table.counts.longest_win);
            info.counts.longest_loss = std::max(info.counts.longest_loss, table.counts.longest_loss);
        }
        inventory_.push_back(std::move(info));
        return true;
    }

    std::optional<ProbeResult> probe_black(Position<R> const& position) const {
        if (position.occupied().count() > most_ || position.theirs.empty()) { return {}; }
        if (position.counts_runs() && !(position.occupied() - position.kings).empty()) { return {}; }
        if (Value value = drawn; is_over(position, stuck_wins_, value)) {
            return ProbeResult{result_of(value), distance(value)};
        }
        auto const origins = capturing<Colour::black>(position);
        return origins.empty() ? probe_quiet_black(position) : probe_captures(position, origins);
    }

    OpenTable const* table_of(Position<R> const& position) const {
        return open_[material_of(position).key()].get();
    }

    std::optional<ProbeResult> probe_quiet_black(Position<R> const& position) const {
        if (position.occupied().count() > most_) { return {}; }
        auto const* table = table_of(position);
        if (table == nullptr) { return {}; }
        auto const index = table->indexer.index(position);
        ProbeResult found{table->results->result(index), {}};
        if (found.result != Result::draw && table->plies != nullptr) { found.plies = (*table->plies)(index); }
        return found;
    }

    // Nothing where one of the successors is not known.
    std::optional<ProbeResult> probe_captures(Position<R> const& position, Set origins) const {
        bool known = true;
        bool exact = true;
        BestValue best;
        each_successor_by_capture(position, origins, [&](Position<R> const& next) {
            auto const child = known ? probe_black(next) : std::nullopt;
            if (!child) {
                known = false;
                return;
            }
            exact &= child->result == Result::draw || child->plies.has_value();
            int const plies = child->plies.value_or(0);
            best.add(child->result == Result::win    ? win(plies)
                     : child->result == Result::loss ? loss(plies)
                                                     : drawn);
        });
        if (!known) { return {}; }
        Value const value = best.value();
        ProbeResult found{result_of(value), {}};
        if (exact && value != drawn) { found.plies = distance(value); }
        return found;
    }

    R rules_;
    bool stuck_wins_;
    std::vector<std::unique_ptr<TableFile>> files_;
    std::vector<std::unique_ptr<OpenTable>> open_;
    std::vector<TableInfo> inventory_;
};

}  // namespace crownhead::endgame
