// Variants of any rules, and which of them the fast path plays.
#include "crownhead/variant.hpp"

#include "crownhead/endgame/table_folder.hpp"
#include "crownhead/engine/features.hpp"

namespace crownhead {
Variant::Variant(VariantRow row, bool specialised)
    : row_{std::move(row)},
      tables_{row_.rules},
      specialisation_{specialised ? find_specialisation(row_.rules) : nullptr} {
    auto const& wide = tables_.wide();
    laws_ = specialisation_ != nullptr
                ? specialisation_->make_laws(wide)
                : tables_.with_rules([&](auto rules) { return make_laws(wide, rules); });
    check_start(row_, *laws_);
}

std::size_t Variant::features() const {
    return static_cast<std::size_t>(engine::FeatureNumbers{row_.rules}.count);
}

std::unique_ptr<engine::Searcher> Variant::make_searcher(std::size_t megabytes,
                                                         engine::Weights weights) const {
    if (is_specialised()) { return specialisation_->make_searcher(megabytes, std::move(weights)); }
    return tables_.with_rules(
        [&](auto rules) { return engine::make_searcher(rules, megabytes, std::move(weights)); });
}

std::unique_ptr<engine::Trainer> Variant::make_trainer() const {
    auto const make = [this](std::size_t megabytes, engine::Weights weights) {
        return make_searcher(megabytes, std::move(weights));
    };
    return tables_.with_rules([&](auto rules) { return engine::make_trainer(rules, make); });
}

endgame::TableSupport Variant::table_support() const {
    return tables_.with_rules([](auto rules) { return endgame::table_support(rules); });
}

std::unique_ptr<endgame::Tables> Variant::open_tables(std::filesystem::path const& folder) const {
    endgame::FolderFiles const files{folder};
    return tables_.with_rules(
        [&](auto rules) { return endgame::open_tables(rules, files, row_.fingerprint, stuck_wins()); });
}

endgame::Projection Variant::project_tables(endgame::BuildOptions const& options) const {
    return tables_.with_rules([&](auto rules) { return endgame::project_tables(rules, options); });
}

void Variant::build_tables(endgame::BuildOptions options) const {
    options.fingerprint = row_.fingerprint;
    options.stuck_wins = stuck_wins();
    tables_.with_rules([&](auto rules) { endgame::build_tables(rules, options); });
}

void Variant::verify_tables(endgame::BuildOptions options) const {
    options.fingerprint = row_.fingerprint;
    options.stuck_wins = stuck_wins();
    tables_.with_rules([&](auto rules) { endgame::verify_tables(rules, options); });
}

}  // namespace crownhead
