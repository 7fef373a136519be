// Variants of any rules, and which of them the fast path plays.
#include "crownhead/variant.hpp"

#include <algorithm>
#include <stdexcept>

#include "crownhead/engine/features.hpp"
#include "crownhead/generic.hpp"

namespace crownhead {
namespace {

Specialisation const* find_specialisation(Rules const& rules) {
    auto const all = specialisations();
    auto const found = std::ranges::find_if(all, [&](auto const* one) { return one->rules == rules; });
    return found == all.end() ? nullptr : *found;
}

// The pieces of the start stand each on a square of its own, where such a piece may stand.
void check_start(VariantRow const& row, Laws const& laws) {
    Wide seen = 0;
    auto const place = [&](std::uint8_t number, Colour colour) {
        auto const text = std::to_string(number);
        if (number < 1 || number > laws.squares()) {
            throw std::invalid_argument("expected pieces on squares 1 to " + std::to_string(laws.squares()) +
                                        ", got one on " + text);
        }
        auto const bit = laws.bit(number);
        if ((seen & bit) != 0) {
            throw std::invalid_argument("expected one piece on square " + text + ", got two");
        }
        seen |= bit;
        bool const is_marked = std::ranges::find(row.marked, number) != row.marked.end();
        if (!is_marked && (laws.crown_squares(colour) & bit) != 0) {
            throw std::invalid_argument("expected no man on square " + text +
                                        ", for it would have been crowned there");
        }
        if (is_marked && row.rules.has_parachutists() && (laws.far_row(colour) & bit) == 0) {
            throw std::invalid_argument("expected parachutists on their far row, got one on square " + text);
        }
    };
    for (auto number : row.black) { place(number, Colour::black); }
    for (auto number : row.white) { place(number, Colour::white); }
    if (row.black.empty() || row.white.empty()) {
        throw std::invalid_argument("expected pieces of both sides at the start, got none of one");
    }
    if (!row.marked.empty() && row.rules.marked == Marked::none) {
        throw std::invalid_argument("expected no marked men, for these rules have none");
    }
    for (auto number : row.marked) {
        if (number < 1 || number > laws.squares() || (seen & laws.bit(number)) == 0) {
            throw std::invalid_argument("expected marked men on squares where men stand, got square " +
                                        std::to_string(number));
        }
    }
}

Rules const& checked(Rules const& rules) {
    check(rules);
    return rules;
}

}  // namespace

template <class Use>
auto Variant::with_rules(Use&& use) const {
    return narrow_ ? use(Narrow{*narrow_}) : use(Generic<Wide>{wide_});
}

Variant::Variant(VariantRow row, bool specialised)
    : row_{std::move(row)},
      wide_{checked(row_.rules)},
      specialisation_{specialised ? find_specialisation(row_.rules) : nullptr} {
    if (wide_.board.bits <= 64) { narrow_.emplace(row_.rules); }
    laws_ = specialisation_ != nullptr ? specialisation_->make_laws(wide_)
                                       : with_rules([&](auto rules) { return make_laws(wide_, rules); });
    check_start(row_, *laws_);
}

std::size_t Variant::features() const {
    return static_cast<std::size_t>(engine::FeatureNumbers{row_.rules}.count);
}

std::unique_ptr<engine::Searcher> Variant::make_searcher(std::size_t megabytes,
                                                         std::vector<engine::TaperedWeight> weights) const {
    if (is_specialised()) { return specialisation_->make_searcher(megabytes, std::move(weights)); }
    return with_rules(
        [&](auto rules) { return engine::make_searcher(rules, megabytes, std::move(weights)); });
}

std::unique_ptr<engine::Trainer> Variant::make_trainer() const {
    auto const make = [this](std::size_t megabytes, std::vector<engine::TaperedWeight> weights) {
        return make_searcher(megabytes, std::move(weights));
    };
    return with_rules([&](auto rules) { return engine::make_trainer(rules, make); });
}

endgame::TableSupport Variant::table_support() const {
    return with_rules([](auto rules) { return endgame::table_support(rules); });
}

std::unique_ptr<endgame::Tables> Variant::open_tables(std::filesystem::path const& folder) const {
    return with_rules(
        [&](auto rules) { return endgame::open_tables(rules, folder, row_.fingerprint, stuck_wins()); });
}

void Variant::build_tables(endgame::BuildOptions options) const {
    options.fingerprint = row_.fingerprint;
    options.stuck_wins = stuck_wins();
    with_rules([&](auto rules) { endgame::build_tables(rules, options); });
}

void Variant::verify_tables(endgame::BuildOptions options) const {
    options.fingerprint = row_.fingerprint;
    options.stuck_wins = stuck_wins();
    with_rules([&](auto rules) { endgame::verify_tables(rules, options); });
}

}  // namespace crownhead
