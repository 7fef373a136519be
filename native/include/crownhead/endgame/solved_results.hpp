// The results of solved materials, two bits each, while others that lead to them are built.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "crownhead/endgame/retrograde_moves.hpp"
#include "crownhead/large_pages.hpp"

namespace crownhead::endgame {

// A row of results in memory, four in a byte.
class ResultRow {
  public:
    ResultRow() = default;
    explicit ResultRow(std::uint64_t size) : bytes_((size + 3) / 4, 0) {}
    bool empty() const { return bytes_.empty(); }
    std::uint64_t bytes() const { return bytes_.size(); }
    Result operator[](std::uint64_t index) const {
        return static_cast<Result>(bytes_[index / 4] >> index % 4 * 2 & 3);
    }
    // Of a draw so far; four neighbours share a byte.
    void set(std::uint64_t index, Result result) {
        auto& byte = bytes_[index / 4];
        byte = static_cast<std::uint8_t>(byte | static_cast<unsigned>(result) << index % 4 * 2);
    }

  private:
    LargeVector<std::uint8_t> bytes_;
};

// The best result of those of the successors.
class BestResult {
  public:
    void add(Result child) {
        any_ = true;
        wins_ = wins_ || child == Result::loss;
        draws_ = draws_ || child == Result::draw;
    }
    bool any() const { return any_; }
    bool wins() const { return wins_; }
    bool draws() const { return draws_; }
    Result result() const { return wins_ ? Result::win : draws_ ? Result::draw : Result::loss; }

  private:
    bool any_ = false;
    bool wins_ = false;
    bool draws_ = false;
};

template <class R>
class SolvedResults {
  public:
    SolvedResults(R rules, bool stuck_wins)
        : rules_{rules}, stuck_wins_{stuck_wins}, rows_(Material::keys), indexers_(Material::keys) {}

    bool holds(Material const& material) const { return !rows_[material.key()].empty(); }
    ResultRow const& of(Material const& material) const { return rows_[material.key()]; }
    void keep(Material const& material, ResultRow row) {
        rows_[material.key()] = std::move(row);
        auto& indexer = indexers_[material.key()];
        if (!indexer) { indexer = std::make_unique<PositionIndexer<R>>(rules_, material); }
    }
    void drop(Material const& material) { rows_[material.key()] = {}; }

    // Of a position of a solved material.
    Result operator()(Position<R> const& position) const {
        if (Value value = drawn; is_over(position, stuck_wins_, value)) { return result_of(value); }
        auto const key = material_of(position).key();
        return rows_[key][indexers_[key]->index(position)];
    }

    // Of a position in which something can be taken: its successors have fewer pieces.
    Result by_captures(Position<R> const& position, typename R::Set origins) const {
        BestResult best;
        each_successor_by_capture(position, origins,
                                  [&](Position<R> const& next) { best.add((*this)(next)); });
        return best.result();
    }

    R rules() const { return rules_; }
    bool stuck_wins() const { return stuck_wins_; }

  private:
    R rules_;
    bool stuck_wins_;
    std::vector<ResultRow> rows_;
    std::vector<std::unique_ptr<PositionIndexer<R>>> indexers_;
};

}  // namespace crownhead::endgame
