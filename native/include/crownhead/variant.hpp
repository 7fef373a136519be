// A variant of any rules, as code sees it that knows none of them.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crownhead/endgame/endgames.hpp"
#include "crownhead/engine/searcher.hpp"
#include "crownhead/engine/trainer.hpp"
#include "crownhead/laws.hpp"

namespace crownhead {

// Rules that the kernel is compiled for: the fast path of the same templates.
struct Specialisation {
    Rules rules;
    std::unique_ptr<Laws> (*make_laws)(RuleTable<Wide> const& table);
    std::unique_ptr<engine::Searcher> (*make_searcher)(std::size_t megabytes,
                                                       std::vector<engine::TaperedWeight> weights);
};

// Those that CROWNHEAD_SPECIALISED names.
std::span<Specialisation const* const> specialisations();

// What the kernel knows of a variant. Squares are numbers.
struct VariantRow {
    std::string key;
    Rules rules;
    Objective objective = Objective::opponent_wins;
    Colour first = Colour::black;
    std::vector<std::uint8_t> black;
    std::vector<std::uint8_t> white;
    std::vector<std::uint8_t> marked;  // among the above
    std::uint64_t fingerprint = 0;     // of what endgame tables depend on
    std::string tables_key;            // whose tables serve it

    friend bool operator==(VariantRow const&, VariantRow const&) = default;
};

// Throws std::invalid_argument, which says what was expected, for rules that cannot be played.
void check(Rules const& rules);

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
    std::unique_ptr<engine::Searcher> make_searcher(std::size_t megabytes,
                                                    std::vector<engine::TaperedWeight> weights) const;
    std::unique_ptr<engine::Trainer> make_trainer() const;

    endgame::TableSupport table_support() const;
    // Throw what `endgames.hpp` says.
    std::unique_ptr<endgame::Tables> open_tables(std::filesystem::path const& folder) const;
    void build_tables(endgame::BuildOptions options) const;
    void verify_tables(endgame::BuildOptions options) const;

  private:
    // Calls `use` with the `Generic` rules.
    template <class Use>
    auto with_rules(Use&& use) const;

    VariantRow row_;
    RuleTable<Wide> wide_;
    std::optional<RuleTable<std::uint64_t>> narrow_;  // where the board fits
    Specialisation const* specialisation_;
    std::unique_ptr<Laws> laws_;
};

}  // namespace crownhead
