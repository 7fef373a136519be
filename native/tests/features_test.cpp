// The features of the evaluation: the patterns of windows, read square by square.
#include "crownhead/engine/features.hpp"

#include <random>

#include "rule_sets.hpp"
#include "testing.hpp"

using namespace crownhead;
using namespace crownhead::testing;

namespace {

// A number to base 3, a digit a square, as the side to move sees the board.
template <class R>
int pattern(R rules, engine::FeatureNumbers const& numbers, Position<R> const& position, int window,
            bool rises) {
    int pattern = 0;
    for (int k = numbers.window_squares - 1; k >= 0; --k) {
        auto const [row, file] = numbers.place(window, k);
        auto const square =
            rises ? rules.board().at(row, file)
                  : rules.board().at(rules->board.height - 1 - row, rules->board.width - 1 - file);
        int const digit = position.own.meets(square) ? 1 : position.theirs.meets(square) ? 2 : 0;
        pattern = 3 * pattern + digit;
    }
    return pattern;
}

template <Colour Us, class R>
void expect_patterns(R rules, engine::Features<R> const& features, Position<R> const& position) {
    auto const& numbers = features.numbers();
    int window = 0;
    features.template each<Us>(position, [&](int feature, int) {
        if (window == numbers.windows) { return; }  // the other features come behind
        int const expected = pattern(rules, numbers, position, window, rules.template rises<Us>());
        expect_equal(feature, window * numbers.patterns + expected);
        ++window;
    });
    expect_equal(window, numbers.windows);
}

// Positions of men wherever they may stand, and elsewhere.
template <class R>
void expect_patterns_of_men(R rules) {
    using Set = typename R::Set;
    std::mt19937_64 rng{1};
    engine::Features<R> const features{rules};
    for (int i = 0; i < 50; ++i) {
        Set own;
        Set theirs;
        for (auto square : rules.board().board) {
            auto const chance = rng() % 3;
            if (chance == 1) { own |= square; }
            if (chance == 2) { theirs |= square; }
        }
        Position<R> const position{rules, own, theirs, Set{}};
        expect_patterns<Colour::black>(rules, features, position);
        expect_patterns<Colour::white>(rules, features, position);
    }
}

// By constants, and by values at run time.
template <Rules Value>
void expect_patterns_on_both_paths() {
    using Constants = Fixed<Value>;
    using Word = typename Constants::Word;
    static RuleTable<Word> const table{Value};
    expect_patterns_of_men(Generic<Word>{table});
    if constexpr (!values_only) { expect_patterns_of_men(Constants{}); }
}

}  // namespace

int main() {
    return run({
        {"Windows of 8 × 8", expect_patterns_on_both_paths<short_kings>},
        {"Windows of 10 × 10", expect_patterns_on_both_paths<most_pass_10>},
        {"Windows of 12 × 12", expect_patterns_on_both_paths<most_pass_12>},
        {"Windows where every square is played on",
         expect_patterns_on_both_paths<on(every_square, short_kings)>},
    });
}
