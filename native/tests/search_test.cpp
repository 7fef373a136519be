// The engine of every variant thinks a few plies ahead, and learns from a game; the sanitizers look on.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "crownhead/engine/mind.hpp"
#include "crownhead/laws.hpp"

namespace {

using namespace crownhead;

State start_of(Variant const& variant) {
    State state{};
    auto const add = [&](auto squares, Wide& set) {
        for (auto number : squares) { set |= variant.laws->bit(number); }
    };
    bool const black = variant.first == Colour::black;
    add(variant.black, black ? state.own : state.theirs);
    add(variant.white, black ? state.theirs : state.own);
    add(variant.marked, state.marks);
    state.turn = variant.first;
    return state;
}

void require(bool holds, Variant const& variant, char const* what) {
    if (holds) { return; }
    std::fprintf(stderr, "%.*s: %s\n", static_cast<int>(variant.key.size()), variant.key.data(), what);
    std::exit(1);
}

void think(Variant const& variant) {
    engine::Limits limits;
    limits.depth = 5;
    limits.lines = 2;
    limits.threads = 2;
    engine::Control control{limits, {}};
    auto const thinker = variant.mind->thinker(1, {});
    auto const report =
        thinker->think({start_of(variant)}, variant.objective == Objective::mover_wins, control, {});
    require(report.depth == 5, variant, "expected to look five plies ahead");
    require(report.lines.size() == 2, variant, "expected two lines");
    require(!report.lines[0].steps.empty(), variant, "expected a move");
    require(report.lines[0].score >= report.lines[1].score, variant, "expected the better line first");
}

// However alike the moves of a position are, each begins a line of its own.
void tell_all_moves_apart(Variant const& variant) {
    engine::Limits limits;
    limits.depth = 1;
    limits.lines = 64;
    engine::Control control{limits, {}};
    auto const lines =
        variant.mind->thinker(1, {})
            ->think({start_of(variant)}, variant.objective == Objective::mover_wins, control, {})
            .lines;
    auto const empty = std::ranges::count_if(lines, [](auto const& line) { return line.steps.empty(); });
    require(!lines.empty() && empty == 0, variant, "expected a line for each move");
}

// The weights that counting begins with give the scores that counting gives.
void count_as_weights(Variant const& variant, std::vector<engine::Worths> const& weights) {
    auto const value = [&](std::vector<engine::Worths> const& given) {
        engine::Limits limits;
        limits.depth = 3;
        engine::Control control{limits, {}};
        return variant.mind->thinker(1, given)
            ->think({start_of(variant)}, variant.objective == Objective::mover_wins, control, {})
            .lines.front()
            .score;
    };
    require(std::abs(value(weights) - value({})) <= 2, variant, "expected the score that counting gives");
}

void learn(Variant const& variant) {
    auto const lesson = variant.mind->lesson();
    engine::PlayOptions options;
    options.games = 1;
    options.nodes = 30;
    options.stuck_wins = variant.objective == Objective::mover_wins;
    auto const samples = lesson->play({start_of(variant)}, {}, options, {});
    require(samples.size() % lesson->sample_size() == 0, variant, "expected whole positions");
    engine::FitOptions fit;
    fit.epochs = 1;
    fit.stuck_wins = options.stuck_wins;
    auto const fitted = lesson->fit({samples}, fit);
    require(fitted.weights.size() == variant.mind->features, variant, "expected a weight for each feature");
    require(fitted.loss >= 0 && fitted.loss < 100, variant, "expected a loss that is a number");
    require(lesson->fit({}, fit).positions == 0, variant, "expected to learn nothing from nothing");
    count_as_weights(variant, lesson->fit({}, fit).weights);
}

}  // namespace

int main() {
    for (auto const& variant : variants()) {
        think(variant);
        tell_all_moves_apart(variant);
        learn(variant);
    }
}
