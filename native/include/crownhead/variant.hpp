// A variant of any rules, as code sees it that knows none of them.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "crownhead/endgame/building.hpp"
#include "crownhead/engine/searcher.hpp"
#include "crownhead/engine/trainer.hpp"
#include "crownhead/rule_tables.hpp"

namespace crownhead {

// Rules that the kernel is compiled for: the fast path of the same templates.
struct Specialisation {
    Rules rules;
    std::unique_ptr<Laws> (*make_laws)(RuleTable<Wide> const& table);
    std::unique_ptr<engine::Searcher> (*make_searcher)(std::size_t megabytes, engine::Weights weights);
};

// Those that CROWNHEAD_SPECIALISED names.
std::span<Specialisation const* const> specialisations();

// The one of these rules; null if there is none.
inline Specialisation const* find_specialisation(Rules const& rules) {
    for (auto const* one : specialisations()) {
        if (one->rules == rules) { return one; }
    }
    return nullptr;
}

// Where a row's rules are a specialisation, that is used, otherwise the path that takes any rules. Everything
// that is made here refers to the variant, which must live longer.
class Variant {
  public:
    // Throws std::invalid_argument. `specialised`: false for the path that takes any rules.
    explicit Variant(VariantRow row, bool specialised = true);
    Variant(Variant const&) = delete;
    Variant& operator=(Variant const&) = delete;

    VariantRow const& row() const { return row_; }
    bool is_specialised() const { return specialisation_ != nullptr; }
    bool stuck_wins() const { return row_.objective == Objective::mover_wins; }
    Laws const& laws() const { return *laws_; }

    std::size_t features() const;  // of its evaluation
    std::unique_ptr<engine::Searcher> make_searcher(std::size_t megabytes, engine::Weights weights) const;
    std::unique_ptr<engine::Trainer> make_trainer() const;

    endgame::TableSupport table_support() const;
    // Throw what `endgames.hpp` says.
    std::unique_ptr<endgame::Tables> open_tables(std::filesystem::path const& folder) const;
    endgame::Projection project_tables(endgame::BuildOptions const& options) const;
    void build_tables(endgame::BuildOptions options) const;
    void verify_tables(endgame::BuildOptions options) const;

  private:
    VariantRow row_;
    RuleTables tables_;
    Specialisation const* specialisation_;
    std::unique_ptr<Laws> laws_;
};

}  // namespace crownhead
