// Probing: the open endgame tables of one rule set, as its search reads them.
#pragma once

#include "crownhead/endgame/endgames.hpp"
#include "crownhead/endgame/retrograde_moves.hpp"

namespace crownhead::endgame {

template <Rules R>
class RuleSetTables final : public Tables {
  public:
    // Opens what there is. Throws BadFile.
    RuleSetTables(std::filesystem::path const& folder, std::uint64_t fingerprint, bool stuck_wins)
        : stuck_wins_{stuck_wins}, open_(Material::keys) {
        for (int pieces = 2; pieces <= most_pieces; ++pieces) {
            for (auto const& material : materials(pieces, kinds_of<R>)) {
                if (!std::filesystem::exists(path_of(folder, material, Content::results))) { continue; }
                open_material(folder, fingerprint, material);
                most_ = pieces;
            }
        }
    }

    // Probes a position in which nothing can be taken, and whose game is not decided.
    template <Colour Us>
    std::optional<ProbeResult> probe_quiet(Position<R> const& position) const {
        if (position.occupied().count() > most_) { return {}; }
        if constexpr (Us == Colour::black) {
            return probe_quiet_black(position);
        } else {
            return probe_quiet_black(turned(position));
        }
    }

    // Probes any position: where something can be taken, by the positions that the captures lead to.
    template <Colour Us>
    std::optional<ProbeResult> probe_position(Position<R> const& position) const {
        if constexpr (Us == Colour::black) {
            return probe_black(position);
        } else {
            return probe_black(turned(position));
        }
    }

    std::optional<ProbeResult> probe(State const& state) const override {
        auto const word = [](Wide bits) { return Set{static_cast<typename Board::Word>(bits)}; };
        Position<R> position{word(state.own), word(state.theirs), word(state.kings)};
        if constexpr (R.marked != Marked::none) { position.marks = word(state.marks); }
        return state.turn == Colour::black ? probe_position<Colour::black>(position)
                                           : probe_position<Colour::white>(position);
    }

    std::vector<TableInfo> inventory() const override { return inventory_; }

  private:
    using Board = Geometry<R.board>;
    using Set = typename Position<R>::Set;

    struct OpenTable {
        PositionIndexer<R> indexer;
        Unpacker const* results;
        Unpacker const* plies;
    };

    void open_material(std::filesystem::path const& folder, std::uint64_t fingerprint,
                       Material const& material) {
        auto const open = [&](Content content) -> TableFile const& {
            return *files_.emplace_back(std::make_unique<TableFile>(path_of(folder, material, content),
                                                                    Head{fingerprint, content, material}));
        };
        bool const with_plies = std::filesystem::exists(path_of(folder, material, Content::distances));
        auto const& results = open(Content::results);
        auto const* const plies = with_plies ? &open(Content::distances) : nullptr;
        for (std::size_t i = 0; i < results.tables().size(); ++i) {
            auto const side = i == 0 ? material : material.turned();
            PositionIndexer<R> const indexer{side};
            if (results.tables()[i].positions != indexer.size() ||
                (plies != nullptr && plies->tables()[i].positions != indexer.size())) {
                throw BadFile("expected an endgame table, got " +
                              path_of(folder, material, Content::results).string() +
                              ", which has another number of positions");
            }
            open_[side.key()] = std::make_unique<OpenTable>(
                OpenTable{indexer, &results.tables()[i].numbers,
                          plies == nullptr ? nullptr : &plies->tables()[i].numbers});
        }
        TableInfo info{material.name(), material.count(), with_plies, results.bytes(), {}};
        if (with_plies) { info.bytes += plies->bytes(); }
        for (auto const& table : results.tables()) {
            info.counts.wins += table.counts.wins;
            info.counts.losses += table.counts.losses;
            info.counts.draws += table.counts.draws;
            info.counts.longest_win = std::max(info.counts.longest_win, table.counts.longest_win);
            info.counts.longest_loss = std::max(info.counts.longest_loss, table.counts.longest_loss);
        }
        inventory_.push_back(std::move(info));
    }

    std::optional<ProbeResult> probe_black(Position<R> const& position) const {
        if (position.occupied().count() > most_ || position.theirs.empty()) { return {}; }
        if constexpr (Position<R>::counts_runs) {
            if (!(position.occupied() - position.kings).empty()) { return {}; }
        }
        if (Value value = drawn; is_over(position, stuck_wins_, value)) {
            return ProbeResult{result_of(value), distance(value)};
        }
        auto const origins = capturing<Colour::black>(position);
        return origins.empty() ? probe_quiet_black(position) : probe_captures(position, origins);
    }

    std::optional<ProbeResult> probe_quiet_black(Position<R> const& position) const {
        auto const* table = open_[material_of(position).key()].get();
        if (table == nullptr) { return {}; }
        auto const index = table->indexer.index(position);
        ProbeResult found{static_cast<Result>((*table->results)(index)), {}};
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

    bool stuck_wins_;
    std::vector<std::unique_ptr<TableFile>> files_;
    std::vector<std::unique_ptr<OpenTable>> open_;
    std::vector<TableInfo> inventory_;
};

}  // namespace crownhead::endgame
