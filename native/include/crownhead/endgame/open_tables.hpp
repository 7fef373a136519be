// The open tables of one rule set, as its search asks them.
#pragma once

#include "crownhead/endgame/endgames.hpp"
#include "crownhead/endgame/moves.hpp"

namespace crownhead::endgame {

template <Rules R>
class RuleSetTables final : public Tables {
  public:
    // Opens what there is. Throws BadFile.
    RuleSetTables(std::filesystem::path const& folder, std::uint64_t fingerprint, bool stuck_wins)
        : stuck_wins_{stuck_wins}, slots_(Material::keys) {
        for (int pieces = 2; pieces <= most_pieces; ++pieces) {
            for (auto const& material : materials(pieces, kinds_of<R>)) {
                if (!std::filesystem::exists(path_of(folder, material, Content::results))) { continue; }
                admit(folder, fingerprint, material);
                most_ = pieces;
            }
        }
    }

    // What is known of a position in which nothing can be taken and the game goes on, or is stuck.
    template <Colour Us>
    std::optional<Verdict> quiet(Position<R> const& position) const {
        if (position.occupied().count() > most_) { return {}; }
        if constexpr (Us == Colour::black) {
            return of_quiet(position);
        } else {
            return of_quiet(turned(position));
        }
    }

    // What is known of a position; of captures what follows from them.
    template <Colour Us>
    std::optional<Verdict> verdict(Position<R> const& position) const {
        if constexpr (Us == Colour::black) {
            return of_black(position);
        } else {
            return of_black(turned(position));
        }
    }

    std::optional<Verdict> probe(State const& state) const override {
        auto const word = [](Wide bits) { return Set{static_cast<typename Board::Word>(bits)}; };
        Position<R> position{word(state.own), word(state.theirs), word(state.kings)};
        if constexpr (R.marked != Marked::none) { position.marks = word(state.marks); }
        return state.turn == Colour::black ? verdict<Colour::black>(position)
                                           : verdict<Colour::white>(position);
    }

    std::vector<Held> held() const override { return held_; }

  private:
    using Board = Geometry<R.board>;
    using Set = typename Position<R>::Set;

    struct Slot {
        Placement<R> placement;
        Unpacker const* results;
        Unpacker const* plies;
    };

    void admit(std::filesystem::path const& folder, std::uint64_t fingerprint, Material const& material) {
        auto const open = [&](Content content) -> TableFile const& {
            return *files_.emplace_back(std::make_unique<TableFile>(path_of(folder, material, content),
                                                                    Head{fingerprint, content, material}));
        };
        bool const with_plies = std::filesystem::exists(path_of(folder, material, Content::distances));
        auto const& results = open(Content::results);
        auto const* const plies = with_plies ? &open(Content::distances) : nullptr;
        for (std::size_t i = 0; i < results.tables().size(); ++i) {
            auto const side = i == 0 ? material : material.turned();
            Placement<R> const placement{side};
            if (results.tables()[i].positions != placement.size() ||
                (plies != nullptr && plies->tables()[i].positions != placement.size())) {
                throw BadFile("expected an endgame table, got " +
                              path_of(folder, material, Content::results).string() +
                              ", which has another number of positions");
            }
            slots_[side.key()] =
                std::make_unique<Slot>(Slot{placement, &results.tables()[i].numbers,
                                            plies == nullptr ? nullptr : &plies->tables()[i].numbers});
        }
        Held held{material.name(), material.count(), with_plies, results.bytes(), {}};
        if (with_plies) { held.bytes += plies->bytes(); }
        for (auto const& table : results.tables()) {
            held.counts.wins += table.counts.wins;
            held.counts.losses += table.counts.losses;
            held.counts.draws += table.counts.draws;
            held.counts.longest_win = std::max(held.counts.longest_win, table.counts.longest_win);
            held.counts.longest_loss = std::max(held.counts.longest_loss, table.counts.longest_loss);
        }
        held_.push_back(std::move(held));
    }

    std::optional<Verdict> of_black(Position<R> const& position) const {
        if (position.occupied().count() > most_ || position.theirs.empty()) { return {}; }
        if constexpr (Position<R>::counts_runs) {
            if (!(position.occupied() - position.kings).empty()) { return {}; }
        }
        if (Value value = drawn; is_over(position, stuck_wins_, value)) {
            return Verdict{result_of(value), distance(value)};
        }
        auto const origins = capturing<Colour::black>(position);
        return origins.empty() ? of_quiet(position) : of_captures(position, origins);
    }

    std::optional<Verdict> of_quiet(Position<R> const& position) const {
        auto const* slot = slots_[material_of(position).key()].get();
        if (slot == nullptr) { return {}; }
        auto const index = slot->placement.index(position);
        Verdict verdict{static_cast<Result>((*slot->results)(index)), {}};
        if (verdict.result != Result::draw && slot->plies != nullptr) {
            verdict.plies = (*slot->plies)(index);
        }
        return verdict;
    }

    // Unknown where one of the successors is.
    std::optional<Verdict> of_captures(Position<R> const& position, Set origins) const {
        bool known = true;
        bool exact = true;
        Best best;
        each_after_capture(position, origins, [&](Position<R> const& next) {
            auto const child = known ? of_black(next) : std::nullopt;
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
        Verdict verdict{result_of(value), {}};
        if (exact && value != drawn) { verdict.plies = distance(value); }
        return verdict;
    }

    bool stuck_wins_;
    std::vector<std::unique_ptr<TableFile>> files_;
    std::vector<std::unique_ptr<Slot>> slots_;
    std::vector<Held> held_;
};

}  // namespace crownhead::endgame
