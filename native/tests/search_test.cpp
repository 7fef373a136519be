// Search and training of every variant, a few plies and one game each; also run under the sanitizers.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "rows.hpp"

namespace {

using namespace crownhead;

State start_of(Variant const& variant) {
    State state{};
    auto const add = [&](auto squares, Wide& set) {
        for (auto number : squares) { set |= variant.laws().bit(number); }
    };
    auto const& row = variant.row();
    bool const black = row.first == Colour::black;
    add(row.black, black ? state.own : state.theirs);
    add(row.white, black ? state.theirs : state.own);
    add(row.marked, state.marks);
    state.turn = row.first;
    return state;
}

void require(bool holds, Variant const& variant, char const* what) {
    if (holds) { return; }
    std::fprintf(stderr, "%s: %s\n", variant.row().key.c_str(), what);
    std::exit(1);
}

void search(Variant const& variant) {
    engine::Limits limits;
    limits.depth = 5;
    limits.lines = 2;
    limits.threads = 2;
    engine::SearchControl control{limits, {}};
    auto const searcher = variant.make_searcher(1, {});
    auto const report = searcher->search({start_of(variant)}, variant.stuck_wins(), control, {});
    require(report.depth == 5, variant, "expected a search of five plies");
    require(report.lines.size() == 2, variant, "expected two lines");
    require(!report.lines[0].moves.empty(), variant, "expected a move");
    require(report.lines[0].score >= report.lines[1].score, variant, "expected the better line first");
}

// MultiPV: however alike the moves of a position are, each has a line of its own.
void distinguish_all_moves(Variant const& variant) {
    engine::Limits limits;
    limits.depth = 1;
    limits.lines = 64;
    engine::SearchControl control{limits, {}};
    auto const lines =
        variant.make_searcher(1, {})->search({start_of(variant)}, variant.stuck_wins(), control, {}).lines;
    auto const empty = std::ranges::count_if(lines, [](auto const& line) { return line.moves.empty(); });
    require(!lines.empty() && empty == 0, variant, "expected a line for each move");
}

// The weights that training begins with give the scores of the material evaluation.
void evaluate_material_by_weights(Variant const& variant, std::vector<engine::TaperedWeight> const& weights) {
    auto const value = [&](std::vector<engine::TaperedWeight> const& given) {
        engine::Limits limits;
        limits.depth = 3;
        engine::SearchControl control{limits, {}};
        return variant.make_searcher(1, given)
            ->search({start_of(variant)}, variant.stuck_wins(), control, {})
            .lines.front()
            .score;
    };
    require(std::abs(value(weights) - value({})) <= 2, variant,
            "expected the score of the material evaluation");
}

void train(Variant const& variant) {
    auto const trainer = variant.make_trainer();
    engine::SelfPlayOptions options;
    options.games = 1;
    options.nodes = 30;
    options.stuck_wins = variant.stuck_wins();
    auto const samples = trainer->play({start_of(variant)}, {}, options, {});
    require(samples.size() % trainer->sample_size() == 0, variant, "expected whole positions");
    engine::FitOptions fit;
    fit.epochs = 1;
    fit.stuck_wins = options.stuck_wins;
    auto const result = trainer->fit({samples}, fit);
    require(result.weights.size() == variant.features(), variant, "expected a weight for each feature");
    require(result.training_loss >= 0 && result.training_loss < 100, variant,
            "expected a loss that is a number");
    require(trainer->fit({}, fit).positions == 0, variant, "expected no training data from none");
    evaluate_material_by_weights(variant, trainer->fit({}, fit).weights);
}

// Margins change what is searched, until they are set back; a large table changes nothing.
void take_margins(Variant const& variant) {
    auto const searcher = variant.make_searcher(2, {});
    auto const nodes = [&](engine::Margins const& margins) {
        engine::Limits limits;
        limits.depth = 6;
        engine::SearchControl control{limits, {}};
        searcher->set_margins(margins);
        searcher->clear();
        return searcher->search({start_of(variant)}, variant.stuck_wins(), control, {}).nodes;
    };
    auto const before = nodes({});
    engine::Margins narrow;
    narrow.aspiration = 1;
    narrow.probcut = 1;
    narrow.reverse_futility = 1;
    require(nodes(narrow) != before, variant, "expected other nodes with other margins");
    require(nodes({}) == before, variant, "expected the same nodes with the same margins");
}

// The same search by both paths, node by node.
void count_the_same_nodes(Variant const& fast, Variant const& generic) {
    auto const nodes = [](Variant const& variant) {
        engine::Limits limits;
        limits.depth = 7;
        engine::SearchControl control{limits, {}};
        return variant.make_searcher(1, {})
            ->search({start_of(variant)}, variant.stuck_wins(), control, {})
            .nodes;
    };
    require(nodes(fast) == nodes(generic), fast, "expected the same nodes by both paths");
}

}  // namespace

int main() {
    testing::each_variant([](Variant const& variant) {
        search(variant);
        distinguish_all_moves(variant);
        train(variant);
        take_margins(variant);
        if (variant.is_specialised()) { count_the_same_nodes(variant, Variant{variant.row(), false}); }
    });
}
